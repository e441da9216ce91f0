/** The loads of the very same bytes before this one, and where a row of the source stood in each of them. */
import type { Ledger, RowPosition, RunRecord } from '../ledger/ledger.ts';
import { csvSheetName } from '../sheets/csv/csv-source.ts';
import type { Source } from '../sheets/source.ts';
import type { Snapshot } from './snapshot.ts';

export interface EarlierRun extends RunRecord {
  /** Where a row of the source stood then. The one sheet of a CSV file has the file's name, and a file may be renamed. */
  readonly positionThen: (position: RowPosition) => RowPosition;
  /** Where a row of that load stands now. */
  readonly positionNow: (position: RowPosition) => RowPosition;
}

/**
 * The runs of the same bytes into a service, the newest first: updates that went in with one of them are not sent a second
 * time, and equal rows are told apart by their places.
 *
 * @param except  the run that is under way, or `null`
 */
export function earlierRunsOf(
  ledger: Ledger,
  service: string,
  { digest, sourceName }: Snapshot,
  { format }: Source,
  except: string | null = null,
): readonly EarlierRun[] {
  const runs = ledger
    .runs()
    .filter((run) => run.id !== except && run.service === service && run.sourceDigest === digest);
  return runs.map((run) => {
    if (format !== 'csv') return { ...run, positionThen: itself, positionNow: itself };
    const [then, now] = [csvSheetName(run.sourceName), csvSheetName(sourceName)];
    return {
      ...run,
      positionThen: ({ row }: RowPosition) => ({ sheet: then, row }),
      positionNow: ({ row }: RowPosition) => ({ sheet: now, row }),
    };
  });
}

function itself(position: RowPosition): RowPosition {
  return position;
}
