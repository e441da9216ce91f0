/** Calendar days. Whether 03/04 is March or April is settled by the column's other cells or by the person, never guessed. */
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';
import utc from 'dayjs/plugin/utc.js';
import type { DateCell } from '../../sheets/cell.ts';
import { changed, type FilledCell, fault, noted, type Reading, value } from '../reading.ts';
import { orHidden, type Remark, remark, remarks } from '../remark.ts';
import type { ColumnOrder, DateOrder, ShownOrder } from './date-order.ts';

dayjs.extend(customParseFormat);
dayjs.extend(utc);

const howToWrite = remark`Write it like 2026-04-30.`;
const isoDay = /^(\d{4})-(\d{2})-(\d{2})$/;
/** What programs put behind a day: `T14:05:00Z`, ` 2:05:33 PM`, ` 00:00:00.000 +00:00`. */
const timeBehind =
  /(?:T|,?\s+)((?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:[.,]\d+)?\s*(?:[ap]\.?m\b\.?)?)\s*(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;
/** The time of a day that a program keeps as a moment. */
const midnight = /^(?:00?:00(?::00)?(?:[.,]0+)?|12:00(?::00)?\s*a\.?m\.?)$/i;
const numeric = /^(\d{1,4})([-/. ])(\d{1,2})\2(\d{1,4})$/;
const wordedFormats = [
  'D MMM YYYY',
  'D MMMM YYYY',
  'MMM D YYYY',
  'MMMM D YYYY',
  'DD MMM YYYY',
  'DD MMMM YYYY',
  'MMM DD YYYY',
  'MMMM DD YYYY',
];
/** Excel's own window for years of two digits: 30 to 99 are of the last century. */
const firstShortYearOfLastCentury = 30;
const shortYear = 2;
const centuryTaken = remark`its year of two digits is taken for one of 1930 to 2029.`;
const firstPlausibleYear = 1900;
const lastPlausibleYear = 2199;
const monthsOfYear = 12;

export function readDate(cell: FilledCell, order: ColumnOrder): Reading {
  if (typeof cell !== 'string') return readTypedDate(cell);
  const text = cell.trim();
  if (isoDay.test(text)) return readIsoDay(text);
  const day = dayOf(text);
  const reading = readDay(day, order);
  const time = day === text ? null : (timeBehind.exec(text)?.[1] ?? '').trim();
  return reading.ok && time !== null && !midnight.test(time) ? toldWithoutTime(reading) : reading;
}

function readDay(text: string, order: ColumnOrder): Reading {
  if (isoDay.test(text)) return readIsoDay(text);
  const read = readCompact(text) ?? readNumeric(text, order) ?? readWorded(text);
  return read ?? fault(faultOf(text));
}

function readIsoDay(text: string): Reading {
  return isCalendarDay(text) ? value(text) : fault(noSuchDay);
}

/** A text without the time behind its day. */
function dayOf(text: string): string {
  return text.includes(':') ? text.replace(timeBehind, '') : text;
}

/**
 * A day that has been, such as that of a birth. The interface says nothing of it: one in the future is told, and sent.
 *
 * @param today  as `2026-04-30`
 */
export function readPastDate(cell: FilledCell, order: ColumnOrder, today: string): Reading {
  const reading = readDate(cell, order);
  const isToCome = reading.ok && typeof reading.value === 'string' && reading.value > today;
  return isToCome ? noted(reading, inFuture) : reading;
}

/** Whether the day of a date may be a month as well. */
export function mayBeMonth(day: string): boolean {
  return Number(day.slice(-2)) <= monthsOfYear;
}

/** A date of a column in which a spreadsheet has perhaps taken day and month for each other. */
export function readSwapped(cell: FilledCell, reading: Reading): Reading {
  if (typeof cell === 'string' || cell.kind !== 'date' || !reading.ok) return reading;
  const [year = '', month = '', day = ''] = cell.day.split('-');
  return month === day ? reading : noted(reading, perhaps(`${year}-${day}-${month}`));
}

function perhaps(other: string): Remark {
  return remark`is perhaps ${other}: other cells of the column are dates as text, which a spreadsheet leaves where it takes the day for the month. Check it: it is sent as it is.`;
}

const inFuture = remark`is a day in the future. Check its year: it is sent as it is.`;

/** Today where this computer stands. */
export function today(): string {
  return dayjs().format('YYYY-MM-DD');
}

/** The order that one text proves by itself (`17/04/2026` can only be day first), or `null`. */
export function dateOrderShownBy(text: string): ShownOrder | null {
  const match = numeric.exec(dayOf(text.trim()));
  if (match === null || (match[1] ?? '').length > 2) return null;
  const [first, second, year] = [Number(match[1]), Number(match[3]), Number(fullYear(match[4] ?? ''))];
  // A day that no calendar has proves nothing: `31/02/2015` may be a slip in either order.
  if (first > monthsOfYear && second <= monthsOfYear) return isDay(year, second, first) ? 'dmy' : null;
  if (second > monthsOfYear && first <= monthsOfYear) return isDay(year, first, second) ? 'mdy' : null;
  return null;
}

/** Whether the order of the column decides what this text means. */
export function isAmbiguousDate(text: string): boolean {
  const match = numeric.exec(dayOf(text.trim()));
  if (match === null || (match[1] ?? '').length > 2) return false;
  const first = Number(match[1]);
  const second = Number(match[3]);
  return first !== second && first <= monthsOfYear && second <= monthsOfYear;
}

const noDate = remark`is not a date. ${howToWrite}`;
/** `3/2015`, `2015-03`, `March 2015`, `2015`: which day of it is meant is nobody's to guess. */
const monthOrYear =
  /^(?:\d{1,2}[-/. ])?(?:19|20)\d{2}$|^(?:19|20)\d{2}[-/.]\d{1,2}$|^[a-z]{3,9}\.?,?[- ](?:19|20)\d{2}$/i;
const noDay = remark`names no day. Write it with one, like 2026-04-30.`;
/** The days from 1982 to 2064, as a spreadsheet counts them: from 1900 or from 1904, which the number does not say. */
const countOfDays = /^[3-5]\d{4}(?:\.\d+)?$/;
const onlyCounted = remark`may be the number by which a spreadsheet keeps a day. Format the column as a date, and export the file again.`;

function faultOf(text: string): Remark {
  if (monthOrYear.test(text)) return noDay;
  return countOfDays.test(text) ? onlyCounted : noDate;
}

const noSuchDay = remark`is a day that no calendar has. ${howToWrite}`;

function readTypedDate(cell: Exclude<FilledCell, string>): Reading {
  if (cell.kind === 'date') {
    if (cell.hidesDay === true && !cell.day.endsWith(firstOfMonth)) return readUnseenDay(cell);
    return cell.time === null ? value(cell.day) : changed(cell.day, withoutTime(cell.day));
  }
  if (cell.kind === 'number') {
    if (cell.adds?.kind === 'time') return fault(remark`is a time without a day. ${howToWrite}`);
    const compact = readCompact(cell.shown);
    if (compact !== null) return compact;
    return fault(remark`is a number, not a date. Format the cell as a date, or write it like 2026-04-30.`);
  }
  return fault(noDate);
}

/** Whoever means a month puts this day behind it. */
const firstOfMonth = '-01';

/** A day behind a format such as `mmm-yy`: a person sees a month, and perhaps does not know of it. */
function readUnseenDay({ day, time }: DateCell): Reading {
  const reading = { ok: true, value: day, note: unseen() } as const;
  return time === null ? reading : toldWithoutTime(reading);
}

function unseen(): Remark {
  return orHidden(
    remark`is read as that day: the cell shows none. Check it.`,
    remark`is read with a day that the cell does not show. Check it.`,
  );
}

/** `20260430` */
function readCompact(text: string): Reading | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (match === null) return null;
  const day = `${match[1]}-${match[2]}-${match[3]}`;
  return isCalendarDay(day) && isPlausibleYear(Number(match[1])) ? changed(day, readAs(day, '', 'ymd')) : null;
}

