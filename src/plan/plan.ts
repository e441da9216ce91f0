/** Decides every staged row, once: preview, load and report read the decisions. Parents are decided before their children. */
import { recordKindNames } from '../contract/record-kind.ts';
import { rowsOfQuestion } from '../ledger/ledger.ts';
import type { RowPosition } from '../staging/row-place.ts';
import type { Staging } from '../staging/staging.ts';
import { batchFacts, type FactsAround, type PlanLedger } from './batch-facts.ts';
import type { Limit, PlanOptions } from './decision.ts';
import { identify } from './identity.ts';
import { LaterRows } from './later-rows.ts';

/** @returns whether rows are wrong, so that nothing is sent */
export async function plan(staging: Staging, ledger: PlanLedger, options: PlanOptions): Promise<boolean> {
  const origins = await identify(staging, ledger, options);
  const later = new LaterRows(ledger, staging, options.service);
  const around = { staging, ledger, origins, later, ...options };
  await decideAll(around, options.limit);
  const isHeldBack = options.allOrNothing && staging.hasDecision('invalid');
  if (isHeldBack) await decideAll(around, 0);
  return isHeldBack;
}

async function decideAll(around: FactsAround, limit: Limit): Promise<void> {
  const { staging, batch = rowsOfQuestion } = around;
  const isTurn = turnsOf(limit);
  const names = new Map(staging.sheets.map(({ number, name }) => [number, name]));
  for (const kind of recordKindNames) {
    for await (const rows of staging.lightBatches(kind, batch)) {
      const decided = await batchFacts(kind, rows, around);
      staging.write(() => {
        for (const row of rows) {
          const isTurnOver = !isTurn({ sheet: names.get(row.sheet) ?? '', row: row.row });
          staging.setDecision(row.number, JSON.stringify(decided(row, isTurnOver)));
        }
      });
    }
  }
}

/** Whether the turn of a row comes: to be asked once for each row, in the order of loading. */
function turnsOf(limit: Limit): (position: RowPosition) => boolean {
  let rows = 0;
  return ({ sheet, row }) => {
    rows += 1;
    if (limit === null) return true;
    if (typeof limit === 'number') return rows <= limit;
    return (limit.sheet ?? sheet) === sheet && limit.row === row;
  };
}
