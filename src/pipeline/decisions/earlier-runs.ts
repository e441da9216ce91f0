/** The loads of the very same bytes before this one, and where a row of the source stood in each of them. */
import type { RecordKindName } from '../../contract/record-kind.ts';
import type { Ledger, RowPosition, RunRecord } from '../../ledger/ledger.ts';
import { csvSheetName } from '../../sheets/csv/csv-source.ts';
import type { Snapshot } from '../source/snapshot.ts';
import type { Survey } from '../survey/survey.ts';

export interface EarlierRun extends RunRecord {
  /** Where a row of the source stood then. The one sheet of a CSV file has the file's name, and a file may be renamed. */
  readonly positionThen: (position: RowPosition) => RowPosition;
  /** Where a row of that load stands now. */
  readonly positionNow: (position: RowPosition) => RowPosition;
}

/**
 * The runs of the same bytes into a service, the newest first: updates that went in with one of them are not sent a second
 * time, and equal rows are told apart by their places. A run that made records of another kind of them says nothing of these.
 *
 * @param except  the run that is under way, or `null`
 */
export function earlierRunsOf(
  ledger: Ledger,
  service: string,
  { digest, sourceName }: Snapshot,
  { matched, sheets }: Pick<Survey, 'matched' | 'sheets'>,
  except: string | null = null,
): readonly EarlierRun[] {
  const isCsv = matched.source.format === 'csv';
  const runs = ledger
    .runs()
    .filter((run) => run.id !== except && run.service === service && run.sourceDigest === digest);
  return runs
    .map((run) => ({ ...run, ...(isCsv ? renamed(csvSheetName(run.sourceName), csvSheetName(sourceName)) : inPlace) }))
    .filter(({ id, positionThen }) =>
      sheets.every(({ name, kind }) => {
        const before = kindOfSheet(ledger, id, positionThen({ sheet: name, row: 1 }).sheet);
        return before === null || before === kind.name;
      }),
    );
}

type Places = Pick<EarlierRun, 'positionThen' | 'positionNow'>;

export const inPlace: Places = { positionThen: (position) => position, positionNow: (position) => position };

function renamed(then: string, now: string): Places {
  return { positionThen: ({ row }) => ({ sheet: then, row }), positionNow: ({ row }) => ({ sheet: now, row }) };
}

/** What the rows of a sheet were loaded as, or `null` when none has an entry. */
function kindOfSheet(ledger: Ledger, run: string, sheet: string): RecordKindName | null {
  for (const { kind } of ledger.entriesOf(run, sheet)) return kind;
  return null;
}