function readNumeric(text: string, order: ColumnOrder): Reading | null {
  const match = numeric.exec(text);
  if (match === null) return null;
  const [first = '', second = '', third = ''] = [match[1], match[3], match[4]];
  if (first.length === 4) return third.length <= 2 ? told(text, [first, second, third], 'ymd') : fault(noDate);
  if (first.length > 2 || third.length === 3 || third.length === 1) return fault(noDate);
  const isYearFirst = order === 'ymd' && third.length === shortYear;
  if (isYearFirst) return told(text, [first, second, third], 'ymd');
  if (isNoDay(first, second, third)) return fault(noDayOf(first, second));
  // A year of four digits behind is not of the order that was said: only the cell itself tells then.
  const rest = order === 'ymd' ? 'unknown' : order;
  if (first === second) return told(text, [third, first, second], 'either');
  const known = dateOrderShownBy(text) ?? rest;
  if (known === 'unknown') {
    return fault(
      remark`can be two days, and no other cell of the column tells which part is the month. ${howToWrite} Or give --date-order mdy or dmy.`,
    );
  }
  if (known === 'contradictory') {
    return fault(remark`can be two days, and the other cells of the column contradict each other. ${howToWrite}`);
  }
  const [month, day] = known === 'mdy' ? [first, second] : [second, first];
  return told(text, [third, month, day], known);
}

