/** What a source holds: which sheet is which kind, where its headers stand, which column is which field. */
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKind, recordKinds } from '../contract/record-kinds.ts';
import { DealsheetError } from '../errors.ts';
import type { Column } from '../mapping/column.ts';
import type { PersonsWord } from '../mapping/column-evidence.ts';
import { findHeaderRow, type HeaderRow, headerText, rowsToSearch } from '../mapping/header-row.ts';
import { countMatches, folded, type IgnoredColumns, matchHeaders } from '../mapping/headers.ts';
import { mappedHeaderRow, rulesFor, wordOf } from '../mapping/mapping-file/mapped-sheet.ts';
import type { SheetMappingRules } from '../mapping/mapping-file/mapping.ts';
import type { NamedMapping } from '../mapping/mapping-file/read-mapping.ts';
import { type RowShape, rowShape } from '../mapping/mapping-file/row-shape.ts';
import { kindInWordsOf, kindOfSheetName } from '../mapping/sheet-kind.ts';
import type { MergedRange, SheetRow } from '../sheets/cell.ts';
import { undefuse } from '../sheets/csv/formula-defusing.ts';
import type { Source, SourceSheet } from '../sheets/source.ts';
import { resultColumns, resultsProperty } from '../workbooks/results.ts';
import { isSummaryName } from '../workbooks/results-summary.ts';
import { guideSheetName } from '../workbooks/template-guide.ts';
import { listsSheetName } from '../workbooks/template-lists.ts';
import { stampSheetName } from '../workbooks/template-stamp.ts';

import { areResultHeaders } from './held-rows.ts';
import { mappingNotices } from './mapping-fit.ts';
import { changesSinceTemplate } from './template-age.ts';

export interface PlannedSheet {
  readonly sheet: SourceSheet;
  readonly name: string;
  readonly kind: RecordKind;
  readonly header: HeaderRow;
  readonly columns: readonly Column[];
  /** How many columns of ours stand in front of the person's own: none, or those of a results sheet. */
  readonly ownColumns: number;
  /** How the rows are brought into the shape of the columns, when a mapping says so. */
  readonly shape: RowShape | null;
  /** What the mapping says of dates and amounts. */
  readonly word: PersonsWord;
}

export interface SourcePlan {
  readonly source: Source;
  /** In the order of the source. */
  readonly sheets: readonly PlannedSheet[];
  /** Whole sentences about how the source was read. */
  readonly notices: readonly string[];
}

export interface PlanOptions {
  /** The kind of every sheet that is read, or `null` to find it out. */
  readonly kind: RecordKind | null;
  /** The one sheet to read, or `null` for all. */
  readonly sheet: string | null;
  readonly ignoredColumns: IgnoredColumns;
  readonly ignoredSheets: IgnoredColumns;
  /** How somebody else's file is read, or `null` for one with our own headers. */
  readonly mapping: NamedMapping | null;
}

/**
 * Finds the kind, the headers and the columns of every sheet.
 *
 * @throws DealsheetError `unmatched-columns` with every sheet and header that found no place; `unreadable-source` for a
 * source without any row
 */
export async function planSource(source: Source, options: PlanOptions): Promise<SourcePlan> {
  const changes = await changesSinceTemplate(source);
  const planned: PlannedSheet[] = [];
  const faults: string[] = [];
  const isResults = await isResultsFile(source);
  const sheets = chosenSheets(source, options).filter((sheet) => !isLeftOut(sheet, options, isResults));
  const ofMapping =
    options.mapping === null
      ? []
      : mappingNotices(
          options.mapping,
          sheets.map(({ name }) => name),
        );
  const notices = [...source.notices, ...ofMapping, ...changes];
  for (const sheet of sheets) {
    const rules = options.mapping === null ? null : rulesFor(options.mapping.mapping, sheet.name, sheets.length === 1);
    const found =
      rules === null
        ? await planSheet(sheet, options, source.format)
        : await planMappedSheet(sheet, rules, source.format);
    if (found === 'empty') continue;
    if ('faults' in found) faults.push(...found.faults);
    else planned.push(found);
    if (sheet.hidden) notices.push(`The sheet ${sheet.name} is hidden. It is read like the others.`);
  }
  if (faults.length > 0) throw unmatched([...faults, ...changes], options.mapping);
  if (planned.length === 0) {
    throw new DealsheetError(
      'unreadable-source',
      'The file holds no rows: there is nothing below the headers.',
      'Fill in at least one row, save the file, and try again.',
    );
  }
  return { source, sheets: planned, notices };
}

