/** The data rows of a sheet: those below its header. No content is skipped silently. */
import type { DealsheetError } from '../../errors.ts';
import { isBlank } from '../../mapping/reading.ts';
import type { Cell } from '../../sheets/cell.ts';
import { cellAt, columnOf, type SheetRow } from '../../sheets/row.ts';
import type { OnBehindRows } from '../../sheets/source.ts';
import { unreadable } from '../../sheets/unreadable.ts';
import { type MatchedSheet, rowsInWords } from './matched-sheet.ts';

export function noRows(): DealsheetError {
  return unreadable(
    'The file holds no rows: there is nothing below the headers.',
    'Fill in at least one row, save the file, and try again.',
  );
}

/** Yields the rows with content below the header. @param onPassedOver gets a sentence about skipped lines under the table */
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
    onPassedOver(
      `${sheet.name}: ${rowsInWords(lines)} under the table skipped: no column that is sent has a value there.`,
    );
}

/** An unticked check box does not fill a row, because a column of them reaches to the end of the sheet. */
function isFilled(cell: Cell): boolean {
  if (cell === null || typeof cell === 'string') return !isBlank(cell) && cell !== 'FALSE';
  return cell.kind !== 'boolean' || cell.value;
}

/** The footer of a report has fewer lines. */
const mostLines = 20;

/**
 * Finds footer lines such as `Generated on 11/20/2026` or `Confidential`: one text in a column that is not sent, below
 * a blank row, with only such lines below it. Skipping them loses nothing.
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
