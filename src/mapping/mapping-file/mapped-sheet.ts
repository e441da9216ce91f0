/** Which rules of a mapping a sheet is read by, and where its headers stand. */
import { isDeepStrictEqual } from 'node:util';
import type { Formats } from '../../contract/formats.ts';
import type { MergedRange } from '../../sheets/cell.ts';
import type { SheetRow } from '../../sheets/row.ts';
import type { PersonsWord } from '../column-evidence.ts';
import { type HeaderRow, rowsToSearch } from '../header-row.ts';
import { foreignHeaders, headerName } from './foreign-headers.ts';
import type { Mapping, SheetMappingRules } from './mapping.ts';

/** The sheets of a file, as a mapping has to do with them. */
export interface MappedFile {
  /** The names of all of its sheets. */
  readonly sheets: readonly string[];
  /** The names of those that are read and hold anything. */
  readonly read: readonly string[];
  /** Whether a mapping of one sheet is for it whatever its name: a CSV file has none, and results may have a part of their source. */
  readonly isOfAnyName: boolean;
}

export interface AssignedRules {
  /** By the name of the sheet, among those that are read. */
  readonly rules: ReadonlyMap<string, SheetMappingRules>;
  /** Sheets that are left out by the mapping's word. */
  readonly leftOut: readonly string[];
  /** Sheets that are read and have no rules. */
  readonly without: readonly string[];
  /** Sheets of the mapping that the file does not have: a month may be without calls. */
  readonly gone: readonly string[];
}

/** Which rules are for which sheet, by its name in this month or any other. */
export function assignRules(mapping: Mapping, file: MappedFile): AssignedRules {
  const leftOut = file.read.filter((name) => isLeftOut(mapping, name));
  const read = file.read.filter((name) => !leftOut.includes(name));
  const [only, second] = mapping.sheets;
  const isAlone = read.length === 1 && second === undefined;
  const isOfAnyName = isAlone && (file.isOfAnyName || only?.sheet === undefined);
  const rules = new Map(
    read.flatMap((name) => {
      const found = isOfAnyName ? only : rulesFor(mapping, name);
      return found === undefined ? [] : [[name, found] as const];
    }),
  );
  const unused = mapping.sheets.filter((each) => !file.sheets.some((name) => isFor(each, name)));
  const gone = isOfAnyName ? [] : unused.flatMap(({ sheet }) => sheet ?? []);
  return { rules, leftOut, without: read.filter((name) => !rules.has(name)), gone };
}

/** Those for the sheet, or for the same one of another month; none where several months differ, or one is left out. */
function rulesFor(mapping: Mapping, name: string): SheetMappingRules | undefined {
  const exact = mapping.sheets.find(({ sheet }) => sheet === name);
  const same = exact ?? mapping.sheets.find(({ sheet }) => sheet !== undefined && isSameName(sheet, name));
  if (same !== undefined || isLeftOutInAnotherMonth(mapping, name)) return same;
  const [first, ...others] = mapping.sheets.filter((rules) => isFor(rules, name));
  const isClear = others.every((other) => isDeepStrictEqual({ ...other, sheet: name }, { ...first, sheet: name }));
  return isClear ? first : undefined;
}

function isFor({ sheet }: SheetMappingRules, name: string): boolean {
  return sheet !== undefined && (isSameName(sheet, name) || isLike(sheet, name));
}

/** Whether a mapping says that a sheet holds nothing to load. What it says of a month goes before what it says of another. */
export function isLeftOut(mapping: Mapping, sheet: string): boolean {
  if (mapping.ignoreSheets?.some((name) => isSameName(name, sheet))) return true;
  return isLeftOutInAnotherMonth(mapping, sheet) && !mapping.sheets.some((rules) => isFor(rules, sheet));
}

function isLeftOutInAnotherMonth({ ignoreSheets = [] }: Mapping, sheet: string): boolean {
  return ignoreSheets.some((name) => isLike(name, sheet));
}

/** Whether a name is that of another month, or has anything in the places of the stars: no program allows a star in a name. */
function isLike(named: string, name: string): boolean {
  const parts = headerName(named).split(anything);
  const pattern = parts.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*');
  return sameButForMonth(named, name) || (parts.length > 1 && new RegExp(`^${pattern}$`, 'u').test(headerName(name)));
}

function isSameName(one: string, other: string): boolean {
  return headerName(one) === headerName(other);
}

const anything = '*';

/** The names of all columns that the rules speak of. */
export function mappedNames({ columns, joins = [] }: SheetMappingRules): readonly string[] {
  return [...Object.keys(columns), ...joins.flatMap((join) => join.columns)];
}

/** What is said of all dates and amounts of a sheet, the mapping above the profile. */
export function wordOf(formats: Formats, rules: Pick<Formats, 'dateOrder' | 'decimals'> = {}): PersonsWord {
  const { dateOrder = null, decimals } = { ...formats, ...rules };
  return { dateOrder, decimals: decimals === undefined ? null : decimals === ',' ? 'comma' : 'point' };
}

/**
 * The row that the mapping names, or the first of those that hold the most of its headers; `null` for an empty sheet.
 *
 * @param ownColumnsIn  how many columns of ours stand in front, if the row is the header of a results sheet
 */
export function mappedHeaderRow(
  rules: SheetMappingRules,
  rows: readonly SheetRow[],
  merges: readonly MergedRange[],
  ownColumnsIn: (row: SheetRow) => number,
): HeaderRow | null {
  const wanted = new Set(mappedNames(rules).map(headerName));
  let best: { header: HeaderRow; matches: number } | null = null;
  for (const [position, row] of rows.slice(0, rowsToSearch).entries()) {
    const { number, width } = row;
    const header = { number, width, headers: foreignHeaders(row, rows[position - 1], merges, ownColumnsIn(row)) };
    const matches = header.headers.filter((name) => name !== null && wanted.has(headerName(name))).length;
    // A results sheet has its headers in the first row, wherever they stood before.
    if (row.number === rules.headerRow && matches > 0) return header;
    if (best === null || matches > best.matches) best = { header, matches };
  }
  return best?.header ?? null;
}

const monthName =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const year = '(?:19|20)\\d{2}';
/** `2026-11`, `2026 Nov`, `11.2026`, `1-11-26`, `Nov '26`, `November`, `2026`. */
const forms = [
  `${year}[-._ ]?(?:${monthName}|\\d{1,2})(?:[-._]\\d{1,2})?`,
  `(?:\\d{1,2}[-._]){1,2}${year}`,
  '\\d{1,2}[-._]\\d{1,2}[-._]\\d{2}',
  `(?:${monthName})(?:[-._' ]*(?:${year}|\\d{2}))?`,
  year,
];
const months = new RegExp(`(?<![\\p{L}\\d])(?:${forms.join('|')})(?![\\p{L}\\d])`, 'gu');

/**
 * Whether two names say different months and are the same beside that: `Nov Deals` and `Dec Deals`, `2026-11` and `2026-12`. A
 * copy is none of them (`Nov Deals (2)`), nor is a name that says no month.
 */
export function sameButForMonth(one: string, other: string): boolean {
  const [named, otherNamed] = [headerName(one), headerName(other)];
  const pattern = named.replace(months, anything);
  if (pattern === named || pattern !== otherNamed.replace(months, anything)) return false;
  return monthsIn(named) !== monthsIn(otherNamed);
}

/** Three letters tell a month from every other, in its short form and its long one. */
function monthsIn(name: string): string {
  return (name.match(months) ?? []).join().replace(/(\p{L}{3})\p{L}*/gu, '$1');
}
