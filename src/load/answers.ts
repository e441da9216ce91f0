/** What ID cells say of rows in doubt goes into the ledger before the first row is sent. */
import type { Ledger, Resolution } from '../ledger/next/ledger.ts';
import { decisionOf } from '../plan/plan.ts';
import type { KnownStaged, Staging } from '../staging/staging.ts';

const rowsOfBatch = 512;
const hasAnswer = `r.decision LIKE '{"do":"settle"%' OR r.decision LIKE '%"settles":"not-created"%'`;

/** @throws DealsheetError `usage` when a row is not in doubt any more */
export async function takeAnswers(staging: Staging, ledger: Ledger, person: string): Promise<void> {
  for (const { kind } of staging.sheets) {
    for (const rows of staging.batches(kind, rowsOfBatch, hasAnswer)) {
      const known = await ledger.lookupRows(rows.flatMap(({ id }) => id ?? []));
      const attemptOf = (id: number): number => known.get(id)?.attempt ?? 0;
      const isOpen = ({ id }: KnownStaged): boolean => known.get(id ?? 0)?.standing === 'in-doubt';
      await ledger.resolve(rows.filter(isOpen).flatMap((row) => resolutionOf(row, attemptOf, person)));
    }
  }
}

function resolutionOf(row: KnownStaged, attemptOf: (id: number) => number, person: string): readonly Resolution[] {
  const decision = decisionOf(row);
  if (decision === null || row.id === null) return [];
  const said = { id: row.id, attempt: attemptOf(row.id), person };
  if (decision.do === 'settle') return [{ ...said, isCreated: true, record: decision.id }];
  return [{ ...said, isCreated: false, record: null }];
}
