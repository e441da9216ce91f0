/** What a source holds: which sheet is which kind, where its headers stand, which column is which field. */
import { oneOf, type RecordKind } from '../../contract/record-kind.ts';
import { recordKinds } from '../../contract/record-kinds.ts';
import { DealsheetError } from '../../errors.ts';
import { nothingSaid } from '../../mapping/column-evidence.ts';
import { findHeaderRow, rowsToSearch } from '../../mapping/header-row.ts';
import { noHeaders, rowInPlaceOfHeaders } from '../../mapping/headerless.ts';
import { countMatches, fillsAllHeaders, type IgnoredNames, matchHeaders } from '../../mapping/headers.ts';
import { parentsOf, tellKind } from '../../mapping/parent-columns.ts';
import { kindInWordsOf, kindOfSheetName } from '../../mapping/sheet-kind.ts';
import type { MergedRange, SheetRow } from '../../sheets/cell.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import { namesWithCommas, shellWord } from '../rows/shell-word.ts';
import { noRows } from './data-rows.ts';
import { delimiterDoubt } from './delimiter-doubt.ts';
import { refuseDisturbedResults } from './disturbed-results.ts';
import { hiddenColumns } from './hidden-columns.ts';
import { kindInKeys } from './kind-in-keys.ts';
import { mappedSheets, matchMappedSheet } from './mapped-sheets.ts';
import type { MatchedSheet, MatchOptions, SheetFinding } from './matched-sheet.ts';
import { passedOver } from './rows-around-headers.ts';
import { headerWordsOf, ownColumnCount, personsHeaders, readable } from './sheet-headers.ts';
import { firstRowsOf, sheetsToRead } from './sheets-to-read.ts';
import { standardInput } from './snapshot.ts';
import { changesSinceTemplate } from './template-age.ts';

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
  for (const sheet of sheets) {
    const rules = mapped?.rules.get(sheet.name);
    if (rules !== undefined) findings.add(sheet, await matchMappedSheet(sheet, rules, source.format));
    else if (mapped === null) findings.add(sheet, await matchSheet(sheet, options, source.format, sheets.length === 1));
  }
  if (findings.faults.length > 0) throw unmatched([...findings.faults, ...changes], remedyOf(options, findings));
  if (findings.sheets.length === 0) throw noRows();
  for (const sheet of findings.sheets) findings.notices.push(...(await hiddenColumns(sheet)));
  return { source, sheets: findings.sheets, notices: findings.notices };
}

/** What was found in the sheets of a source, in their order. */
class SheetFindings {
  readonly sheets: MatchedSheet[] = [];
  readonly notices: string[];
  readonly faults: string[] = [];
  hasColumnFaults = false;
  #saysRemedy = false;

  constructor(notices: string[]) {
    this.notices = notices;
  }

  add(sheet: SourceSheet, found: SheetFinding): void {
    if (found === 'empty') return;
    if ('leftOut' in found) {
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

async function matchSheet(
  sheet: SourceSheet,
  options: MatchOptions,
  format: Source['format'],
  isAlone: boolean,
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
  const kind = options.kind ?? kindOf(sheet, rows, merges, options.ignoredColumns, isAlone);
  if ('fitting' in kind) {
    if (options.ignoredSheets === 'all')
      return { leftOut: `The sheet ${sheet.name} is of no kind that its name or its headers tell, and is left out.` };
    const faults = [unknownSheet(sheet, kind.fitting, format, isAlone)];
    return { faults, isStray: true, ...(kind.fitting.length > 0 && { saysRemedy: true }) };
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
 * The kind by the sheet's name, else the one kind that knows all of its headers, else what words or keys tell. Of several sheets,
 * one may be a list to look things up in: there a few words in common with a kind tell nothing.
 */
function kindOf(
  sheet: SourceSheet,
  rows: readonly SheetRow[],
  merges: readonly MergedRange[],
  ignored: IgnoredNames,
  isAlone: boolean,
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
  if (only !== undefined && second === undefined && (isAlone || tellKind(only, headersFor(only) ?? []))) return only;
  const among = fitting.length > 0 ? fitting : recordKinds;
  return kindInKeys(rows, among) ?? kindInWordsOf(sheet.name, among) ?? { fitting };
}

/** Whether merged cells can add nothing: every header names a field by itself. Looking for merges reads the whole sheet. */
function hasPlainHeader(kind: RecordKind, rows: readonly SheetRow[]): boolean {
  const header = findHeaderRow(kind, rows, []);
  if (header === null) return false;
  const headers = personsHeaders(header).filter((name) => name !== null);
  const isWidest = rows.every((row) => row.cells.length <= header.headers.length);
  return headers.length > 0 && isWidest && countMatches(kind, headers) === headers.length;
}

function ignoreSheet(name: string): string {
  return `--ignore-sheets ${shellWord(namesWithCommas([name]))}`;
}

/** @param isAlone  whether no other sheet is read: --as is a word on all of them */
function unknownSheet(
  { name, hidden }: SourceSheet,
  fitting: readonly RecordKind[],
  format: Source['format'],
  isAlone: boolean,
): string {
  const what = format === 'csv' ? 'The file' : `The ${hidden ? 'hidden sheet' : 'sheet'} ${name}`;
  const leave = format === 'csv' ? '' : `, or leave the sheet out with ${ignoreSheet(name)}`;
  const choice = isAlone ? '--as' : `--sheet ${shellWord(name)} --as`;
  const [only, second] = fitting;
  if (only === undefined) {
    const names = recordKinds.map((kind) => kind.name).join(', ');
    const say = isAlone ? 'Say it with' : 'Name the sheet after what it holds, read it alone with';
    return `${what} is of no kind that its name or its headers tell. ${say} ${choice} (${names})${leave}.`;
  }
  if (second === undefined)
    return `${what} has headers of ${oneOf(only)}, and none that says of which ${parentsOf(only)} it is. Name the sheet after what it holds, read it alone with ${choice} ${only.name}${leave}.`;
  const say = isAlone ? 'Say which with' : 'Name the sheet after one of them, or read it alone with';
  return `${what} can be of several kinds by its headers. ${say} ${fitting.map((kind) => `${choice} ${kind.name}`).join(' or ')}.`;
}

interface SourceFaults {
  readonly hasColumnFaults: boolean;
  /** Nothing in the file has headers of ours: it may be somebody else's. */
  readonly hasOtherHeaders: boolean;
}

/** What to do about the faults of a source; of a sheet of no kind, its own sentence says it. */
function remedyOf(options: MatchOptions, { hasColumnFaults, hasOtherHeaders }: SourceFaults): string {
  const { mapping } = options;
  if (mapping !== null) return `Correct the mapping ${mapping.path}, and try again. Nothing was sent.`;
  const correct = 'Correct the header, or leave the column out with --ignore-columns "NAME" (or "all").';
  const draft = `If the file always comes with these headers, say once what they mean: ${draftCommand(options)}.`;
  return [...(hasColumnFaults ? [correct] : []), ...(hasOtherHeaders ? [draft] : []), 'Nothing was sent.'].join(' ');
}

function draftCommand({ file, kind }: MatchOptions): string {
  const as = kind === null ? '' : ` --as ${kind.name}`;
  return `dealsheet map ${file === standardInput ? 'FILE' : shellWord(file)}${as} -o mapping.json`;
}

function unmatched(faults: readonly string[], remedy: string): DealsheetError {
  const message =
    faults.length === 1
      ? (faults[0] ?? '')
      : `${faults.length} things in the file found no place:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;
  return new DealsheetError('unmatched-columns', message, remedy);
}
