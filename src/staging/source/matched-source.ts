/** Matches a source: which sheet is which kind, where its headers are, and which column is which field. */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { fieldsOf, neededGroups } from '../../contract/fields.ts';
import { oneOf, type RecordKind, recordKindNames } from '../../contract/record-kind.ts';
import { recordKinds } from '../../contract/record-kinds.ts';
import { findHeaderRow, rowsToSearch } from '../../mapping/header-row.ts';
import {
  countMatches,
  fieldOfHeader,
  fillsAllHeaders,
  type IgnoredNames,
  ignoredTogether,
  kindNamed,
  kindOfSheetName,
  likelyKinds,
  matchHeaders,
  namesWithout,
} from '../../mapping/headers.ts';
import { wordOf } from '../../mapping/mapping-file/mapped-sheet.ts';
import type { NamedMapping } from '../../mapping/mapping-file/read-mapping.ts';
import { shapeByProfile } from '../../mapping/mapping-file/row-shape.ts';
import { namesWithCommas, shellWord } from '../../messages/commands.ts';
import type { Message } from '../../messages/message.ts';
import { errorOf, inPlace, messageOf } from '../../messages/text.ts';
import type { MergedRange, SheetRow } from '../../tables/row.ts';
import type { Source } from '../../tables/source.ts';
import { ownColumnsIn, ownColumnsOf } from '../own-columns.ts';
import { matchMappedSheet, sheetsOfMapping } from './mapped-sheets.ts';
import {
  type MatchedSheet,
  noMatch,
  type SheetHeader,
  type SheetMatch,
  sheetMatch,
  withoutOwnColumns,
} from './matched-sheet.ts';
import { refuseDisturbedResults, type SheetBeginning, type SheetChoice, sheetsToRead } from './sheets-to-read.ts';

export interface MatchedSource {
  readonly sheets: readonly MatchedSheet[];
  readonly notices: readonly Message[];
}

export interface MatchOptions extends SheetChoice {
  /** The path of the source, or `-` for standard input. */
  readonly file: string;
  /** The kind of every sheet, or `null` to infer it. */
  readonly kind: RecordKind | null;
  readonly ignoredColumns: IgnoredNames;
  /** How to read a file with other headers, or `null` for Dealsheet's own headers. */
  readonly mapping: NamedMapping | null;
  readonly contract: Pick<ContractSettings, 'formats'>;
}

/**
 * Finds the kind, the headers and the columns of every sheet.
 * @throws DealsheetError `unmatched-columns` with every sheet and header without a match; `unreadable-source` without rows
 */
export async function matchSource(source: Source, options: MatchOptions): Promise<MatchedSource> {
  const { mapping } = options;
  const sheets = await sheetsToRead(source, options);
  refuseDisturbedResults(source, sheets);
  const mapped = mapping === null ? null : await sheetsOfMapping(source, sheets, options, mapping);
  const found: SheetMatch[] = [];
  for (const sheet of sheets.filter(({ rows }) => rows.length > 0)) {
    if (mapped === null) found.push(await matchSheet(sheet, options, source.format, sheets.length === 1));
    const rules = mapped?.rules.get(sheet.name);
    if (rules !== undefined) found.push(await matchMappedSheet(sheet, rules, source.format, options.contract.formats));
  }
  const faults = found.flatMap((one) => one.faults);
  const [fault, ...others] = faults;
  if (fault !== undefined) {
    const as = options.kind?.name ?? found.find((one) => one.as !== undefined)?.as ?? null;
    const file = options.file === '-' ? null : options.file;
    const told = others.length === 0 ? { things: null, faults: fault } : { things: faults.length, faults };
    throw errorOf('nothing-matches', { ...told, file, path: mapping?.path ?? null, as });
  }
  const matched = found.flatMap(({ sheet }) => (sheet === null ? [] : [sheet]));
  const aboutSheets = found.flatMap(({ notices }) => notices);
  if (matched.length === 0)
    throw aboutSheets.length > 0 ? errorOf('no-sheet-left', { notices: aboutSheets }) : errorOf('no-rows');
  const hidden = matched.filter(({ sheet }) => sheet.hidden);
  const headers = matched.flatMap(({ header }) => header.headers);
  const names = source.sheets.map(({ name }) => name);
  const notices = [
    ...source.notices,
    ...(mapping === null ? [] : [messageOf('read-by-mapping', { path: mapping.path })]),
    ...(mapped?.notices ?? []),
    ...aboutSheets,
    ...hidden.map(({ name }) => messageOf('sheet-hidden', { name })),
    ...namesWithout(options.ignoredColumns, headers).map((name) =>
      messageOf('ignored-not-there', { what: 'column', name }),
    ),
    ...namesWithout(options.ignoredSheets, names).map((name) =>
      messageOf('ignored-not-there', { what: 'sheet', name }),
    ),
  ];
  return { sheets: matched, notices };
}

interface Candidate extends SheetHeader {
  readonly kind: RecordKind;
}

