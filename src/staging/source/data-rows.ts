/**
 * The rows of a sheet that are data: those below its header. What stands above the headers is never read, and what stands below them is read under them alone. So rows to load that
 * stand above, and a second row of headers below, stop the load: nothing of a sheet is passed over in silence.
 */
import { DealsheetError } from '../../errors.ts';
import { isTyped } from '../../mapping/column.ts';
import { headerText } from '../../mapping/header-row.ts';
import { isBlank, trimmedText } from '../../mapping/reading.ts';
import type { Cell } from '../../sheets/cell.ts';
import { cellAt, columnOf, type SheetRow } from '../../sheets/row.ts';
import type { OnBehindRows } from '../../sheets/source.ts';
import { ownColumnsOf } from '../own-columns.ts';
import type { MatchedSheet } from './matched-sheet.ts';

/** The headers of a sheet, and the rows among which they were found. */
interface HeaderSurroundings extends Pick<MatchedSheet, 'name' | 'header' | 'columns' | 'isHeaderRow' | 'ownColumns'> {
  readonly rows: readonly SheetRow[];
  /** Whether a mapping says in which row the headers stand: then what is above them is a title by a person's word. */
  readonly isSaid: boolean;
}

/** @throws DealsheetError `unmatched-columns` when one of them is a row to load, or holds headers itself */
export function passedOver(place: HeaderSurroundings): readonly string[] {
  const { name, header, isHeaderRow } = place;
  const above = place.rows.filter((row) => row.number < header.number && !row.values.every(isBlank));
  const keyed = above.filter((row) => isKeyed(row, place.ownColumns));
  if (keyed.length > 0) {
    throw refusal(
      `${name}: what stands above the headers in row ${header.number} carries the key of a results sheet (${rowsInWords(keyed)}), and would not be loaded.`,
      `Move the row of headers to the top of the sheet, save the file, and try again. ${nothingSent}`,
    );
  }
  const titles = above.filter((row) => !isGroupRow(row, place));
  const [headers] = titles.filter(isHeaderRow);
  if (headers !== undefined) throw twoHeaders(name, headers.number, header.number);
  const data = place.isSaid ? [] : rowsLikeThoseBelow(titles, place);
  if (data.length > 0) {
    throw refusal(
      `${name}: what stands above the headers in row ${header.number} looks like data to load (${rowsInWords(data)}), and would not be loaded.`,
      `Move the headers above all rows to load, and remove what is none; or say in a mapping that the headers stand there ("headerRow": ${header.number}). ${nothingSent}`,
    );
  }
  return titles.length === 0 ? [] : [`${name}: above the headers, ${rowsInWords(titles)} passed over.`];
}

/** @throws DealsheetError `unmatched-columns` when a row below the headers is one of headers again */
export function refuseSecondHeaders({ name, header, isHeaderRow }: MatchedSheet, row: SheetRow): void {
  if (isHeaderRow(row)) throw twoHeaders(name, header.number, row.number);
}

const nothingSent = 'Nothing was sent.';

function twoHeaders(name: string, first: number, second: number): DealsheetError {
  return refusal(
    `${name}: row ${first} is a row of headers, and row ${second} is another one: the rows below each would be read under the headers of one of them.`,
    `Give the rows below row ${second} a sheet or a file of their own, with their headers; where both rows have the same headers, remove row ${second}. ${nothingSent}`,
  );
}

/** Whether a results sheet has told the row by its key; where its own headers stand, a key without a run is one too. */
function isKeyed(row: SheetRow, ownColumns: number): boolean {
  const { earlier, keyText } = ownColumnsOf(row);
  return earlier !== null || (ownColumns > 0 && keyText !== null);
}

/** Whether the row names groups of columns, and so has become the beginning of the headers below it. */
function isGroupRow(row: SheetRow, { rows, header }: HeaderSurroundings): boolean {
  if (row.number !== header.number - 1) return false;
  const below = rows.find(({ number }) => number === header.number);
  return header.headers.some((name, column) => {
    const own = below === undefined ? null : headerText(cellAt(below, column));
    return name !== null && own !== null && name !== own && name.endsWith(own);
  });
}

/**
 * Rows that fill as many columns as the first one below the headers; or half as many, when an amount or a date may stand where
 * the others have theirs. A title, or a name with its value, fills less.
 */
function rowsLikeThoseBelow(titles: readonly SheetRow[], place: HeaderSurroundings): readonly SheetRow[] {
  const headed = place.header.headers.flatMap((name, column) => (name === null ? [] : [column]));
  const filledIn = (row: SheetRow) => headed.filter((column) => !isBlank(cellAt(row, column))).length;
  const next = place.rows.find(({ number }) => number > place.header.number);
  const usual = Math.max(1, next === undefined ? headed.length : filledIn(next));
  const typed = place.columns.filter(isTyped).flatMap(({ origins }) => origins);
  return titles.filter((row) => {
    const isTypical = typed.length === 0 || typed.some((column) => /\d/.test(trimmedText(cellAt(row, column))));
    return filledIn(row) >= usual || (filledIn(row) * 2 >= usual && isTypical);
  });
}

function rowsInWords(rows: readonly SheetRow[]): string {
  const numbers = rows.map(({ number }) => number);
  return `${numbers.length === 1 ? 'row' : 'rows'} ${numbers.join(', ')}`;
}

function refusal(message: string, remedy: string): DealsheetError {
  return new DealsheetError('unmatched-columns', message, remedy);
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
    onPassedOver(
      `${sheet.name}: under the table, in columns of which nothing is sent, ${rowsInWords(lines)} passed over.`,
    );
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
