/** What stops a load of a results sheet that this ledger does not know. */
import { DealsheetError } from '../../errors.ts';
import type { RunRow } from '../../ledger/ledger.ts';
import { keyOf } from './row-place.ts';

export function unknownRun(run: string): DealsheetError {
  return new DealsheetError(
    'usage',
    `The file is a results sheet of the run ${run}, which this ledger does not know: whether its rows are in cannot be told here.`,
    'Give --trust-results to believe its statuses, or --again to load all of its rows. Nothing was sent.',
  );
}

export function unknownRow(place: string, id: string | null, key: RunRow): DealsheetError {
  const as = id === null ? '' : ` as ${id}`;
  return new DealsheetError(
    'usage',
    `${place} says that it is in${as}, and its key is ${keyOf(key)}: the ledger knows no such row of that run. The key of a row counts on when it is filled down in a spreadsheet.`,
    'Empty the first six cells of each row that was made so: it is a new one. If the ledger was put back from a backup, give --trust-results to believe the statuses. Nothing was sent.',
  );
}
