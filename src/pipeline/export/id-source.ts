/** The ids of an export: from the command line, or from a column of a file, which may be the results of an import. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import { shownText } from '../../mapping/reading.ts';
import { kindOfSheetName } from '../../mapping/sheet-kind.ts';
import type { Cell } from '../../sheets/cell.ts';
import { undefuse } from '../../sheets/csv/formula-defusing.ts';
import { openSource } from '../../sheets/open-source.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import { areResultHeaders } from '../held-rows.ts';
import { folded } from './columns.ts';

export type RecordsWanted = 'deals' | 'companies';

export interface FoundIds {
  /** Each id once, in the order of the file. */
  readonly ids: readonly string[];
  readonly notices: readonly string[];
}

const usualHeaders: Readonly<Record<RecordsWanted, readonly string[]>> = {
  deals: ['dealid', 'id', 'deal'],
  companies: ['companyid', 'companytoupdate', 'id', 'company'],
};
/** Which column of a results sheet holds the ids, by the kind of the sheet. */
const resultHeaders: Readonly<Record<RecordsWanted, Readonly<Record<string, string>>>> = {
  deals: { deals: 'id' },
  companies: { companies: 'id', 'company-updates': 'id', deals: 'companyid', leads: 'companyid' },
};
const longestExactNumber = 15;

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
    let columns = 0;
    let repeated = 0;
    for (const sheet of source.sheets) {
      const ids = await idsOfSheet(sheet, wanted, column, source.format);
      if (ids === null) continue;
      columns += 1;
      repeated += ids.length - new Set(ids).size;
      for (const id of ids) found.push(id);
    }
    if (columns === 0) throw noColumn(source, path, column, wanted);
    const notices = repeated === 0 ? [] : [`${repeated} rows name an id that stood before: each is read once.`];
    return { ids: [...new Set(found)], notices };
  } finally {
    await source.close();
  }
}

/** Splits `FILE:COLUMN`; the column is `null` where none is named. */
export function fileAndColumn(text: string): { path: string; column: string | null } {
  const place = text.lastIndexOf(':');
  if (place <= 1 || existsSync(text)) return { path: text, column: null };
  return { path: text.slice(0, place), column: text.slice(place + 1) };
}

async function idsOfSheet(
  sheet: SourceSheet,
  wanted: RecordsWanted,
  column: string | null,
  format: Source['format'],
): Promise<readonly string[] | null> {
  let place: number | null = null;
  const ids: string[] = [];
  for await (const row of sheet.rows()) {
    if (place === null) {
      const headers = row.cells.map((cell) => (typeof cell === 'string' ? cell : null));
      place = columnIn(headers, sheet.name, wanted, column);
      if (place !== null) continue;
      if (!isBareList(row.cells, column)) return null;
      place = 0;
    }
    const id = idIn(row.cells[place] ?? null, `${sheet.name}, row ${row.number}`, format);
    if (id !== '') ids.push(id);
  }
  return place === null ? null : ids;
}

function columnIn(
  headers: readonly (string | null)[],
  sheet: string,
  wanted: RecordsWanted,
  column: string | null,
): number | null {
  const names = headers.map((header) => folded((header ?? '').replace(/\s*\*$/, '')));
  const at = (name: string): number | null => (names.includes(name) ? names.indexOf(name) : null);
  if (column !== null) return at(folded(column));
  if (areResultHeaders(headers)) {
    const name = resultHeaders[wanted][kindOfSheetName(sheet)?.name ?? ''];
    return name === undefined ? null : at(name);
  }
  for (const name of usualHeaders[wanted]) {
    const found = at(name);
    if (found !== null) return found;
  }
  return null;
}

/** One column without a header, whose first cell is an id itself. */
function isBareList(cells: readonly Cell[], column: string | null): boolean {
  const [only] = cells;
  return column === null && cells.length === 1 && only !== null && only !== undefined && /\d/.test(shownText(only));
}

function idIn(cell: Cell, where: string, format: Source['format']): string {
  if (cell === null) return '';
  const text = shownText(cell).trim();
  const isRounded =
    typeof cell !== 'string' && cell.kind === 'number' && text.replace(/\D/g, '').length > longestExactNumber;
  if (isRounded || /^\d+(\.\d+)?e\+\d+$/i.test(text)) {
    throw new DealsheetError(
      'unreadable-source',
      `${where}: the id ${text} is a number with more digits than a spreadsheet keeps: the last ones are lost.`,
      'Format the column as text and put the whole ids in again.',
    );
  }
  return format === 'csv' ? undefuse(text) : text;
}

function noColumn(source: Source, path: string, column: string | null, wanted: RecordsWanted): DealsheetError {
  const what = column === null ? `a column of ${wanted === 'deals' ? 'deal' : 'company'} ids` : `a column "${column}"`;
  const where =
    source.sheets.length > 1 ? `any of the sheets ${source.sheets.map(({ name }) => name).join(', ')}` : 'it';
  return new DealsheetError(
    'usage',
    `${basename(path)} has not ${what} in ${where}.`,
    `Name the column: --ids "${basename(path)}:Column".`,
  );
}