/** Whether the parts are a day in no order: then nothing that is said of the column, or by a person, can settle which. */
function isNoDay(first: string, second: string, third: string): boolean {
  const year = Number(fullYear(third));
  const isDayYearFirst = third.length === shortYear && isDay(Number(fullYear(first)), Number(second), Number(third));
  return !isDay(year, Number(first), Number(second)) && !isDay(year, Number(second), Number(first)) && !isDayYearFirst;
}

function noDayOf(first: string, second: string): Remark {
  if (isMonth(Number(first)) || isMonth(Number(second))) return noSuchDay;
  const months =
    first === second ? remark`there is no month ${first}` : remark`there is no month ${first} and no month ${second}`;
  return orHidden(
    remark`is no day in any order: ${months}. ${howToWrite}`,
    remark`is no day in any order. ${howToWrite}`,
  );
}

function told(
  text: string,
  [year, month, day]: readonly [year: string, month: string, day: string],
  order: DateOrder | 'either',
): Reading {
  const read = `${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isCalendarDay(read)) return fault(noSuchDay);
  return read === text ? value(read) : changed(read, readAs(read, year, order));
}

/** `30 April 2026`, `Apr 30, 2026`, `30-Apr-26`, with or without the name of the weekday. */
function readWorded(text: string): Reading | null {
  if (!/[a-z]{3}/i.test(text)) return null;
  const words = text
    .replace(/^(mon|tues?|wed(s|nes)?|thu(rs?)?|fri|satur|sat|sun)(day)?\.?,?\s+/i, '')
    .replace(/\bsept\b/i, 'Sep')
    .replace(/(\d)(st|nd|rd|th)\b/i, '$1')
    .split(/[\s,./-]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[a-z]+$/i.test(word) ? word.charAt(0).toUpperCase() + word.slice(1).toLowerCase() : word));
  if (words.length !== 3) return null;
  const year = words[2] ?? '';
  const wording = `${words[0]} ${words[1]} ${fullYear(year)}`;
  const parsed = wordedFormats.map((format) => dayjs.utc(wording, format, true)).find((date) => date.isValid());
  if (parsed === undefined) return null;
  const day = parsed.format('YYYY-MM-DD');
  return changed(day, readAs(day, year, 'spelt out'));
}

const decided: Readonly<Record<DateOrder | 'either' | 'spelt out', Remark>> = {
  mdy: remark`is read month first`,
  dmy: remark`is read day first`,
  ymd: remark`is read year first`,
  either: remark`is read as the day that it is in either order`,
  'spelt out': remark`is read as the day that its words say`,
};

function readAs(day: string, year: string, order: DateOrder | 'either' | 'spelt out'): Remark {
  return year.length === shortYear
    ? orHidden(remark`is read as ${day}: ${centuryTaken}`, remark`${decided[order]}: ${centuryTaken}`)
    : orHidden(remark`is read as ${day}.`, remark`${decided[order]}.`);
}

function withoutTime(day: string): Remark {
  return orHidden(remark`is read as ${day}: the time of day is left out.`, remark`is read without its time of day.`);
}

function toldWithoutTime(reading: Extract<Reading, { ok: true }>): Reading {
  if (reading.note === null) return changed(reading.value, withoutTime(String(reading.value)));
  return changed(reading.value, remarks([reading.note, remark`Its time of day is left out.`]));
}

function fullYear(year: string): string {
  if (year.length !== shortYear) return year;
  return (Number(year) >= firstShortYearOfLastCentury ? '19' : '20') + year;
}

function isPlausibleYear(year: number): boolean {
  return year >= firstPlausibleYear && year <= lastPlausibleYear;
}

function isCalendarDay(day: string): boolean {
  const match = isoDay.exec(day);
  if (match === null) return false;
  return isDay(Number(match[1]), Number(match[2]), Number(match[3]));
}

function isDay(year: number, month: number, day: number): boolean {
  return isMonth(month) && day >= 1 && day <= daysOf(year, month);
}

function isMonth(part: number): boolean {
  return part >= 1 && part <= monthsOfYear;
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
