/** What a person is told of a row whose own columns contradict the ledger or themselves: what is wrong, and what to do now. */
import { oneOf, type RecordKindName } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { DealsheetError } from '../../errors.ts';
import type { RunRow } from '../../ledger/ledger.ts';
import type { OwnColumns } from './own-columns.ts';
import { inDoubtSince, lookUpAndSettle } from './row-note.ts';
import { keyOf } from './row-place.ts';
import { notCreatedMark } from './typed-ids.ts';

export function ofAnotherKind(kind: RecordKindName, key: RunRow): string {
  return `The key ${keyOf(key)} is that of ${oneOf(recordKind(kind))}. Load the sheet as ${kind}, or empty the first six cells if the row is to become another record.`;
}

export function wasSaidBefore(key: RunRow, row: RunRow): string {
  return `${inDoubtSince(row.run)} "${notCreatedMark}" in the ID cell was said of the run ${key.run}, and the row was sent once more since then. ${lookUpAndSettle(row)}`;
}

export function idsDiffer(typed: string, known: string): string {
  return `The ID cell says ${typed}, and the ledger ${known}. Put ${known} back if the row is that record, or empty the first six cells if it is a new row.`;
}

export function idOfRowNotIn(typed: string, isRunKnown: boolean): string {
  const other = isRunKnown ? 'the ledger' : 'the Status cell';
  return `The ID cell says ${typed}, and ${other} that the row is not in. Take the row out if the service has it under that id, or empty the cell, and it is sent.`;
}

export function notInByNow(id: string | null, { run }: RunRow): string {
  return `The row says that it is in${id === null ? '' : ` as ${id}`}, and the ledger that it is not, since the run ${run}. Take the row out if the service has it, or empty its Status and ID cells, and it is sent.`;
}

export function keyLost({ id }: OwnColumns): string {
  const said = id === null ? 'The row says that it was loaded' : `The row carries the id ${id}`;
  return `${said}, and its Run cell does not say when. Put the Run cell back, or empty the first six cells if it is a new row.`;
}

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