/** A results file is known by the property that its writer stamped on it, or, where a program lost that, by its headers. */
async function isResultsFile(source: Source): Promise<boolean> {
  if (source.properties[resultsProperty] !== undefined) return true;
  if (!source.sheets.some(({ name }) => isSummaryName(name))) return false;
  for (const sheet of source.sheets) {
    const [first] = await firstRows(sheet, 1);
    if (first !== undefined && areResultHeaders(first.cells.map((cell) => (typeof cell === 'string' ? cell : null))))
      return true;
  }
  return false;
}

function chosenSheets(source: Source, options: PlanOptions): readonly SourceSheet[] {
  if (options.sheet === null) return source.sheets;
  const wanted = folded(options.sheet);
  const found = source.sheets.filter((sheet) => folded(sheet.name) === wanted);
  if (found.length > 0) return found;
  throw new DealsheetError(
    'unmatched-columns',
    `There is no sheet "${options.sheet}" in the file.`,
    `Its sheets are: ${source.sheets.map((sheet) => sheet.name).join(', ')}.`,
  );
}

/** Sheets of our own making that hold no rows to load. */
const sheetsWithoutRows: ReadonlySet<string> = new Set([guideSheetName, listsSheetName, stampSheetName]);

function isLeftOut(sheet: SourceSheet, options: PlanOptions, isResults: boolean): boolean {
  if (options.sheet !== null) return false;
  if (sheetsWithoutRows.has(sheet.name)) return true;
  if (isResults && isSummaryName(sheet.name)) return true;
  return options.ignoredSheets !== 'all' && options.ignoredSheets.some((name) => folded(name) === folded(sheet.name));
}

type SheetFinding = PlannedSheet | { readonly faults: readonly string[] } | 'empty';

async function planSheet(sheet: SourceSheet, options: PlanOptions, format: Source['format']): Promise<SheetFinding> {
  const rows = await firstRows(sheet, rowsToSearch);
  if (rows.length === 0) return 'empty';
  const kinds = options.kind === null ? recordKinds : [options.kind];
  const merges = kinds.some((kind) => hasPlainHeader(kind, rows)) ? [] : await sheet.mergedHeaderRanges();
  const kind = options.kind ?? kindOf(sheet, rows, merges, options.ignoredColumns);
  if (kind === null || Array.isArray(kind)) {
    if (options.ignoredSheets === 'all') return 'empty';
    return { faults: [unknownSheet(sheet.name, kind, format)] };
  }
  const found = findHeaderRow(kind, rows, merges);
  if (found === null) return 'empty';
  const ownColumns = ownColumnsOf(found);
  const header = { ...found, headers: personsHeaders(found) };
  const matched = matchHeaders(kind, header.headers, options.ignoredColumns);
  if (matched.problems.length > 0) {
    return { faults: matched.problems.map((problem) => `${sheet.name}, row ${header.number}: ${problem.message}`) };
  }
  return {
    ...readable(sheet, format, ownColumns),
    kind,
    header,
    columns: matched.columns,
    shape: null,
    word: { dateOrder: null, decimals: null },
  };
}

function readable(
  sheet: SourceSheet,
  format: Source['format'],
  ownColumns: number,
): Pick<PlannedSheet, 'sheet' | 'name' | 'ownColumns'> {
  const isOwnCsv = format === 'csv' && ownColumns > 0;
  return { sheet: isOwnCsv ? undefused(sheet) : sheet, name: sheet.name, ownColumns };
}

/** A sheet of somebody else's: its columns are those of the mapping, under the names that they have in the sheet. */
async function planMappedSheet(
  sheet: SourceSheet,
  rules: SheetMappingRules,
  format: Source['format'],
): Promise<SheetFinding> {
  const rows = await firstRows(sheet, rowsToSearch);
  const found = mappedHeaderRow(rules, rows, await sheet.mergedHeaderRanges(), ownColumnsIn);
  if (found === null) return 'empty';
  const ownColumns = ownColumnsOf(found);
  const header = { ...found, headers: personsHeaders(found) };
  const kind = recordKind(rules.kind);
  const shape = rowShape(kind, rules, header.headers);
  const place = `${sheet.name}, row ${header.number}`;
  if (!('reshape' in shape)) return { faults: shape.map((fault) => `${place}: ${fault}`) };
  const matched = matchHeaders(kind, shape.headers, []);
  if (matched.problems.length > 0) return { faults: matched.problems.map(({ message }) => `${place}: ${message}`) };
  return {
    ...readable(sheet, format, ownColumns),
    kind,
    header,
    columns: matched.columns.map((column) => ({ ...column, header: header.headers[column.index] ?? column.header })),
    shape,
    word: wordOf(rules),
  };
}

