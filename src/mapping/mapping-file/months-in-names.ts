/** Names of sheets that say a month: next month's workbook has the same sheets under the names of another month. */
import { headerName } from './foreign-headers.ts';

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

/** What stands in place of a month: a sign that no spreadsheet program allows in the name of a sheet. */
const anyMonth = '*';

/**
 * Whether two names say different months and are the same beside that: `Nov Deals` and `Dec Deals`, `2026-11` and `2026-12`. A
 * copy is none of them (`Nov Deals (2)`), nor is a name that says no month.
 */
export function sameButForMonth(one: string, other: string): boolean {
  const [named, otherNamed] = [headerName(one), headerName(other)];
  const pattern = named.replace(months, anyMonth);
  if (pattern === named || pattern !== otherNamed.replace(months, anyMonth)) return false;
  return monthsIn(named) !== monthsIn(otherNamed);
}

/** Three letters tell a month from every other, in its short form and its long one. */
function monthsIn(name: string): string {
  return (name.match(months) ?? []).join().replace(/(\p{L}{3})\p{L}*/gu, '$1');
}
