/** Decides every staged row, once: preview, load and report read the decisions. Parents are decided before their children. */
import { recordKindNames } from '../contract/record-kind.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { batchFacts, type FactsAround, type PlanLedger } from './batch-facts.ts';
import type { Limit, PlanOptions, StagedDecision } from './decision.ts';
import { identify } from './identity.ts';
import { LaterRows } from './later-rows.ts';

/** Hears of each row once it is decided. */
export interface Decisions {
  /** Where the rows are decided once more, from the beginning. */
  begin(): void;
  add(row: KnownStaged, decision: StagedDecision): void;
}

/**
 * What decisions rest on in the ledger: while this stays the same, they hold. `null` where a load goes on, which may change it.
 *
 * @param own  a run that has sent nothing yet
 */
export async function basisOf(
  ledger: Pick<PlanLedger, 'runs' | 'newestResolution'>,
  own: string | null = null,
): Promise<string | null> {
  const runs = (await ledger.runs()).filter(({ id }) => id !== own);
  if (runs.some(({ state }) => state === 'running')) return null;
  return [await ledger.newestResolution(), ...runs.map(({ id, state, endedAt }) => `${id} ${state} ${endedAt}`)].join(
    '\n',
  );
}

/** @returns whether rows are wrong, so that nothing is sent */
export async function plan(
  staging: Staging,
  ledger: PlanLedger,
  options: PlanOptions,
  decisions?: Decisions,
): Promise<boolean> {
  const origins = await identify(staging, ledger, options);
  const later = new LaterRows(ledger, staging, options.service);
  const around = { staging, ledger, origins, later, ...options };
  await decideAll(around, options.limit, decisions);
  const isHeldBack = options.allOrNothing && staging.hasDecision('invalid');
  if (isHeldBack) await decideAll(around, 0, decisions);
  return isHeldBack;
}

async function decideAll(around: FactsAround, limit: Limit, decisions?: Decisions): Promise<void> {
  const { staging, ledger, batch = ledger.rowsAtOnce } = around;
  decisions?.begin();
  for (const kind of recordKindNames) {
    for await (const rows of staging.batches(kind, batch)) {
      const decide = await batchFacts(kind, rows, around);
      const decided: StagedDecision[] = [];
      staging.write(() => {
        for (const row of rows) {
          const decision = decide(row, !isTurn(row, limit, staging));
          decided.push(decision);
          staging.setDecision(row.number, JSON.stringify(decision));
        }
      });
      for (const [at, row] of rows.entries()) decisions?.add(row, decided[at] as StagedDecision);
    }
  }
}

/** Rows have their numbers in the order of loading, from 1. */
function isTurn(row: KnownStaged, limit: Limit, staging: Staging): boolean {
  if (limit === null) return true;
  if (typeof limit === 'number') return row.number <= limit;
  const { name } = staging.sheetOf(row);
  return (limit.sheet ?? name) === name && limit.row === row.row;
}
