/** The run that a person names. */
import { DealsheetError } from '../errors.ts';
import type { Ledger, RunRecord } from '../ledger/ledger.ts';

/** @throws DealsheetError `usage` when the ledger does not know the run */
export function needRun(ledger: Ledger, id: string): RunRecord {
  const run = ledger.run(id);
  if (run !== null) return run;
  throw new DealsheetError('usage', `There is no run ${id} in this ledger.`, 'dealsheet runs lists the runs.');
}
