/** The run that a person names. */

import { DealsheetError } from '../../errors.ts';
import type { Ledger, RunRecord } from '../../ledger/ledger.ts';
import { commandText } from '../../messages/commands.ts';

/**
 * Finds a run by its id; the letters at its end may be left out where that names one run alone.
 *
 * @throws DealsheetError `usage` when the ledger does not know the run
 */
export async function needRun(ledger: Ledger, typed: string): Promise<RunRecord> {
  const id = typed.trim();
  const run = await ledger.run(id);
  if (run !== null) return run;
  const [found, another] = (await ledger.runs()).filter((candidate) => candidate.id.startsWith(`${id}-`));
  if (found !== undefined && another === undefined) return found;
  throw new DealsheetError(
    'usage',
    `There is no run ${id} in the ledger ${ledger.path}.`,
    `${commandText('runs')} lists its runs. A run of another ledger is found with --ledger FILE.`,
  );
}
