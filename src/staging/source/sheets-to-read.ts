/** Chooses the sheets to read: all but Dealsheet's own sheets without rows, and those that a person leaves out. */
import { headerText, rowsToSearch } from '../../mapping/header-row.ts';
import { folded, type IgnoredNames } from '../../mapping/headers.ts';
import { isBlank, trimmedText } from '../../mapping/reading.ts';
import { errorOf } from '../../messages/text.ts';
import { cellAt, type SheetRow } from '../../tables/row.ts';
import type { Source, SourceSheet } from '../../tables/source.ts';
import { resultColumns, resultsProperty } from '../../workbooks/results.ts';
import { kindColumns, serviceFact, summaryTitles } from '../../workbooks/summary.ts';
import { guideTitle } from '../../workbooks/template.ts';
import { listsTitle } from '../../workbooks/template-sheet.ts';
import { areResultHeaders, ownColumnsIn } from '../own-columns.ts';

export interface SheetChoice {
  /** The one sheet to read, or `null` for all. */
  readonly sheet: string | null;
  readonly ignoredSheets: IgnoredNames;
}

export interface SheetBeginning {
  readonly sheet: SourceSheet;
  readonly name: string;
  readonly rows: readonly SheetRow[];
}

/** @throws DealsheetError `unmatched-columns` when the chosen sheet is missing; `unreadable-source` for a guide or a Summary alone */
export async function sheetsToRead(
  source: Source,
  { sheet: chosen, ignoredSheets: ignored }: SheetChoice,
  count = rowsToSearch,
): Promise<readonly SheetBeginning[]> {
  const all: SheetBeginning[] = [];
  for (const sheet of source.sheets) all.push({ sheet, name: sheet.name, rows: await firstRowsOf(sheet, count) });
  const [only, second] = all;
  if (only !== undefined && second === undefined && isOurs(only))
    throw errorOf('only-own-sheet', { title: firstCellOf(only) });
  if (chosen !== null) {
    needSheet(source, chosen);
    return all.filter(({ name }) => folded(name) === folded(chosen));
  }
  const isIgnored = (name: string) => ignored !== 'all' && ignored.some((one) => folded(one) === folded(name));
  return all.filter((sheet) => !isOurs(sheet) && !isIgnored(sheet.name));
}

/** A hidden sheet in templates of earlier versions. */
const stampOfOldTemplates = '_dealsheet';

const ourTitles: readonly string[] = [guideTitle, listsTitle, ...Object.values(summaryTitles)];

/** Dealsheet's own sheets hold no rows to load. Their names do not decide: a person may use them, and programs change them. */
function isOurs(beginning: SheetBeginning): boolean {
  const { name, sheet } = beginning;
  return ourTitles.includes(firstCellOf(beginning)) || (sheet.hidden && name === stampOfOldTemplates);
}

function firstCellOf({ rows: [first] }: SheetBeginning): string {
  return first === undefined ? '' : trimmedText(cellAt(first, 0));
}

/** The first rows that are not blank. */
export async function firstRowsOf(sheet: SourceSheet, count: number): Promise<readonly SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const row of sheet.rows()) {
    if (!row.values.every(isBlank)) rows.push(row);
    if (rows.length === count) break;
  }
  return rows;
}

/** Finds the property that the results writer sets, or the headers if another program dropped it. */
export async function isResultsFile(source: Source): Promise<boolean> {
  if (source.properties[resultsProperty] !== undefined) return true;
  for (const sheet of source.sheets) {
    const [first] = await firstRowsOf(sheet, 1);
    if (first !== undefined && ownColumnsIn(first) > 0) return true;
  }
  return false;
}

/** @throws DealsheetError `unmatched-columns` when the sheet is missing */
export function needSheet({ sheets }: Source, name: string): void {
  if (sheets.some((sheet) => folded(sheet.name) === folded(name))) return;
  throw errorOf('sheet-not-found', { name, names: sheets.map((sheet) => sheet.name) });
}

/** A person's own sheet rarely has this many of these names, including a distinctive one. */
const fewestColumns = 4;
const tellingColumns = ['problems', 'run'];
/** Fewer are enough in a workbook that was written as results. */
const fewestInResults = 2;

/**
 * Refuses a results sheet whose own columns are incomplete or moved. Read as a person's own sheet, it would send
 * committed rows a second time.
 * @throws DealsheetError `unmatched-columns`
 */
export function refuseDisturbedResults(source: Source, sheets: readonly SheetBeginning[]): void {
  const wasWrittenAsResults = source.properties[resultsProperty] !== undefined;
  for (const { name, rows } of sheets) {
    const named = rows.map((row) => row.values.map(headerText));
    const isDisturbed = named.some((headers) => wereResultHeaders(headers, wasWrittenAsResults));
    if (isDisturbed && !named.some(areResultHeaders))
      throw errorOf('results-columns-moved', { name, columns: resultColumns });
  }
}

/** Ignores case. In order at the start of the row, the columns count even without the distinctive ones. */
function wereResultHeaders(headers: readonly (string | null)[], wasWrittenAsResults: boolean): boolean {
  const written = headers.map((header) => header?.toLowerCase());
  const ours = resultColumns.map((name) => name.toLowerCase());
  const found = ours.filter((name) => written.includes(name));
  if (wasWrittenAsResults && found.length >= fewestInResults) return true;
  if (found.length >= fewestColumns && found.some((name) => tellingColumns.includes(name))) return true;
  return ours.filter((name) => !tellingColumns.includes(name)).every((name, index) => written[index] === name);
}

/** The service address in the Summary with this title, by default that of results; `null` for any other sheet. */
export function serviceInSummary(rows: readonly SheetRow[], title?: string): string | null {
  return pairsInSummary(rows, title).find(([name]) => name === serviceFact)?.[1] ?? null;
}

/** The record kind of each sheet in the Summary of a results workbook, or `null` for any other sheet. */
export function kindsInSummary(rows: readonly SheetRow[]): ReadonlyMap<string, string> | null {
  const pairs = pairsInSummary(rows);
  const table = pairs.slice(1 + pairs.findIndex((pair) => pair.every((text, index) => text === kindColumns[index])));
  const end = table.findIndex(([, kind]) => kind === '');
  return pairs.length === 0 ? null : new Map(end < 0 ? table : table.slice(0, end));
}

function pairsInSummary(
  rows: readonly SheetRow[],
  wanted: string = summaryTitles.load,
): readonly (readonly [string, string])[] {
  const [title, ...pairs] = rows.map((row) => [trimmedText(cellAt(row, 0)), trimmedText(cellAt(row, 1))] as const);
  return title?.[0] === wanted ? pairs : [];
}
