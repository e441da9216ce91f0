/** The ids of an export: from the command line, or from a column of a file, which may be the results of an import. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { DealsheetError } from '../errors.ts';
import { countMatches } from '../mapping/headers.ts';
import { shownText, withoutUnseen } from '../mapping/reading.ts';
import { kindOfSheetName } from '../mapping/sheet-kind.ts';
import { shortened } from '../messages/shown-value.ts';
import type { Cell } from '../sheets/cell.ts';
import { undefuse } from '../sheets/csv/formula-defusing.ts';
import { excelDigits } from '../sheets/excel-digits.ts';
import { openSource } from '../sheets/open-source.ts';
import type { Source, SourceSheet } from '../sheets/source.ts';
import { areResultHeaders } from '../staging/own-columns.ts';
import { serviceInSummary } from '../staging/source/service-in-summary.ts';
import { firstRowsOf } from '../staging/source/sheets-to-read.ts';
import { resultColumns } from '../workbooks/results.ts';
import { folded } from './columns.ts';
import type { RecordsWanted } from './export-options.ts';

export interface FoundIds {
  /** Each id once, in the order of the file. */
  readonly ids: readonly string[];
  readonly notices: readonly string[];
  /** The address of the service whose results their file holds; `null` for any other file. */
  readonly resultsOf: string | null;
}

/** The facts of a load stand at the top of its Summary. */
const rowsOfFacts = 20;
const usualHeaders: Readonly<Record<RecordsWanted, readonly string[]>> = {
  deals: ['dealid', 'id', 'deal'],
  companies: ['companyid', 'companytoupdate', 'id', 'company'],
};
/** Which column of a results sheet holds the ids, by the kind of the sheet. */
const resultHeaders: Readonly<Record<RecordsWanted, Readonly<Partial<Record<RecordKindName, string>>>>> = {
  deals: { deals: 'id' },
  companies: { companies: 'id', 'company-updates': 'id', deals: 'companyid', leads: 'companyid' },
};

/**
 * @param text  `FILE` or `FILE:COLUMN`
 * @throws DealsheetError `usage` when no column of ids is found; `unreadable-source` for a file that is no table
 */
export async function idsOfFile(text: string, wanted: RecordsWanted): Promise<FoundIds> {
  const { path, column } = fileAndColumn(text);
  if (!existsSync(path))
    throw new DealsheetError('usage', `There is no file ${path}.`, 'Correct the path given with --ids.');
  const source = await openSource(path, { name: basename(path), encoding: null, delimiter: null });
  try {
    const found: string[] = [];
    const without: SheetWithout[] = [];
    const repeated = new Set<string>();
    let resultsOf: string | null = null;
    for (const sheet of source.sheets) {
      resultsOf ??= serviceInSummary(await firstRowsOf(sheet, rowsOfFacts));
      const ids = await idsOfSheet(sheet, wanted, column, source.format);
      if (!Array.isArray(ids)) {
        without.push(ids);
        continue;
      }
      for (const id of repeatedIn(ids)) repeated.add(id);
      for (const id of ids) found.push(id);
    }
    if (without.length === source.sheets.length) throw noColumn(without, path, column, wanted);
    return { ids: [...new Set(found)], notices: noticesOf(repeated.size), resultsOf };
  } finally {
    await source.close();
  }
}

function noticesOf(repeated: number): readonly string[] {
  if (repeated === 0) return [];
  return repeated === 1
    ? ['1 id stands more than once: it is read once.']
    : [`${repeated} ids stand more than once: each is read once.`];
}

/** Of the ids of one sheet: those of several sheets may be of one company. */
function repeatedIn(ids: readonly string[]): ReadonlySet<string> {
  const met = new Set<string>();
  return new Set(ids.filter((id) => met.size === met.add(id).size));
}

/** Splits `FILE:COLUMN`; the column is `null` where none is named. */
export function fileAndColumn(text: string): { path: string; column: string | null } {
  const place = text.lastIndexOf(':');
  if (place <= 1 || existsSync(text)) return { path: text, column: null };
  return { path: text.slice(0, place), column: text.slice(place + 1) };
}

interface IdColumn {
  readonly place: number;
  readonly ids: string[];
}

/** A sheet that has no column of ids. */
interface SheetWithout {
  readonly sheet: string;
  readonly headers: readonly string[];
}

