/** Where the headers stand, mostly in row 1 and sometimes below a title or in two rows; and whether a row further down is one again. */
import { type Field, fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { oncePer } from '../once.ts';
import type { Cell, MergedRange } from '../sheets/cell.ts';
import { longestCell, mostColumns } from '../sheets/excel-limits.ts';
import { allCells, type SheetRow } from '../sheets/row.ts';
import { countMatches, edgesOf, fieldOfHeader, folded, mayBeAmong } from './headers.ts';
import { isBlank, shownText } from './reading.ts';

export interface HeaderRow {
  /** Excel's number of the row that holds the headers; data begins below it. */
  readonly number: number;
  readonly headers: readonly (string | null)[];
  readonly width?: number | undefined;
}

export const rowsToSearch = 20;

export function findHeaderRow(
  kind: RecordKind,
  rows: readonly SheetRow[],
  merges: readonly MergedRange[],
): HeaderRow | null {
  const headersIn: HeadersIn = (row, above) => headersOf(kind, row, above, merges);
  return bestHeaderRow(rows, headersIn, ({ headers }) => countMatches(kind, headers));
}

type HeadersIn = (row: SheetRow, above: SheetRow | undefined) => HeaderRow['headers'];

/** @returns the first of those that are best, or `null` when the sheet is empty */
export function bestHeaderRow(
  rows: readonly SheetRow[],
  headersIn: HeadersIn,
  goodness: (header: HeaderRow) => number,
): HeaderRow | null {
  let best: readonly [header: HeaderRow, goodness: number] | null = null;
  for (const [position, row] of rows.slice(0, rowsToSearch).entries()) {
    const header = { number: row.number, width: row.width, headers: headersIn(row, rows[position - 1]) };
    const good = goodness(header);
    if (best === null || good > best[1]) best = [header, good];
  }
  return best?.[0] ?? null;
}

/** Over several columns, right above one, or further left in a row of which nothing is merged there. */
type Reach = 'merged' | 'above' | 'assumed';

/** A cell above goes in front of a header that names another field with it. */
function headersOf(
  kind: RecordKind,
  row: SheetRow,
  above: SheetRow | undefined,
  merges: readonly MergedRange[],
): (string | null)[] {
  return headersBelow(row, above, merges, (own, group, reach) => {
    const [field, alone] = [fieldOfHeader(kind, `${group} ${own}`), fieldOfHeader(kind, own)];
    if (field === null || field === alone) return own;
    const isAnother = reach === 'assumed' && alone !== null && !areOfOneSort(field, alone);
    return isAnother ? own : `${group} ${own}`;
  });
}

/** The SSN of one owner and of another, but not a Ref and that of a company. */
function areOfOneSort(one: Field, other: Field): boolean {
  const areValues = one.place === 'body' && other.place === 'body';
  return areValues && one.segments.at(-1) === other.segments.at(-1);
}

/**
 * The headers of a row. One that is merged with the cell above has the text of that. Where nothing is merged, as in CSV, a text above
 * may stand over all columns up to the next one.
 *
 * @param joined  a header with the text above it
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
  let begun: string | null = null;
  return Array.from({ length: width }, (_, column) => {
    const range = over.get(column);
    const top = textsAbove[range?.firstColumn ?? column] ?? null;
    if (range !== undefined) begun = null;
    else begun = top ?? begun;
    if (range !== undefined && range.lastRow >= row.number - 1) return column === range.firstColumn ? top : null;
    const own = texts[column] ?? null;
    const group = top ?? begun;
    const isMerged = range !== undefined && range.lastColumn > range.firstColumn;
    return own === null || group === null
      ? own
      : joined(own, group, isMerged ? 'merged' : top === null ? 'assumed' : 'above');
  });
}

/** Of each column under a merged cell of a row, that cell. */
function mergesIn(merges: readonly MergedRange[], row: number): ReadonlyMap<number, MergedRange> {
  const found = new Map<number, MergedRange>();
  for (const range of merges) {
    const { firstRow, lastRow, firstColumn, lastColumn } = range;
    // Merged cells never overlap: a range that begins within another does not count.
    if (firstRow > row || lastRow < row || found.has(firstColumn)) continue;
    const last = Math.min(lastColumn, mostColumns - 1);
    for (let column = firstColumn; column <= last && !found.has(column); column += 1) found.set(column, range);
  }
  return found;
}

/** A row is looked at for every kind, and so is the one above it. */
const headerTexts = oncePer((row: SheetRow) => allCells(row).map(headerText));

export function headerText(cell: Cell | undefined): string | null {
  if (cell === null || cell === undefined) return null;
  // Each header is looked at in every way that there is.
  const text = shownText(cell).slice(0, longestCell).replace(/\s+/g, ' ').trim();
  return text === '' ? null : text;
}

/** A cell that says one field by chance is no header; two fields in one row are said by headers alone. */
const fewestNames = 2;
const longestName = 200;

export type HeaderRowTest = (row: SheetRow) => boolean;

/** Makes the function that says whether half of what a row says, or more, are headers of different columns. */
export function headerRowTest(kind: RecordKind, headers: readonly string[], columns: number): HeaderRowTest {
  const own = knownBy(headers.map((header) => [folded(header), folded(header)]));
  // In a table of one column, what is a header elsewhere may be a value.
  const known = columns < fewestNames ? [own] : [fieldNames(kind), own];
  const fewest = Math.min(fewestNames, columns);
  const nameIn = (text: string): string | null => {
    if (text.length > longestName || !known.some(({ edges }) => mayBeAmong(edges, text))) return null;
    const written = folded(text);
    return known.find(({ names }) => names.has(written))?.names.get(written) ?? null;
  };
  return ({ values }) => {
    const said: string[] = [];
    let others = 0;
    for (const cell of values) {
      if (isBlank(cell)) continue;
      const name = typeof cell === 'string' ? nameIn(cell) : null;
      if (name === null) others += 1;
      else if (!said.includes(name)) said.push(name);
      if (others * 2 > values.length) return false;
    }
    return said.length >= fewest && said.length >= others;
  };
}

interface KnownNames {
  readonly names: ReadonlyMap<string, string>;
  readonly edges: ReadonlySet<string>;
}

function knownBy(meanings: readonly (readonly [name: string, meaning: string])[]): KnownNames {
  const names = new Map(meanings.filter(([name]) => name !== ''));
  return { names, edges: new Set([...names.keys()].map(edgesOf)) };
}

const fieldNames = oncePer((kind: RecordKind) =>
  knownBy(
    fieldsOf(kind).flatMap(({ path, headers }) => [path, ...headers].map((name) => [folded(name), path] as const)),
  ),
);
