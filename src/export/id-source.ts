/** The ids of an export: from the command line, or from a column of a file, which may be the results of an import. */

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { DealsheetError } from '../errors.ts';
import { countMatches, folded } from '../mapping/headers.ts';
import { shownText, withoutUnseen } from '../mapping/reading.ts';
import { kindOfSheetName } from '../mapping/sheet-kind.ts';
import { shortened } from '../messages/shown-value.ts';
import type { Cell } from '../sheets/cell.ts';
import { undefuse } from '../sheets/csv/formula-defusing.ts';
import { excelDigits } from '../sheets/excel-limits.ts';
import { openSource } from '../sheets/open-source.ts';
import { allCells, cellAt, widthOf } from '../sheets/row.ts';
import type { Source, SourceSheet } from '../sheets/source.ts';
import { areResultHeaders } from '../staging/own-columns.ts';
import { firstRowsOf, serviceInSummary } from '../staging/source/sheets-to-read.ts';
import { resultColumns } from '../workbooks/results.ts';
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
const mostHeadersShown = 20;
const usualHeaders: Readonly<Record<RecordsWanted, readonly string[]>> = {
  deals: ['dealid', 'id', 'deal'],
  companies: ['companyid', 'companytoupdate', 'id', 'company'],
};
/** Which column of a results sheet holds the ids, by the kind of the sheet. */
const resultHeaders: Readonly<Record<RecordsWanted, Readonly<Partial<Record<RecordKindName, string>>>>> = {
  deals: { deals: 'id' },
  companies: { deals: 'companyid', leads: 'companyid', companies: 'id', 'company-updates': 'id' },
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
    const ids = new Set<string>();
    const repeated = new Set<string>();
    const read: SheetOfIds[] = [];
    let resultsOf: string | null = null;
    for (const sheet of source.sheets) {
      resultsOf ??= serviceInSummary(await firstRowsOf(sheet, rowsOfFacts));
      const found = await idsOfSheet(sheet, wanted, column, source.format);
      read.push(found);
      // Those of several sheets may be of one company.
      const met = new Set<string>();
      for (const id of found.ids ?? []) if (met.size === met.add(id).size) repeated.add(id);
      for (const id of met) ids.add(id);
    }
    if (read.every((sheet) => sheet.ids === null)) throw noColumn(read, path, column, wanted);
    const { size } = repeated;
    const told = size === 1 ? '1 id stands more than once: it is' : `${size} ids stand more than once: each is`;
    return { ids: [...ids], notices: size === 0 ? [] : [`${told} read once.`], resultsOf };
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

interface SheetOfIds {
  readonly sheet: string;
  readonly headers: readonly string[];
  /** `null` where it has no column of ids. */
  readonly ids: readonly string[] | null;
}

async function idsOfSheet(
  sheet: SourceSheet,
  wanted: RecordsWanted,
  column: string | null,
  format: Source['format'],
): Promise<SheetOfIds> {
  const ids: string[] = [];
  let headers: readonly (string | null)[] = [];
  let place: number | null = null;
  for await (const row of sheet.rows()) {
    if (place === null) {
      headers = allCells(row).map((cell) => (typeof cell === 'string' ? cell : null));
      const names = headers.map((header) => folded((header ?? '').replace(/\s*\*$/, '')));
      const known = headersOf(headers, sheet.name, wanted, column).find((name) => names.includes(name));
      // One column without a header, whose first cell is an id itself.
      const isBare = column === null && widthOf(row) === 1 && /\d/.test(shownText(cellAt(row, 0) ?? ''));
      if (known === undefined && !isBare) break;
      place = known === undefined ? 0 : names.indexOf(known);
      if (known !== undefined) continue;
    }
    const id = idIn(cellAt(row, place), `${sheet.name}, row ${row.number}`, format);
    if (id !== '') ids.push(id);
  }
  return { sheet: sheet.name, headers: headers.filter(isHeader), ids: place === null ? null : ids };
}

/** The headers under which the ids may stand, the likeliest first. */
function headersOf(
  headers: readonly (string | null)[],
  sheet: string,
  wanted: RecordsWanted,
  column: string | null,
): readonly string[] {
  if (column !== null) return [folded(column)];
  if (!areResultHeaders(headers)) return usualHeaders[wanted];
  const own = headers.slice(resultColumns.length);
  const named = kindOfSheetName(sheet);
  const matches = recordKinds.map((kind) => countMatches(kind, own));
  const kinds = named === null ? recordKinds.filter((_, index) => matches[index] === Math.max(...matches)) : [named];
  return Object.entries(resultHeaders[wanted]).flatMap(([kind, header]) =>
    kinds.some(({ name }) => name === kind) ? [header] : [],
  );
}

/** What a person would call a header: not the values of a row that stands where headers are looked for. */
function isHeader(text: string | null): text is string {
  return text !== null && text.trim() !== '' && !/\d{4}/.test(text);
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

function noColumn(
  without: readonly SheetOfIds[],
  path: string,
  column: string | null,
  wanted: RecordsWanted,
): DealsheetError {
  const what = column === null ? `column of ${wanted === 'deals' ? 'deal' : 'company'} ids` : `column "${column}"`;
  const headers = without.flatMap((sheet) => sheet.headers).slice(0, mostHeadersShown);
  const told =
    without.length > 1
      ? ` in any of the sheets ${without.map(({ sheet }) => sheet).join(', ')}.`
      : headers.length === 0
        ? '. Its first row holds no headers: take away what stands above them.'
        : `. It has the columns ${headers.map((header) => `"${shortened(header)}"`).join(', ')}.`;
  return new DealsheetError(
    'usage',
    `${basename(path)} has no ${what}${told}`,
    `Name the column: --ids "${basename(path)}:Column".`,
  );
}
