/** Names of sheets that say a month: next month's workbook has the same sheets under the names of another month. */
import { headerName } from './header-name.ts';

const monthNames = [
  'jan(?:uary)?',
  'feb(?:ruary)?',
  'mar(?:ch)?',
  'apr(?:il)?',
  'may',
  'june?',
  'july?',
  'aug(?:ust)?',
  'sept?(?:ember)?',
  'oct(?:ober)?',
  'nov(?:ember)?',
  'dec(?:ember)?',
].join('|');

const year = '(?:19|20)\\d{2}';
const sign = '[-._ ]?';

/** The longer forms first: `Nov 2026` is one month, and no month beside a year. */
const months = new RegExp(
  `(?<![\\p{L}\\d])(?:${[
    `${year}${sign}(?:${monthNames}|\\d{1,2})(?:[-._]\\d{1,2})?`,
    `(?:\\d{1,2}[-._]){1,2}${year}`,
    '\\d{1,2}[-._]\\d{1,2}[-._]\\d{2}',
    `(?:${monthNames})(?:[-._' ]*(?:${year}|\\d{2}))?`,
    year,
  ].join('|')})(?![\\p{L}\\d])`,
  'gu',
);

/** What stands in place of a month: a sign that no spreadsheet program allows in the name of a sheet. */
const anyMonth = '*';

/**
 * Whether two names say different months and are the same beside that: `Nov Deals` and `Dec Deals`, `2026-11` and `2026-12`. A
 * copy is none of them (`Nov Deals (2)`), nor is a name that says no month.
 */
export function sameButForMonth(one: string, other: string): boolean {
  const [named, otherNamed] = [headerName(one), headerName(other)];
  const pattern = named.replace(months, anyMonth);
  const saysMonth = pattern !== named;
  return saysMonth && pattern === otherNamed.replace(months, anyMonth) && monthsIn(named) !== monthsIn(otherNamed);
}

/** Three letters tell a month from every other, in its short form and its long one. */
const tellingLetters = 3;

function monthsIn(name: string): string {
  const found = name.match(months) ?? [];
  return found.map((month) => month.replace(/\p{L}+/gu, (word) => word.slice(0, tellingLetters))).join();
}
