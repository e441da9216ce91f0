/** Which sheets of a source are read: all but those that we have made ourselves without rows, and those that a person leaves out. */
import { recordKinds } from '../../contract/record-kinds.ts';
import { DealsheetError } from '../../errors.ts';
import { folded, type IgnoredNames } from '../../mapping/headers.ts';
import { shownText } from '../../mapping/reading.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import { resultsProperty } from '../../workbooks/results.ts';
import { isSummaryName, summaryTitles } from '../../workbooks/results-summary.ts';
import { guideSheetName, guideTitle } from '../../workbooks/template-guide.ts';
import { listsSheetName } from '../../workbooks/template-sheet.ts';
import { stampSheetName } from '../../workbooks/template-stamp.ts';
import { areResultHeaders } from '../own-columns.ts';

export interface SheetChoice {
  /** The one sheet to read, or `null` for all. */
  readonly sheet: string | null;
  readonly ignoredSheets: IgnoredNames;
}

/**
 * @throws DealsheetError `unmatched-columns` when the file has no sheet of the chosen name; `unreadable-source` when it is the
 *   guide of a template alone
 */
export async function sheetsToRead(source: Source, choice: SheetChoice): Promise<readonly SourceSheet[]> {
  const [only, second] = source.sheets;
  if (only !== undefined && second === undefined && (await beginsWith(only, [guideTitle]))) throw guideAlone();
  if (choice.sheet !== null) return chosenSheets(source, choice.sheet);
  const ours = await sheetsWithoutRows(source);
  const { ignoredSheets: ignored } = choice;
  return source.sheets.filter(
    (sheet) => !ours.has(sheet) && (ignored === 'all' || !ignored.some((name) => folded(name) === folded(sheet.name))),
  );
}

/** The first rows of a sheet that hold anything. */
export async function firstRowsOf(sheet: SourceSheet, count: number): Promise<readonly SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const row of sheet.rows()) {
    rows.push(row);
    if (rows.length === count) break;
  }
  return rows;
}

/** A results file is known by the property that its writer stamped on it, or, where a program lost that, by its headers. */
export async function isResultsFile(source: Source): Promise<boolean> {
  if (source.properties[resultsProperty] !== undefined) return true;
  for (const sheet of source.sheets) {
    const [first] = await firstRowsOf(sheet, 1);
    if (first !== undefined && areResultHeaders(first.cells.map((cell) => (typeof cell === 'string' ? cell : null))))
      return true;
  }
  return false;
}

/** @throws DealsheetError `unmatched-columns` when the file has no sheet of that name */
export function refuseUnknownSheet(source: Source, name: string): void {
  chosenSheets(source, name);
}

function chosenSheets(source: Source, name: string): readonly SourceSheet[] {
  const found = source.sheets.filter((sheet) => folded(sheet.name) === folded(name));
  if (found.length > 0) return found;
  throw new DealsheetError(
    'unmatched-columns',
    `There is no sheet "${name}" in the file.`,
    `Its sheets are: ${source.sheets.map((sheet) => sheet.name).join(', ')}.`,
  );
}

/** Sheets of our own making that hold no rows to load. A name alone does not tell: a person may use it too. */
async function sheetsWithoutRows(source: Source): Promise<ReadonlySet<SourceSheet>> {
  const ours = new Set<SourceSheet>();
  for (const sheet of source.sheets) if (await isOurs(sheet)) ours.add(sheet);
  const isTemplate = [...ours].some(({ name }) => name === guideSheetName || name === stampSheetName);
  const lists = source.sheets.find(({ name }) => name === listsSheetName);
  // Nothing in the lists says whose they are; those of a template are out of sight.
  if (isTemplate && lists?.hidden === true) ours.add(lists);
  return ours;
}

async function isOurs(sheet: SourceSheet): Promise<boolean> {
  const opening = openingOf(sheet.name);
  return opening !== null && beginsWith(sheet, opening);
}

async function beginsWith(sheet: SourceSheet, opening: readonly string[]): Promise<boolean> {
  const [first] = await firstRowsOf(sheet, 1);
  const [cell = null] = first?.cells ?? [];
  return cell !== null && opening.includes(shownText(cell).trim());
}

/** What the first cell says of a sheet that we have made under this name. */
function openingOf(name: string): readonly string[] | null {
  if (name === guideSheetName) return [guideTitle];
  if (name === stampSheetName) return recordKinds.map((kind) => kind.name);
  return isSummaryName(name) ? Object.values(summaryTitles) : null;
}

function guideAlone(): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    'The file is the guide of a template, and has none of its rows: a spreadsheet program saves as CSV the sheet that is in sight.',
    'Give the workbook itself, or open the sheet with the rows in it and save that one as CSV. Nothing was sent.',
  );
}