async function matchSheet(
  beginning: SheetBeginning,
  options: MatchOptions,
  format: Source['format'],
  isAlone: boolean,
): Promise<SheetMatch> {
  const { sheet, name, rows } = beginning;
  const kinds = options.kind === null ? recordKinds : [options.kind];
  const unmerged = candidatesOf(kinds, rows, []);
  const isPlain = unmerged.some((one) => hasPlainHeader(one, rows));
  const merges = isPlain ? [] : await sheet.mergedHeaderRanges();
  const candidates = merges.length === 0 ? unmerged : candidatesOf(kinds, rows, merges);
  const { formats } = options.contract;
  const ignored = ignoredTogether(options.ignoredColumns, formats.ignoreColumns);
  const meant = options.kind === null ? meantBy(name, rows, candidates, ignored) : candidates;
  const [only, second] = meant;
  const ignorable = format === 'csv' ? null : shellWord(namesWithCommas([name]));
  if (only === undefined || second !== undefined) {
    if (options.ignoredSheets === 'all') return { ...noMatch, notices: [messageOf('sheet-unclear', { name })] };
    const areSeveral = meant.length > 1;
    const shown = {
      isHidden: sheet.hidden,
      sheet: ignorable && name,
      word: shellWord(name),
      ignorable,
      isAlone,
      areSeveral,
    };
    const about = { ...shown, kinds: areSeveral ? meant.map(({ kind }) => kind.name) : recordKindNames };
    const [likely = null, other] = likelyKinds(candidates.map((one) => ({ ...one, headers: one.header.headers })));
    const as = likely === null || other !== undefined ? 'KIND' : likely.name;
    return { ...noMatch, faults: [messageOf('sheet-unknown', about)], ...(isAlone && { as }) };
  }
  const { kind, header, ownColumns } = only;
  const { columns, problems } = matchHeaders(kind, header.headers, ignored);
  const faults = problems.map((problem) => inPlace(name, problem, header.number));
  // Nothing of such a sheet would be sent, and its first row may be data.
  if (columns.length === 0) {
    const of = { rows: rowsToSearch, kind: oneOf(kind), ignorable, mayBeOther: isAlone && options.kind === null };
    faults.push(inPlace(name, messageOf('sheet-of-other-kind', of)));
  }
  const shape = shapeByProfile(kind, columns, header.headers, formats);
  const match = sheetMatch(beginning, { kind, header, ownColumns, shape, word: wordOf(formats) }, format);
  return faults.length > 0 ? { ...noMatch, faults } : match;
}

function candidatesOf(
  kinds: readonly RecordKind[],
  rows: readonly SheetRow[],
  merges: readonly MergedRange[],
): readonly Candidate[] {
  return kinds.flatMap((kind) => {
    const found = findHeaderRow(kind, rows, merges);
    return found === null ? [] : [{ kind, ...withoutOwnColumns(found) }];
  });
}

/**
 * The kind by the sheet's name. Else the only one by the headers, by the sheet names in Run keys, by a name that is like
 * the sheet's, or by required columns, in this order.
 * @returns one candidate, or all that know every header if nothing decides, with another one that the name tells if nothing speaks against it
 */
function meantBy(
  name: string,
  rows: readonly SheetRow[],
  candidates: readonly Candidate[],
  ignored: IgnoredNames,
): readonly Candidate[] {
  const ofKind = (wanted: RecordKind | null) => candidates.filter(({ kind }) => kind === wanted);
  const exact = kindOfSheetName(name);
  if (exact !== null) return ofKind(exact);
  const fitting = candidates.filter(({ kind, header }) => fillsAllHeaders(kind, header.headers, ignored));
  const inSource = sheetsInKeys(rows);
  if (inSource.size > 1) return fitting;
  const knows = ({ kind, header }: Candidate) => countMatches(kind, header.headers);
  const [named] = [...inSource, name].flatMap((word) => ofKind(kindNamed(word)));
  const isRival = (one: Candidate) => named && knows(named) * 2 >= knows(one) && !hasNeededBeside(one, named);
  if (named !== undefined && !fitting.includes(named) && fitting.every(isRival)) return [named, ...fitting];
  const among = (fitting.length > 0 ? fitting : candidates).map(({ kind }) => kind);
  const byNames = [...inSource, name].map((word) => ofKind(kindNamed(word, among)));
  // Having every column that one kind requires is stronger evidence than fitting a kind that requires none.
  return [fitting, ...byNames, fitting.filter(hasAllNeeded)].find(({ length }) => length === 1) ?? fitting;
}

/** The source sheet names in the Run keys of a results sheet. They show its kind even if the sheet was renamed. */
function sheetsInKeys(rows: readonly SheetRow[]): ReadonlySet<string> {
  const headers = rows.findIndex((row) => ownColumnsIn(row) > 0);
  return new Set(headers < 0 ? [] : rows.slice(headers + 1).flatMap((row) => ownColumnsOf(row).earlier?.sheet ?? []));
}

/** Whether it has a column that its kind requires, and that the kind of the other does not know. */
function hasNeededBeside({ kind, header }: Candidate, other: Candidate): boolean {
  const isNeeded = (name: string) => fieldOfHeader(kind, name)?.required && fieldOfHeader(other.kind, name) === null;
  return header.headers.some((name) => name !== null && isNeeded(name));
}

/** Whether every required field and every required group has a column. */
function hasAllNeeded({ kind, header: { headers } }: Candidate): boolean {
  const paths = headers.flatMap((header) => (header === null ? [] : (fieldOfHeader(kind, header)?.path ?? [])));
  const fields = fieldsOf(kind).flatMap(({ path, required }) => (required ? [path] : []));
  const groups = neededGroups(kind).map(({ path }) => `${path}.`);
  const isThere = (wanted: string) => paths.some((path) => path === wanted || path.startsWith(wanted));
  return fields.length + groups.length > 0 && [...fields, ...groups].every(isThere);
}

/** No row above, and each header names a field, so merges cannot matter. Finding them reads the whole sheet. */
function hasPlainHeader({ kind, header }: Candidate, rows: readonly SheetRow[]): boolean {
  const headers = header.headers.filter((name) => name !== null);
  const isPlain = rows.every((row) => row.number !== header.number - 1 && row.values.length <= header.headers.length);
  return headers.length > 0 && isPlain && countMatches(kind, headers) === headers.length;
}
