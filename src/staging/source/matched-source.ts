/** What a source holds: which sheet is which kind, where its headers stand, which column is which field. */
import { fieldsOf } from '../../contract/fields.ts';
import { neededGroups } from '../../contract/needs.ts';
import { oneOf, type RecordKind } from '../../contract/record-kind.ts';
import { recordKinds } from '../../contract/record-kinds.ts';
import { nothingSaid } from '../../mapping/column-evidence.ts';
import { findHeaderRow, rowsToSearch } from '../../mapping/header-row.ts';
import { noHeaders, rowInPlaceOfHeaders } from '../../mapping/headerless.ts';
import {
  countMatches,
  fieldOfHeader,
  fillsAllHeaders,
  type IgnoredNames,
  matchHeaders,
} from '../../mapping/headers.ts';
import { tellKind } from '../../mapping/parent-columns.ts';
import { kindInWordsOf, kindOfSheetName } from '../../mapping/sheet-kind.ts';
import type { MergedRange, SheetRow } from '../../sheets/cell.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import { noRows } from './data-rows.ts';
import { delimiterDoubt } from './delimiter-doubt.ts';
import { refuseDisturbedResults } from './disturbed-results.ts';
import { hiddenColumns } from './hidden-columns.ts';
import { kindInKeys, sheetsInKeys } from './kind-in-keys.ts';
import { mappedSheets, matchMappedSheet } from './mapped-sheets.ts';
import type { MatchedSheet, MatchOptions, SheetFinding } from './matched-sheet.ts';
import { passedOver } from './rows-around-headers.ts';
import { headerWordsOf, ownColumnCount, personsHeaders, readable } from './sheet-headers.ts';
import { firstRowsOf, sheetsToRead } from './sheets-to-read.ts';
import { changesSinceTemplate } from './template-age.ts';
import { allLeftOut, ignoreSheet, remedyOf, unknownSheet, unmatched } from './unmatched-sheets.ts';

export interface MatchedSource {
  readonly source: Source;
  /** In the order of the source. */
  readonly sheets: readonly MatchedSheet[];
  /** Whole sentences about how the source was read. */
  readonly notices: readonly string[];
}

/**
 * Finds the kind, the headers and the columns of every sheet.
 *
 * @throws DealsheetError `unmatched-columns` with every sheet and header that found no place; `unreadable-source` for a
 * source without any row
 */
export async function matchSource(source: Source, options: MatchOptions): Promise<MatchedSource> {
  const changes = await changesSinceTemplate(source);
  const findings = new SheetFindings([...source.notices, ...mappingNotice(options), ...changes]);
  const sheets = await sheetsToRead(source, options);
  await refuseDisturbedResults(source, sheets);
  const mapped = options.mapping === null ? null : await mappedSheets(source, sheets, options, options.mapping);
  findings.notices.push(...(mapped?.notices ?? []));
  if (mapped === null) {
    const found = await matchSheets(sheets, options, source.format);
    for (const [index, sheet] of sheets.entries()) findings.add(sheet, found[index] ?? 'empty');
  }
  for (const sheet of sheets) {
    const rules = mapped?.rules.get(sheet.name);
    if (rules !== undefined) findings.add(sheet, await matchMappedSheet(sheet, rules, source.format));
  }
  if (findings.faults.length > 0) throw unmatched([...findings.faults, ...changes], remedyOf(options, findings));
  if (findings.sheets.length === 0) throw findings.leftOut.length > 0 ? allLeftOut(findings.leftOut) : noRows();
  for (const sheet of findings.sheets) findings.notices.push(...(await hiddenColumns(sheet)));
  return { source, sheets: findings.sheets, notices: findings.notices };
}

/** What was found in the sheets of a source, in their order. */
class SheetFindings {
  readonly sheets: MatchedSheet[] = [];
  readonly notices: string[];
  readonly faults: string[] = [];
  readonly leftOut: string[] = [];
  hasColumnFaults = false;
  #saysRemedy = false;

  constructor(notices: string[]) {
    this.notices = notices;
  }

