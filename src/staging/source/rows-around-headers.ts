/**
 * What stands above the headers is never read, and what stands below them is read under them alone. So rows to load that
 * stand above, and a second row of headers below, stop the load: nothing of a sheet is passed over in silence.
 */
import { DealsheetError } from '../../errors.ts';
import { type Column, isTyped } from '../../mapping/column.ts';
import { type HeaderRow, headerText } from '../../mapping/header-row.ts';
import type { HeaderWords } from '../../mapping/header-words.ts';
import { isBlank, shownText } from '../../mapping/reading.ts';
import type { Cell, SheetRow } from '../../sheets/cell.ts';
import { ownColumnsOf } from '../own-columns.ts';
import type { MatchedSheet } from './matched-sheet.ts';
import { scaleInTitles } from './scale-in-titles.ts';

/** The headers of a sheet, and the rows among which they were found. */
export interface HeaderSurroundings {
  readonly name: string;
  readonly rows: readonly SheetRow[];
  readonly header: HeaderRow;
  readonly columns: readonly Column[];
  readonly headerWords: HeaderWords;
  /** How many columns of ours stand in front of the person's own. */
  readonly ownColumns: number;
  /** Whether a mapping says in which row the headers stand: then what is above them is a title by a person's word. */
  readonly isSaid: boolean;
}

/**
 * @returns sentences about the rows above the headers, when there are any
 * @throws DealsheetError `unmatched-columns` when one of them is a row to load, or holds headers itself
 */
export function passedOver(place: HeaderSurroundings): readonly string[] {
  const { name, header, headerWords } = place;
  const above = place.rows.filter((row) => row.number < header.number && !row.cells.every(isBlank));
  const keyed = above.filter((row) => isKeyed(row, place.ownColumns));
  if (keyed.length > 0) {
    throw refusal(
      `${name}: above the headers in row ${header.number}, ${rowsInWords(keyed)} ${has(keyed, 'carries the key', 'carry the keys')} of a results sheet: what stands there is to be loaded, and would not be.`,
      `Move the row of headers to the top of the sheet, save the file, and try again. ${nothingSent}`,
    );
  }
  const titles = above.filter((row) => !isGroupRow(row, place));
  const headers = titles.filter((row) => headerWords.isHeaderRow(row));
  if (headers.length > 0) throw twoHeaders(name, headers[0]?.number ?? 0, header.number);
  const data = place.isSaid ? [] : rowsLikeThoseBelow(titles, place);
  if (data.length > 0) {
    throw refusal(
      `${name}: ${rowsInWords(data)} ${has(data, 'stands', 'stand')} above the headers in row ${header.number}, and ${has(data, 'looks like a row', 'look like rows')} to load: what stands there would not be.`,
      `Move the headers above all rows to load, and remove what is none; or say in a mapping that the headers stand there ("headerRow": ${header.number}). ${nothingSent}`,
    );
  }
  if (titles.length === 0) return [];
  const count = titles.length === 1 ? '1 row above the headers is' : `${titles.length} rows above the headers are`;
  const told = `${name}: ${count} passed over: ${rowsInWords(titles)}.`;
  return [told, ...scaleInTitles(name, titles, place.columns)];
}

/** @returns a sentence about lines under a table, when there are any */
export function passedOverBelow({ name }: MatchedSheet, lines: readonly SheetRow[]): readonly string[] {
  if (lines.length === 0) return [];
  const count = lines.length === 1 ? '1 line under the table is' : `${lines.length} lines under the table are`;
  return [`${name}: ${count} passed over, in columns of which nothing is sent: ${rowsInWords(lines)}.`];
}

/** @throws DealsheetError `unmatched-columns` when a row below the headers is one of headers again */
export function refuseSecondHeaders({ name, header, headerWords }: MatchedSheet, row: SheetRow): void {
  if (headerWords.isHeaderRow(row)) throw twoHeaders(name, header.number, row.number);
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
  const { key, keyText } = ownColumnsOf(row);
  return key !== null || (ownColumns > 0 && keyText !== null);
}

/** Whether the row names groups of columns, and so has become part of the headers below it. */
function isGroupRow(row: SheetRow, { rows, header }: HeaderSurroundings): boolean {
  if (row.number !== header.number - 1) return false;
  const below = rows.find(({ number }) => number === header.number);
  return header.headers.some((name, column) => {
    const own = headerText(below?.cells[column]);
    return name !== null && own !== null && name !== own && !isCounted(name, own);
  });
}

/** `Phone (2)`: a name that stands twice. */
function isCounted(name: string, own: string): boolean {
  return name.startsWith(own) && /^ \(\d+\)$/.test(name.slice(own.length));
}

/**
 * Rows that fill as many columns as those below the headers usually do; or half as many, when an amount or a date stands
 * where the others have theirs. A title, or a name with its value, fills less.
 */
function rowsLikeThoseBelow(titles: readonly SheetRow[], place: HeaderSurroundings): readonly SheetRow[] {
  if (titles.length === 0) return [];
  const headed = place.header.headers.flatMap((name, column) => (name === null ? [] : [column]));
  const filledIn = ({ cells }: SheetRow) => headed.filter((column) => !isBlank(cells[column])).length;
  const below = place.rows.filter(({ number }) => number > place.header.number).map(filledIn);
  const usual = Math.max(1, Math.min(headed.length, middleOf(below) ?? headed.length));
  const typed = place.columns.filter(isTyped);
  return titles.filter((row) => {
    const filled = filledIn(row);
    if (filled >= usual) return true;
    const isTypical = typed.length === 0 || typed.some((column) => saysTyped(column, row.cells[column.index]));
    return filled * 2 >= usual && isTypical;
  });
}

function middleOf(counts: readonly number[]): number | null {
  const sorted = counts.filter((count) => count > 0).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** Whether the cell says an amount, or a date, in whatever form: digits, and no words beside them. */
function saysTyped(column: Column, cell: Cell | undefined): boolean {
  if (cell === null || cell === undefined || isBlank(cell)) return false;
  if (typeof cell !== 'string') {
    const isDate = column.use === 'field' && column.field.format === 'date';
    return cell.kind === (isDate ? 'date' : 'number');
  }
  const longestUnit = 3;
  const words = shownText(cell).match(/\p{L}+/gu) ?? [];
  return /\d/.test(cell) && words.every((word) => word.length <= longestUnit);
}

/** `row 3`, `rows 3 and 4`, `rows 3 to 7`. */
function rowsInWords(rows: readonly SheetRow[]): string {
  const numbers = rows.map(({ number }) => number);
  const [first = 0] = numbers;
  const last = numbers.at(-1) ?? first;
  if (numbers.length === 1) return `row ${first}`;
  if (numbers.length > 2 && last - first === numbers.length - 1) return `rows ${first} to ${last}`;
  return `rows ${numbers.slice(0, -1).join(', ')} and ${last}`;
}

function has(rows: readonly SheetRow[], one: string, several: string): string {
  return rows.length === 1 ? one : several;
}

function refusal(message: string, remedy: string): DealsheetError {
  return new DealsheetError('unmatched-columns', message, remedy);
}
