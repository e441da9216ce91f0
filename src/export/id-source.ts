/** The ids of an export: from the command line, or from a column of a file such as the results of an import. */

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { countMatches, folded, kindOfSheetName } from '../mapping/headers.ts';
import { trimmedText, withoutUnseen } from '../mapping/reading.ts';
import { lostDigits } from '../mapping/values/identifiers.ts';
import { shownValue } from '../messages/message.ts';
import { errorOf } from '../messages/text.ts';
import { areResultHeaders } from '../staging/own-columns.ts';
import { firstRowsOf, kindsInSummary, serviceInSummary } from '../staging/source/sheets-to-read.ts';
import { undefuse } from '../tables/csv/csv-writer.ts';
import { openSource } from '../tables/open-source.ts';
import { type Cell, cellAt, type SheetRow } from '../tables/row.ts';
import type { Source, SourceSheet } from '../tables/source.ts';
import { resultColumns } from '../workbooks/results.ts';
import type { RecordsWanted } from './export-records.ts';

export interface FoundIds {
  readonly path: string;
  /** Each id once, in file order. */
  readonly ids: readonly string[];
  /** The address of the service whose results the file holds; `null` for any other file. */
  readonly resultsOf: string | null;
}

/** The facts of a load are at the top of its Summary. */
const rowsOfFacts = 20;
const mostHeadersShown = 20;
const usualHeaders: Readonly<Record<RecordsWanted, readonly string[]>> = {
  deals: ['dealid', 'id', 'deal'],
  companies: ['companyid', 'companytoupdate', 'id', 'company'],
};
/** The column of ids in a results sheet, by the kind of the sheet; the first entry when the kind is ambiguous. */
const resultHeaders: Readonly<Record<RecordsWanted, Readonly<Partial<Record<RecordKindName, string>>>>> = {
  deals: { deals: 'id' },
  companies: { deals: 'companyid', leads: 'companyid', companies: 'id', 'company-updates': 'id' },
};

/**
 * @param text  `FILE` or `FILE:COLUMN`
 * @throws DealsheetError `usage` when there is no column of ids; `unreadable-source` for a file that is not a table, or an id that
 * a spreadsheet has shortened
 */
export async function idsOfFile(text: string, wanted: RecordsWanted): Promise<FoundIds> {
  const { path, column } = fileAndColumn(text);
  const source = await openSource(path, { name: basename(path), encoding: null, delimiter: null });
  try {
    const ids = new Set<string>();
    const seen: string[] = [];
    let isFound = false;
    const beginnings: { sheet: SourceSheet; first: readonly SheetRow[] }[] = [];
    for (const sheet of source.sheets)
      beginnings.push({ sheet, first: await firstRowsOf(sheet, rowsOfFacts + source.sheets.length) });
    const inSummary = <Said>(said: (rows: readonly SheetRow[]) => Said | null) =>
      beginnings.map(({ first }) => said(first)).find((one) => one !== null) ?? null;
    const kinds = inSummary(kindsInSummary);
    for (const { sheet, first } of beginnings) {
      const [head] = first;
      if (head === undefined) continue;
      const headers = head.values.map((cell) => (typeof cell === 'string' ? cell : null));
      const names = headers.map((header) => folded((header ?? '').replace(/\s*\*$/, '')));
      const known = headersOf(headers, sheet, wanted, column, kinds?.get(sheet.name.trim()) ?? null).find((name) =>
        names.includes(name),
      );
      // A single column without a header, whose first cell is already an id.
      const isBare = column === null && head.values.length === 1 && /\d/.test(trimmedText(cellAt(head, 0)));
      seen.push(...headers.filter((header) => header !== null));
      if (known === undefined && !isBare) continue;
      isFound = true;
      const place = known === undefined ? 0 : names.indexOf(known);
      for await (const row of sheet.rows()) {
        if (known !== undefined && row.number <= head.number) continue;
        const id = idIn(cellAt(row, place), sheet.name, row.number, source.format);
        if (id !== '') ids.add(id);
      }
    }
    if (!isFound) {
      const headers = seen.slice(0, mostHeadersShown).map((header) => `"${shownValue(header)}"`);
      const what = wanted === 'deals' ? 'deal' : 'company';
      throw errorOf('no-id-column', { file: basename(path), column, what, headers });
    }
    return { path, ids: [...ids], resultsOf: inSummary(serviceInSummary) };
  } finally {
    await source.close();
  }
}

export function fileAndColumn(text: string): { path: string; column: string | null } {
  const place = text.lastIndexOf(':');
  if (place <= 1 || existsSync(text)) return { path: text, column: null };
  return { path: text.slice(0, place), column: text.slice(place + 1) };
}

function headersOf(
  headers: readonly (string | null)[],
  sheet: SourceSheet,
  wanted: RecordsWanted,
  column: string | null,
  declared: string | null,
): readonly string[] {
  if (column !== null) return [folded(column)];
  if (!areResultHeaders(headers)) return usualHeaders[wanted];
  const kinds = declared === null ? guessedKinds(headers.slice(resultColumns.length), sheet.name) : [declared];
  return Object.entries(resultHeaders[wanted]).flatMap(([kind, header]) => (kinds.includes(kind) ? [header] : []));
}

/** The kinds of a results sheet without its Summary. */
function guessedKinds(headers: readonly (string | null)[], sheetName: string): readonly string[] {
  const named = kindOfSheetName(sheetName);
  if (named !== null) return [named.name];
  const matches = recordKinds.map((kind) => countMatches(kind, headers));
  return recordKinds.filter((_, index) => matches[index] === Math.max(...matches)).map(({ name }) => name);
}

function idIn(cell: Cell, sheet: string, row: number, format: Source['format']): string {
  const text = withoutUnseen(trimmedText(cell)).trim();
  const lost = cell === null ? null : lostDigits(cell, text);
  if (lost === null) return format === 'csv' ? undefuse(text) : text;
  throw errorOf('id-shortened', { sheet, row, id: text, lost });
}