/** Our own CSV carries an apostrophe in front of what a spreadsheet would take for a formula: it comes off again. */
function undefused(sheet: SourceSheet): SourceSheet {
  return {
    ...sheet,
    async *rows() {
      for await (const row of sheet.rows()) {
        yield { ...row, cells: row.cells.map((cell) => (typeof cell === 'string' ? undefuse(cell) : cell)) };
      }
    },
  };
}

async function firstRows(sheet: SourceSheet, count: number): Promise<readonly SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const row of sheet.rows()) {
    rows.push(row);
    if (rows.length === count) break;
  }
  return rows;
}

/** The kind by the sheet's name, else the one kind that knows all of its headers; several such kinds are given as a list. */
function kindOf(
  sheet: SourceSheet,
  rows: readonly SheetRow[],
  merges: readonly MergedRange[],
  ignored: IgnoredColumns,
): RecordKind | RecordKind[] | null {
  const named = kindOfSheetName(sheet.name);
  if (named !== null) return named;
  const fitting = recordKinds.filter((kind) => knowsAllHeaders(kind, rows, merges, ignored));
  if (fitting.length === 1) return fitting[0] ?? null;
  const spoken = kindInWordsOf(sheet.name, fitting.length > 0 ? fitting : recordKinds);
  if (spoken !== null) return spoken;
  return fitting.length === 0 ? null : fitting;
}

function knowsAllHeaders(
  kind: RecordKind,
  rows: readonly SheetRow[],
  merges: readonly MergedRange[],
  ignored: IgnoredColumns,
): boolean {
  const header = findHeaderRow(kind, rows, merges);
  if (header === null) return false;
  const matched = matchHeaders(kind, personsHeaders(header), ignored);
  return matched.problems.length === 0 && matched.columns.some((column) => column.use !== 'ignored');
}

/** Whether merged cells can add nothing: every header names a field by itself. Looking for merges reads the whole sheet. */
function hasPlainHeader(kind: RecordKind, rows: readonly SheetRow[]): boolean {
  const header = findHeaderRow(kind, rows, []);
  if (header === null) return false;
  const headers = personsHeaders(header).filter((name) => name !== null);
  const isWidest = rows.every((row) => row.cells.length <= header.headers.length);
  return headers.length > 0 && isWidest && countMatches(kind, headers) === headers.length;
}

function ownColumnsOf({ headers }: HeaderRow): number {
  return areResultHeaders(headers) ? resultColumns.length : 0;
}

/** How many columns of ours stand in front, if the row is the header of a results sheet. */
export function ownColumnsIn({ cells }: SheetRow): number {
  return areResultHeaders(cells.map(headerText)) ? resultColumns.length : 0;
}

/** Our own columns are known by their places, and never matched to fields: a note's Status stands beside ours. */
function personsHeaders(header: HeaderRow): readonly (string | null)[] {
  const own = ownColumnsOf(header);
  return header.headers.map((name, index) => (index < own ? null : name));
}

function unknownSheet(name: string, kinds: RecordKind[] | null, format: Source['format']): string {
  const what = format === 'csv' ? 'The file' : `The sheet ${name}`;
  const leave = format === 'csv' ? '' : `, or leave the sheet out with --ignore-sheets "${name}"`;
  if (kinds === null) {
    return `${what} is of no kind that its name or its headers tell. Say it with --as (${recordKinds.map((kind) => kind.name).join(', ')})${leave}.`;
  }
  return `${what} can be of several kinds by its headers. Say which with --as ${kinds.map((kind) => kind.name).join(' or --as ')}.`;
}

function unmatched(faults: readonly string[], mapping: NamedMapping | null): DealsheetError {
  const message =
    faults.length === 1
      ? (faults[0] ?? '')
      : `${faults.length} things in the file found no place:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;
  return new DealsheetError(
    'unmatched-columns',
    message,
    mapping === null
      ? 'Correct the header, or leave the column out with --ignore-columns "NAME" (or "all"). Nothing was sent.'
      : `Correct the mapping ${mapping.path}, and try again. Nothing was sent.`,
  );
}