  add(sheet: SourceSheet, found: SheetFinding): void {
    if (found === 'empty') return;
    if ('leftOut' in found) {
      this.leftOut.push(found.leftOut);
      this.notices.push(found.leftOut);
    } else if ('faults' in found) {
      this.faults.push(...found.faults);
      this.hasColumnFaults ||= found.isStray !== true;
      this.#saysRemedy ||= found.saysRemedy === true;
    } else {
      this.sheets.push(found.sheet);
      this.notices.push(...found.notices);
      if (sheet.hidden) this.notices.push(`The sheet ${sheet.name} is hidden. It is read like the others.`);
    }
  }

  get hasOtherHeaders(): boolean {
    return this.hasColumnFaults || (this.sheets.length === 0 && !this.#saysRemedy);
  }
}

function mappingNotice({ mapping }: MatchOptions): readonly string[] {
  return mapping === null ? [] : [`The file is read by the mapping ${mapping.path}.`];
}

/** Lists to look things up in stand beside records: sheets that all hold the same, or the only one that is filled, are none. */
async function matchSheets(
  sheets: readonly SourceSheet[],
  options: MatchOptions,
  format: Source['format'],
): Promise<readonly SheetFinding[]> {
  const isAlone = sheets.length === 1;
  const found: SheetFinding[] = [];
  for (const sheet of sheets) {
    found.push(await matchSheet(sheet, options, format, { isAlone, mayBeList: !isAlone }));
  }
  if (!areAllOfOneKind(found)) return found;
  const records: SheetFinding[] = [];
  for (const sheet of sheets) records.push(await matchSheet(sheet, options, format, { isAlone, mayBeList: false }));
  return records;
}

function areAllOfOneKind(found: readonly SheetFinding[]): boolean {
  const kinds = found.flatMap((each) => (each === 'empty' ? [] : ['perhaps' in each ? each.perhaps : null]));
  const [first = null] = kinds;
  return first !== null && kinds.every((kind) => kind === first);
}

interface SheetPlace {
  /** Whether no other sheet is read. */
  readonly isAlone: boolean;
  /** Whether it may be a list to look things up in. */
  readonly mayBeList: boolean;
}

async function matchSheet(
  sheet: SourceSheet,
  options: MatchOptions,
  format: Source['format'],
  { isAlone, mayBeList }: SheetPlace,
): Promise<SheetFinding> {
  const rows = await firstRowsOf(sheet, rowsToSearch);
  if (rows.length === 0) return 'empty';
  const kinds = options.kind === null ? recordKinds : [options.kind];
  const first = rowInPlaceOfHeaders(kinds, rows);
  if (first !== null && options.ignoredSheets !== 'all') {
    const leave = format === 'csv' ? '' : ` Or leave the sheet out with ${ignoreSheet(sheet.name)}.`;
    return { faults: [`${sheet.name}: ${noHeaders(first)}${leave}`], isStray: true, saysRemedy: true };
  }
  const merges = kinds.some((kind) => hasPlainHeader(kind, rows)) ? [] : await sheet.mergedHeaderRanges();
  const kind = options.kind ?? kindOf(sheet, rows, merges, options.ignoredColumns, mayBeList);
  if ('fitting' in kind) {
    const perhaps = kind.fitting.length === 1 ? (kind.fitting[0] ?? null) : null;
    if (options.ignoredSheets === 'all') {
      const leftOut = `The sheet ${sheet.name} is of no kind that its name or its headers tell, and is left out.`;
      return { leftOut, perhaps };
    }
    const faults = [unknownSheet(sheet, kind.fitting, format, isAlone)];
    return { faults, isStray: true, perhaps, ...(kind.fitting.length > 0 && { saysRemedy: true }) };
  }
  const found = findHeaderRow(kind, rows, merges);
  if (found === null) return 'empty';
  const ownColumns = ownColumnCount(found);
  const header = { ...found, headers: personsHeaders(found) };
  const matched = matchHeaders(kind, header.headers, options.ignoredColumns);
  const { columns } = matched;
  const headerWords = headerWordsOf(kind, header, rows, []);
  const notices = passedOver({ name: sheet.name, rows, header, columns, headerWords, ownColumns, isSaid: false });
  if (matched.problems.length > 0) {
    const faults = matched.problems.map((problem) => `${sheet.name}, row ${header.number}: ${problem.message}`);
    if (format === 'csv') return { faults: [...faults, ...delimiterDoubt(sheet.name, header, rows)] };
    if (columns.some(({ use }) => use !== 'ignored')) return { faults };
    const noField = `${sheet.name}: none of its headers is a field of ${oneOf(kind)}. If it holds no such rows, leave it out with ${ignoreSheet(sheet.name)}.`;
    return { faults: [...faults, noField], isStray: true };
  }
  const read = readable(sheet, format, ownColumns);
  return { sheet: { ...read, kind, header, headerWords, columns, shape: null, word: nothingSaid }, notices };
}

/** Nothing tells what a sheet holds: the kinds that know all of its headers, if any. */
interface UnclearKind {
  readonly fitting: readonly RecordKind[];
}

/**
 * The kind by the sheet's name, else the one kind that knows all of its headers, else what words or keys tell.
 *
 * @param mayBeList  whether it may be a list to look things up in: then a few words in common with a kind tell nothing
 */
function kindOf(
  sheet: SourceSheet,
  rows: readonly SheetRow[],
  merges: readonly MergedRange[],
  ignored: IgnoredNames,
  mayBeList: boolean,
): RecordKind | UnclearKind {
  const named = kindOfSheetName(sheet.name);
  if (named !== null) return named;
  const headersFor = (kind: RecordKind) => {
    const header = findHeaderRow(kind, rows, merges);
    return header === null ? null : personsHeaders(header);
  };
  const fitting = recordKinds.filter((kind) => {
    const headers = headersFor(kind);
    return headers !== null && fillsAllHeaders(kind, headers, ignored);
  });
  const [only, second] = fitting;
  if (only !== undefined && second === undefined && (!mayBeList || tellKind(only, headersFor(only) ?? []))) return only;
  const among = fitting.length > 0 ? fitting : recordKinds;
  const told = kindInKeys(rows, among) ?? kindInWordsOf(sheet.name, among);
  if (told !== null) return told;
  // Columns for all that a record of one kind needs say more than columns of a kind that needs nothing.
  // Results with rows of several sheets may hold several kinds.
  if (sheetsInKeys(rows).size > 1) return { fitting };
  const isNamedBy = (kind: RecordKind) => {
    const header = findHeaderRow(kind, rows, merges);
    return header !== null && hasAllNeeded(kind, personsHeaders(header));
  };
  const [whole, other] = fitting.filter(isNamedBy);
  return whole !== undefined && other === undefined ? whole : { fitting };
}

/** Whether there is a column for every required field, and for something of every group that a record needs. */
function hasAllNeeded(kind: RecordKind, headers: readonly (string | null)[]): boolean {
  const paths = headers.flatMap((header) => (header === null ? [] : (fieldOfHeader(kind, header)?.path ?? [])));
  const fields = fieldsOf(kind).flatMap(({ path, required }) => (required ? [path] : []));
  const groups = neededGroups(kind).map(({ path }) => `${path}.`);
  const isThere = (wanted: string) => paths.some((path) => path === wanted || path.startsWith(wanted));
  return fields.length + groups.length > 0 && [...fields, ...groups].every(isThere);
}

/** Whether merged cells can add nothing: every header names a field by itself. Looking for merges reads the whole sheet. */
function hasPlainHeader(kind: RecordKind, rows: readonly SheetRow[]): boolean {
  const header = findHeaderRow(kind, rows, []);
  if (header === null) return false;
  const headers = personsHeaders(header).filter((name) => name !== null);
  const isWidest = rows.every((row) => row.cells.length <= header.headers.length);
  return headers.length > 0 && isWidest && countMatches(kind, headers) === headers.length;
}
