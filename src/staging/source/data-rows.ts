/** The rows of a sheet that are data: those below its header. Nothing of a sheet is passed over in silence. */
import { DealsheetError } from '../../errors.ts';
import { isBlank } from '../../mapping/reading.ts';
import type { Cell } from '../../sheets/cell.ts';
import { cellAt, columnOf, type SheetRow } from '../../sheets/row.ts';
import type { OnBehindRows } from '../../sheets/source.ts';
import { type MatchedSheet, rowsInWords, twoHeaders } from './matched-sheet.ts';

/** @throws DealsheetError `unmatched-columns` when a row below the headers is one of headers again */
export function refuseSecondHeaders({ name, header, isHeaderRow }: MatchedSheet, row: SheetRow): void {
  if (isHeaderRow(row)) throw twoHeaders(name, header.number, row.number);
}

export function noRows(): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    'The file holds no rows: there is nothing below the headers.',
    'Fill in at least one row, save the file, and try again.',
  );
}

/**
 * The rows below the header of a sheet in which there is anything to be seen: blanks that somebody typed make no record, and
 * neither do lines under the table.
 *
 * @param onPassedOver  told of lines under the table, in a sentence, once all rows were read
 */
export async function* dataRows(
  sheet: MatchedSheet,
  onPassedOver: (notice: string) => void,
  onBehind: OnBehindRows,
): AsyncGenerator<SheetRow> {
  const isLine = lineFinder(sheet);
  let last = sheet.header.number;
  let lines: SheetRow[] = [];
  for await (const row of sheet.sheet.rows(onBehind)) {
    if (row.number <= sheet.header.number || !row.values.some(isFilled)) continue;
    const mayBeLine = lines.length > 0 || row.number > last + 1;
    last = row.number;
    if (mayBeLine && lines.length < mostLines && isLine(row)) {
      lines.push(row);
      continue;
    }
    if (lines.length > 0) yield* lines;
    lines = [];
    yield row;
  }
  if (lines.length > 0)
    onPassedOver(`${sheet.name}: ${rowsInWords(lines)} under the table skipped, in columns of which nothing is sent.`);
}

/** A check box that nobody has ticked fills no row: a sheet with a column of them has one in every row to its end. */
function isFilled(cell: Cell): boolean {
  if (cell === null || typeof cell === 'string') return !isBlank(cell) && cell !== 'FALSE';
  return cell.kind !== 'boolean' || cell.value;
}

/** What a report says of itself at its end has fewer. */
const mostLines = 20;

/**
 * Tells a line such as `Generated on 11/20/2026` or `Confidential`, below a blank row and with nothing but its like below it:
 * one text, in a column of which nothing is sent. Passing it over loses nothing.
 */
function lineFinder(sheet: MatchedSheet): (row: SheetRow) => boolean {
  if (sheet.ownColumns > 0) return () => false;
  const sent = new Set(sheet.columns.flatMap(({ origins }) => origins));
  return (row) => {
    const filled = row.values.flatMap((cell, place) => (isBlank(cell) ? [] : [columnOf(row, place)]));
    const [only = -1, second] = filled;
    return second === undefined && !sent.has(only) && typeof cellAt(row, only) === 'string';
  };
}