async function idsOfSheet(
  sheet: SourceSheet,
  wanted: RecordsWanted,
  column: string | null,
  format: Source['format'],
): Promise<string[] | SheetWithout> {
  let found: readonly IdColumn[] | null = null;
  for await (const row of sheet.rows()) {
    if (found === null) {
      const headers = row.cells.map((cell) => (typeof cell === 'string' ? cell : null));
      found = columnsIn(headers, sheet.name, wanted, column).map((place) => ({ place, ids: [] }));
      if (found.length > 0) continue;
      if (!isBareList(row.cells, column)) return { sheet: sheet.name, headers: headers.filter(isHeader) };
      found = [{ place: 0, ids: [] }];
    }
    for (const { place, ids } of found) {
      const id = idIn(row.cells[place] ?? null, `${sheet.name}, row ${row.number}`, format);
      if (id !== '') ids.push(id);
    }
  }
  if (found === null) return { sheet: sheet.name, headers: [] };
  return found.find(({ ids }) => ids.length > 0)?.ids ?? [];
}

/** What a person would call a header: not the values of a row that stands where headers are looked for. */
function isHeader(text: string | null): text is string {
  return text !== null && text.trim() !== '' && !/\d{4}/.test(text);
}

/** The columns that may hold the ids, the likeliest first; none when there is none. */
function columnsIn(
  headers: readonly (string | null)[],
  sheet: string,
  wanted: RecordsWanted,
  column: string | null,
): readonly number[] {
  const names = headers.map((header) => folded((header ?? '').replace(/\s*\*$/, '')));
  const at = (name: string): number[] => (names.includes(name) ? [names.indexOf(name)] : []);
  if (column !== null) return at(folded(column));
  if (areResultHeaders(headers)) return resultColumnsOf(wanted, kindsOfResults(sheet, headers)).flatMap(at);
  return usualHeaders[wanted].flatMap(at).slice(0, 1);
}

/** The column of the company beside a deal comes first: where the rows are companies themselves, it is blank. */
function resultColumnsOf(wanted: RecordsWanted, kinds: readonly RecordKindName[]): readonly string[] {
  const named = kinds.flatMap((kind) => resultHeaders[wanted][kind] ?? []);
  return ['companyid', 'id'].filter((name) => named.includes(name));
}

/** The kinds that a results sheet may be of: by its name, else by the person's own headers, else any. */
function kindsOfResults(sheet: string, headers: readonly (string | null)[]): readonly RecordKindName[] {
  const named = kindOfSheetName(sheet);
  if (named !== null) return [named.name];
  const own = headers.slice(resultColumns.length);
  const matches = recordKinds.map((kind) => countMatches(kind, own));
  const most = Math.max(...matches);
  return recordKinds.filter((_, index) => matches[index] === most).map(({ name }) => name);
}

/** One column without a header, whose first cell is an id itself. */
function isBareList(cells: readonly Cell[], column: string | null): boolean {
  const [only] = cells;
  return column === null && cells.length === 1 && only !== null && only !== undefined && /\d/.test(shownText(only));
}

function idIn(cell: Cell, where: string, format: Source['format']): string {
  if (cell === null) return '';
  const text = withoutUnseen(shownText(cell)).trim();
  const isRounded = typeof cell !== 'string' && cell.kind === 'number' && text.replace(/\D/g, '').length > excelDigits;
  if (isRounded || /^\d+(\.\d+)?e\+\d+$/i.test(text)) {
    throw new DealsheetError(
      'unreadable-source',
      `${where}: the id ${text} is a number with more digits than a spreadsheet keeps: the last ones are lost.`,
      'Format the column as text and put the whole ids in again.',
    );
  }
  return format === 'csv' ? undefuse(text) : text;
}

const mostHeadersShown = 20;

function noColumn(
  without: readonly SheetWithout[],
  path: string,
  column: string | null,
  wanted: RecordsWanted,
): DealsheetError {
  const what = column === null ? `column of ${wanted === 'deals' ? 'deal' : 'company'} ids` : `column "${column}"`;
  const several = without.length > 1;
  const where = several ? ` in any of the sheets ${without.map(({ sheet }) => sheet).join(', ')}` : '';
  const columns = without
    .filter(({ headers }) => headers.length > 1 || !several)
    .map(({ sheet, headers }) => {
      if (headers.length === 0) return 'Its first row holds no headers: take away what stands above them.';
      const more = headers.length > mostHeadersShown ? ', …' : '';
      const shown = headers.slice(0, mostHeadersShown).map((header) => `"${shortened(header)}"`);
      return `${several ? `The sheet ${sheet}` : 'It'} has the columns ${shown.join(', ')}${more}.`;
    });
  return new DealsheetError(
    'usage',
    [`${basename(path)} has no ${what}${where}.`, ...columns].join(' '),
    `Name the column: --ids "${basename(path)}:Column".`,
  );
}
