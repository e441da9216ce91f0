/**
 * Builds the matched sheet once its headers are found, and reads its data rows, those below them. Rows above are never read, so data
 * there stops the load. No content is skipped silently.
 */
import type { RecordKind } from '../../contract/record-kind.ts';
import { isTyped } from '../../mapping/column.ts';
import type { PersonsWord } from '../../mapping/format-inference.ts';
import { type HeaderRow, type HeaderRowTest, headerRowTest, headerText } from '../../mapping/header-row.ts';
import { countMatches } from '../../mapping/headers.ts';
import { noShape, type RowShape } from '../../mapping/mapping-file/row-shape.ts';
import { shownHeader } from '../../mapping/marks.ts';
import { isBlank, trimmedText, withoutUnseen } from '../../mapping/reading.ts';
import type { Message } from '../../messages/message.ts';
import { errorOf, inPlace, messageOf } from '../../messages/text.ts';
import { undefusedRow } from '../../tables/csv/csv-writer.ts';
import { type Cell, cellAt, type SheetRow } from '../../tables/row.ts';
import { type OnBehindRows, type Source, type SourceSheet, withRows } from '../../tables/source.ts';
import { resultColumns } from '../../workbooks/results.ts';
import { areResultHeaders, ownColumnsOf } from '../own-columns.ts';
import type { SheetBeginning } from './sheets-to-read.ts';

export interface MatchedSheet extends RowShape {
  readonly sheet: SourceSheet;
  readonly name: string;
  readonly kind: RecordKind;
  readonly header: HeaderRow;
  readonly isHeaderRow: HeaderRowTest;
  /** The number of Dealsheet's own columns in front: 0, or those of a results sheet. */
  readonly ownColumns: number;
  /** The date and amount formats that a mapping or the profile declares. */
  readonly word: PersonsWord;
}

/** The headers of a sheet, without Dealsheet's own columns. */
export interface SheetHeader {
  readonly header: HeaderRow;
  readonly ownColumns: number;
}

/** Dealsheet's own columns are found by position and never match fields: a note has a Status of its own. */
export function withoutOwnColumns(found: HeaderRow): SheetHeader {
  const ownColumns = areResultHeaders(found.headers) ? resultColumns.length : 0;
  return {
    ownColumns,
    header: { ...found, headers: found.headers.map((name, at) => (at < ownColumns ? null : name)) },
  };
}

/** The result for a sheet: it is read, it is skipped (empty or left out), or its faults stop the load. */
export interface SheetMatch {
  readonly sheet: MatchedSheet | null;
  readonly notices: readonly Message[];
  readonly faults: readonly Message[];
  /** What to suggest for `--as`: a kind, or `KIND` where none is likely. */
  readonly as?: string;
}

export const noMatch: SheetMatch = { sheet: null, notices: [], faults: [] };

interface HeadedSheet extends SheetHeader {
  readonly kind: RecordKind;
  /** Or what does not fit. */
  readonly shape: RowShape | readonly Message[];
  readonly word: PersonsWord;
  /** Further names that count as headers. */
  readonly furtherNames?: readonly string[];
  /** Whether a mapping declares the header row. Rows above it are then titles. */
  readonly isDeclared?: boolean;
}

/** @throws DealsheetError `unmatched-columns` when a row above the headers is data or a header row */
export function sheetMatch(
  { sheet, name, rows }: SheetBeginning,
  { shape, furtherNames = [], isDeclared = false, ...headed }: HeadedSheet,
  format: Source['format'],
): SheetMatch {
  const isHeaderRow = headerTestOf(headed.kind, headed.header, rows, furtherNames);
  const read = format === 'csv' && headed.ownColumns > 0 ? withRows(sheet, undefusedRow) : sheet;
  const fits = 'columns' in shape;
  const matched: MatchedSheet = { ...(fits ? shape : noShape), ...headed, sheet: read, name, isHeaderRow };
  const notices = noticesAbove(matched, rows, isDeclared);
  if (!fits) return { ...noMatch, faults: shape };
  return { sheet: matched, notices: [...notices, ...columnsLeftOut(matched)], faults: [] };
}

const mostNamed = 10;

/** Lists the columns that are left out, except those in parentheses. */
function columnsLeftOut({ name, kind, header: { headers }, columns }: MatchedSheet): readonly Message[] {
  const used = new Set(columns.flatMap(({ origins }) => origins));
  const left = headers.filter((header, at) => header !== null && !used.has(at) && !/^\(.*\)$/.test(header));
  if (left.length === 0) return [];
  const isAmongNames = countMatches(kind, headers) > 0;
  const names = left.slice(0, mostNamed).map((header) => `"${shownHeader(header ?? '', isAmongNames)}"`);
  const of = { names, more: left.length - names.length, isOne: left.length === 1 };
  return [inPlace(name, messageOf('columns-left-out', of))];
}

