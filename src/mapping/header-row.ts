/** Finds the header row: usually row 1, sometimes below a title or in two rows. Also detects further header rows. */
import { type Field, fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { oncePer } from '../once.ts';
import { longestCell, mostColumns } from '../tables/excel-limits.ts';
import type { Cell, MergedRange, SheetRow } from '../tables/row.ts';
import { countMatches, edgesOf, fieldOfHeader, folded, mayBeAmong } from './headers.ts';
import { shownText, trimmedText } from './reading.ts';

export interface HeaderRow {
  /** Excel's number of the header row. Data begins below it. */
  readonly number: number;
  readonly headers: readonly (string | null)[];
  readonly width?: number | undefined;
}

/** As many as those whose merged cells are read. */
export const rowsToSearch = 50;
/** Of very wide rows, fewer are searched, because each cell is matched with each field. */
const cellsToSearch = 20 * mostColumns;

export function findHeaderRow(
  kind: RecordKind,
  rows: readonly SheetRow[],
  merges: readonly MergedRange[],
): HeaderRow | null {
  const headersIn: HeadersIn = (row, above) => headersOf(kind, row, above, merges);
  return bestHeaderRow(rows, headersIn, ({ headers }) => countMatches(kind, headers));
}

type HeadersIn = (row: SheetRow, above: SheetRow | undefined) => HeaderRow['headers'];

/** @returns the first of the best rows, or `null` for an empty sheet */
export function bestHeaderRow(
  rows: readonly SheetRow[],
  headersIn: HeadersIn,
  goodness: (header: HeaderRow) => number,
): HeaderRow | null {
  let best: readonly [header: HeaderRow, goodness: number] | null = null;
  let cells = 0;
  for (const [position, row] of rows.slice(0, rowsToSearch).entries()) {
    cells += row.values.length;
    if (cells > cellsToSearch) break;
    const header = { number: row.number, width: row.width, headers: headersIn(row, rows[position - 1]) };
    const good = goodness(header);
    if (best === null || good > best[1]) best = [header, good];
  }
  return best?.[0] ?? null;
}

/** How a text above reaches a header: merged over some of the headers, directly above, or assumed from further left. */
type Reach = 'merged' | 'above' | 'assumed';

/** Puts the text above in front of a header if both together name another field, or if it is merged and none is named. */
function headersOf(
  kind: RecordKind,
  row: SheetRow,
  above: SheetRow | undefined,
  merges: readonly MergedRange[],
): (string | null)[] {
  return headersBelow(row, above, merges, (own, group, reach) => {
    const [field, alone] = [fieldOfHeader(kind, `${group} ${own}`), fieldOfHeader(kind, own)];
    if (field === null && alone === null && reach === 'merged') return `${group} ${own}`;
    if (field === null || field === alone) return own;
    const isAnother = reach === 'assumed' && alone !== null && !areOfOneSort(field, alone);
    return isAnother ? own : `${group} ${own}`;
  });
}

/** True for the SSN of two owners, but not for a Ref and a company's Ref. */
function areOfOneSort(one: Field, other: Field): boolean {
  const areValues = one.place === 'body' && other.place === 'body';
  return areValues && one.segments.at(-1) === other.segments.at(-1);
}

/**
 * The headers of a row. A cell merged with the one above has its text. Without merges, as in CSV, a text above may span
 * all columns up to the next text.
 * @param joined a header with the text above it
 */
export function headersBelow(
  row: SheetRow,
  above: SheetRow | undefined,
  merges: readonly MergedRange[],
  joined: (own: string, group: string, reach: Reach) => string,
): (string | null)[] {
  const texts = headerTexts(row);
  if (above?.number !== row.number - 1) return [...texts];
  const textsAbove = headerTexts(above);
  const over = mergesIn(merges, above.number - 1);
  const reaching = [...over.keys()].filter((column) => (over.get(column)?.lastRow ?? 0) >= row.number - 1);
  const width = Math.max(texts.length, 1 + Math.max(-1, ...reaching));
  const headed = [...texts.keys()].filter((column) => texts[column] !== null).concat(reaching);
  const [first, last] = [Math.min(...headed), Math.max(...headed)];
  let begun: string | null = null;
  return Array.from({ length: width }, (_, column) => {
    const range = over.get(column);
    const top = textsAbove[range?.firstColumn ?? column] ?? null;
    if (range !== undefined) begun = null;
    else begun = top ?? begun;
    if (range !== undefined && range.lastRow >= row.number - 1) return column === range.firstColumn ? top : null;
    const own = texts[column] ?? null;
    const group = top ?? begun;
    // What is merged over all headers is a title.
    const isMerged = range !== undefined && (range.firstColumn > first || range.lastColumn < last);
    return own === null || group === null || standsAlone.test(own)
      ? own
      : joined(own, group, isMerged ? 'merged' : top === null ? 'assumed' : 'above');
  });
}

/** In parentheses or braces. */
const standsAlone = /^[({].*[)}]$/;

/** The merged cell of a row that covers each column. */
function mergesIn(merges: readonly MergedRange[], row: number): ReadonlyMap<number, MergedRange> {
  const found = new Map<number, MergedRange>();
  for (const range of merges) {
    const { firstRow, lastRow, firstColumn, lastColumn } = range;
    // Merged cells never overlap, so a range that begins within another is ignored.
    if (firstRow > row || lastRow < row || found.has(firstColumn)) continue;
    const last = Math.min(lastColumn, mostColumns - 1);
    for (let column = firstColumn; column <= last && !found.has(column); column += 1) found.set(column, range);
  }
  return found;
}

/** Cached, because each row is examined for every kind, also as the row above. */
const headerTexts = oncePer((row: SheetRow) => row.values.map(headerText));

export function headerText(cell: Cell | undefined): string | null {
  if (cell === null || cell === undefined) return null;
  // Limited, because each header is matched in every possible way.
  const text = shownText(cell).slice(0, longestCell).replace(/\s+/g, ' ').trim();
  return text === '' ? null : text;
}

/** One cell may name a field by chance, but two fields in one row are headers. */
const fewestNames = 2;
const longestName = 200;

export type HeaderRowTest = (row: SheetRow) => boolean;

/** Returns a test of whether a row names different columns: in half of its values, or in most if they are of other kinds. */
export function headerRowTest(kind: RecordKind, headers: readonly string[], columns: number): HeaderRowTest {
  const own = knownBy(headers.map((header) => [folded(header), [header]]));
  // With a single column, the name of another field may be a value.
  const known = columns < fewestNames ? [own] : [fieldNames(recordKinds), own];
  const fewest = Math.min(fewestNames, columns);
  const nameIn = (text: string): string | null => {
    if (text.length > longestName || !known.some(({ edges }) => mayBeAmong(edges, text))) return null;
    const written = folded(text);
    return known.find(({ names }) => names.has(written))?.names.get(written) ?? null;
  };
  const isOwn = (text: string) => own.names.has(folded(text)) || fieldOfHeader(kind, text) !== null;
  return ({ values }) => {
    const said = new Map<string, string>();
    let others = 0;
    for (const cell of values) {
      const text = trimmedText(cell);
      if (text === '') continue;
      const name = nameIn(text);
      if (name !== null) {
        said.set(name, text);
        continue;
      }
      others += 1;
      // Numbers, amounts and dates stand in rows of data.
      if (others * 2 > values.length || (/\d/.test(text) && !/\p{L}/u.test(text))) return false;
    }
    // A few names of fields of other kinds may well be values.
    return said.size >= Math.max(fewest, others * ([...said.values()].filter(isOwn).length >= fewest ? 1 : 3));
  };
}

function knownBy(meanings: readonly (readonly [meaning: string, names: readonly string[]])[]) {
  const known = meanings.flatMap(([meaning, names]) => names.map((name) => [folded(name), meaning] as const));
  const names = new Map(known.filter(([name]) => name !== ''));
  return { names, edges: new Set([...names.keys()].map(edgesOf)) };
}

const fieldNames = oncePer((kinds: readonly RecordKind[]) =>
  knownBy(kinds.flatMap(fieldsOf).map(({ path, headers }) => [path, [path, ...headers]])),
);
