/** Finds the rules of a mapping that apply to a sheet, and its header row. */
import { isDeepStrictEqual } from 'node:util';
import type { Formats } from '../../contract/profile-parts.ts';
import { literal } from '../../messages/plain-text.ts';
import type { MergedRange, SheetRow } from '../../tables/row.ts';
import type { PersonsWord } from '../format-inference.ts';
import { bestHeaderRow, type HeaderRow, headersBelow } from '../header-row.ts';
import type { Mapping, SheetMappingRules } from './mapping.ts';

/** The rules for the sheet, or for its name with another month; none if several months differ, or one is left out. */
export function rulesFor(mapping: Mapping, name: string): SheetMappingRules | undefined {
  const exact = mapping.sheets.find(({ sheet }) => sheet === name);
  const same = exact ?? mapping.sheets.find(({ sheet }) => sheet !== undefined && isSameName(sheet, name));
  if (same !== undefined || isLeftOutInAnotherMonth(mapping, name)) return same;
  const [first, ...others] = mapping.sheets.filter((rules) => isFor(rules, name));
  const isClear = others.every((other) => isDeepStrictEqual({ ...other, sheet: name }, { ...first, sheet: name }));
  return isClear ? first : undefined;
}

export function isFor({ sheet }: SheetMappingRules, name: string): boolean {
  return sheet !== undefined && (isSameName(sheet, name) || isLike(sheet, name));
}

/** Whether the mapping leaves a sheet out: by its own name, or by another month's if no rules apply to it. */
export function isLeftOut(mapping: Mapping, sheet: string): boolean {
  if (mapping.ignoreSheets?.some((name) => isSameName(name, sheet))) return true;
  return isLeftOutInAnotherMonth(mapping, sheet) && !mapping.sheets.some((rules) => isFor(rules, sheet));
}

function isLeftOutInAnotherMonth({ ignoreSheets = [] }: Mapping, sheet: string): boolean {
  return ignoreSheets.some((name) => isLike(name, sheet));
}

/** Whether a name is the same but for the month, or fits a pattern with stars, which no sheet name can contain. */
function isLike(named: string, name: string): boolean {
  const parts = headerName(named).split(anything);
  const pattern = parts.map(literal).join('.*');
  return sameButForMonth(named, name) || (parts.length > 1 && new RegExp(`^${pattern}$`, 'u').test(headerName(name)));
}

function isSameName(one: string, other: string): boolean {
  return headerName(one) === headerName(other);
}

const anything = '*';

export function mappedNames({ columns, joins = [] }: SheetMappingRules): readonly string[] {
  return [...Object.keys(columns), ...joins.flatMap((join) => join.columns)];
}

/** The date and amount formats of a sheet. The mapping overrides the profile. */
export function wordOf(formats: Formats, rules: Pick<Formats, 'dateOrder' | 'decimals'> = {}): PersonsWord {
  const { dateOrder = null, decimals } = { ...formats, ...rules };
  return { dateOrder, decimals: decimals === undefined ? null : decimals === ',' ? 'comma' : 'point' };
}

/** The row that the mapping declares, or the first of those with the most of its headers. */
export function mappedHeaderRow(
  rules: SheetMappingRules,
  rows: readonly SheetRow[],
  merges: readonly MergedRange[],
  ownColumnsIn: (row: SheetRow) => number,
): HeaderRow | null {
  const wanted = new Set(mappedNames(rules).map(headerName));
  const matchesIn = ({ number, headers }: HeaderRow) => {
    const matches = headers.filter((name) => name !== null && wanted.has(headerName(name))).length;
    // A results sheet has its headers in the first row, wherever its source had them.
    return number === rules.headerRow && matches > 0 ? Number.POSITIVE_INFINITY : matches;
  };
  return bestHeaderRow(rows, (row, above) => foreignHeaders(row, above, merges, ownColumnsIn(row)), matchesIn);
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

/** Whether two names differ only in the month: `Nov Deals` and `Dec Deals`, but not a copy (`Nov Deals (2)`). */
export function sameButForMonth(one: string, other: string): boolean {
  const [named, otherNamed] = [headerName(one), headerName(other)];
  const pattern = named.replace(months, anything);
  if (pattern === named || pattern !== otherNamed.replace(months, anything)) return false;
  return monthsIn(named) !== monthsIn(otherNamed);
}

function monthsIn(name: string): string {
  return (name.match(months) ?? []).join().replace(/(\p{L}{3})\p{L}*/gu, '$1');
}

/** The headers of a row. The text of a merged cell above precedes them, and repeated names are numbered. */
export function foreignHeaders(
  row: SheetRow,
  above: SheetRow | undefined,
  merges: readonly MergedRange[],
  ownColumns: number,
): readonly (string | null)[] {
  const names = headersBelow(row, above, merges, (own, group, reach) => (reach === 'merged' ? `${group} ${own}` : own));
  const written = new Set(names.slice(ownColumns).flatMap((name) => (name === null ? [] : [headerName(name)])));
  const counts = new Map<string, number>();
  return names.map((name, column) => (name === null || column < ownColumns ? name : counted(name, written, counts)));
}

function counted(name: string, written: ReadonlySet<string>, counts: Map<string, number>): string {
  const key = headerName(name);
  let count = (counts.get(key) ?? 0) + 1;
  while (count > 1 && written.has(headerName(`${name} (${count})`))) count += 1;
  counts.set(key, count);
  return count === 1 ? name : `${name} (${count})`;
}

/** A foreign header for comparison, without case and extra blanks. Other characters count: `Rate %` is not `Rate $`. */
export function headerName(header: string): string {
  return header.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}