/** Tests for the matched headers, and for the header row without the groups above it. */
function headerTestOf(
  kind: RecordKind,
  { number, headers }: HeaderRow,
  rows: readonly SheetRow[],
  further: readonly string[],
): HeaderRowTest {
  const alone = rows.find((row) => row.number === number)?.values.map(headerText) ?? [];
  const named = headers.filter((name) => name !== null);
  const ours = named.length > 1 ? resultColumns : [];
  const words = [...named, ...alone.filter((name) => name !== null), ...ours, ...further];
  return headerRowTest(kind, words, named.length);
}

/** @throws DealsheetError `unmatched-columns` when a row above the headers is data or a header row */
function noticesAbove(sheet: MatchedSheet, rows: readonly SheetRow[], isDeclared: boolean): readonly Message[] {
  const { name, header, isHeaderRow } = sheet;
  const above = rows.filter((row) => row.number < header.number);
  const keyed = above.filter((row) => isKeyed(row, sheet.ownColumns));
  if (keyed.length > 0) throw errorOf('keys-above-headers', { name, rows: numbersOf(keyed), header: header.number });
  const titles = above.filter((row) => !isGroupRow(row, header, rows));
  const headers = titles.find(isHeaderRow);
  if (headers !== undefined) throw errorOf('two-header-rows', { name, first: headers.number, second: header.number });
  const data = isDeclared ? [] : rowsLikeThoseBelow(titles, sheet, rows);
  if (data.length > 0) throw errorOf('data-above-headers', { name, rows: numbersOf(data), header: header.number });
  return titles.length === 0 ? [] : [inPlace(name, messageOf('rows-skipped', { rows: numbersOf(titles) }))];
}

/** Whether the row has the key of a results sheet. Below the headers of one, a key without a run counts too. */
function isKeyed(row: SheetRow, ownColumns: number): boolean {
  const { earlier, keyText } = ownColumnsOf(row);
  return earlier !== null || (ownColumns > 0 && keyText !== null);
}

/** Whether the row names groups of columns, and so is part of the headers below it. */
function isGroupRow(row: SheetRow, header: HeaderRow, rows: readonly SheetRow[]): boolean {
  if (row.number !== header.number - 1) return false;
  const below = rows.find(({ number }) => number === header.number);
  return header.headers.some((name, column) => {
    const own = below === undefined ? null : headerText(cellAt(below, column));
    return name !== null && name !== own && name.endsWith(own ?? '');
  });
}

/** Rows that fill as many columns as the usual row below the headers, or half as many with an amount or date in place. A title has one. */
function rowsLikeThoseBelow(titles: readonly SheetRow[], { header, columns }: MatchedSheet, rows: readonly SheetRow[]) {
  const headed = header.headers.flatMap((name, column) => (name === null ? [] : [column]));
  const filledIn = (row: SheetRow) => headed.filter((column) => !isBlank(cellAt(row, column))).length;
  const below = rows.filter(({ number }) => number > header.number);
  const filled = below.map(filledIn).sort((one, other) => other - one);
  const usual = Math.max(1, filled[Math.floor(filled.length / 2)] ?? headed.length);
  const typed = columns.filter(isTyped).flatMap(({ origins }) => origins);
  return titles.filter((row) => {
    const isTypical =
      typed.length === 0 ? filledIn(row) > 1 : typed.some((column) => /\d/.test(trimmedText(cellAt(row, column))));
    return filledIn(row) >= usual || (filledIn(row) * 2 >= usual && isTypical);
  });
}

function numbersOf(rows: readonly SheetRow[]): Message {
  return messageOf('rows', { isOne: rows.length === 1, rows: rows.map(({ number }) => `${number}`) });
}

/** Yields the rows with content below the header. */
export async function* dataRows({ sheet, header }: MatchedSheet, onBehind: OnBehindRows): AsyncGenerator<SheetRow> {
  for await (const row of sheet.rows(onBehind)) if (row.number > header.number && row.values.some(isFilled)) yield row;
}

/** An unticked check box does not fill a row, because a column of them reaches to the end of the sheet. */
function isFilled(cell: Cell): boolean {
  if (typeof cell === 'string') return !/^(?:false)?$/i.test(withoutUnseen(cell).trim());
  return cell !== null && (cell.kind !== 'boolean' || cell.value);
}
