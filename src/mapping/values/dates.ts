/** Reads the day of a cell. The column or a person decides whether 03/04 is March or April. It is never guessed. */
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';
import utc from 'dayjs/plugin/utc.js';
import { type ColumnOrder, type DateOrder, dateOrders, type ShownOrder } from '../../contract/date-order.ts';
import type { Message } from '../../messages/message.ts';
import { messageOf } from '../../messages/text.ts';
import { changed, type FilledCell, fault, noted, type Reading, showsTime, value } from '../reading.ts';

dayjs.extend(customParseFormat);
dayjs.extend(utc);

const noDate = messageOf('not-a-date');
const noSuchDay = messageOf('no-such-day');

/** How a day was read, by the order of its parts or by words; or why the order of a column makes no day. */
const forms: Readonly<Record<ColumnOrder | 'either' | 'spelt out', Message>> = {
  mdy: messageOf('month-first'),
  dmy: messageOf('day-first'),
  ymd: messageOf('year-first'),
  unknown: messageOf('order-not-shown'),
  contradictory: messageOf('both-orders-shown'),
  either: messageOf('either-order'),
  'spelt out': messageOf('spelt-out'),
};

const wordedFormats = ['D MMM YYYY', 'D MMMM YYYY', 'MMM D YYYY', 'MMMM D YYYY'];

/** The first day of spreadsheets, which databases write for blanks, and the last day that does not mean "no end". */
const firstOf1900 = '1900-01-01';
const lastPlausible = '2199-12-31';

/** The interface sets no bounds, so an unlikely day is sent with a note. @param now for days in the past, such as births */
export function readDate(cell: FilledCell, order: ColumnOrder, now: string | null = null): Reading {
  const reading = typeof cell === 'string' ? readText(cell, order) : readTypedDate(cell);
  if (!reading.ok || typeof reading.value !== 'string') return reading;
  if (now !== null && reading.value > now) return noted(reading, messageOf('day-in-future'));
  const isFar = reading.value <= firstOf1900 || reading.value > lastPlausible;
  return isFar ? noted(reading, messageOf('day-far-away')) : reading;
}

function readText(text: string, order: ColumnOrder): Reading {
  const { day, hasTime } = dayAndTime(text);
  const reading = readCompact(day) ?? readNumeric(day, order) ?? readWorded(day) ?? fault(noDate);
  return reading.ok && hasTime ? noted(reading, withoutTime(String(reading.value))) : reading;
}

/** The day in local time, of now unless another moment is given. */
export function localDay(moment = new Date()): string {
  return dayjs(moment).format('YYYY-MM-DD');
}

function readTypedDate(cell: Exclude<FilledCell, string>): Reading {
  if (cell.kind === 'number') {
    if (showsTime(cell)) return fault(messageOf('time-without-day'));
    return readCompact(cell.shown) ?? fault(messageOf('number-for-date'));
  }
  if (cell.kind !== 'date') return fault(noDate);
  const { day, time } = cell;
  // A format such as `mmm-yy` or `d-mmm` shows a month, so the person may not know the year, or a day other than the first.
  const isYear = cell.hides === 'year';
  const isUnseen = isYear || (cell.hides === 'day' && !day.endsWith('-01'));
  const unseen = isUnseen ? [messageOf('day-unseen', { isYear })] : [];
  return { ok: true, value: day, notes: [...unseen, ...(time === null ? [] : [withoutTime(day)])] };
}

function withoutTime(day: string): Message {
  return messageOf('time-left-out', { day });
}

function readCompact(text: string): Reading | null {
  const [, year = '', month = '', date = ''] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  const day = dayOf(year, month, date);
  return day !== null && day >= firstOf1900 && day <= lastPlausible ? dayReadAs(day, 'ymd') : null;
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
  const dayAndMonth = `${words[0]} ${words[1]}`.replace(/\b0(?=\d\b)/, '');
  const wording = `${dayAndMonth} ${fullYear(year)}`;
  const parsed = wordedFormats.map((format) => dayjs.utc(wording, format, true)).find((date) => date.isValid());
  if (parsed === undefined) return null;
  const day = parsed.format('YYYY-MM-DD');
  return dayReadAs(day, 'spelt out', year.length === shortYear);
}

function dayReadAs(day: string, form: keyof typeof forms, isShortYear = false): Reading {
  return changed(day, messageOf('day-read-as', { day, how: forms[form], isShortYear }));
}

/** Excel's window for two-digit years: 30 to 99 are in the last century. */
const firstShortYearOfLastCentury = 30;
const shortYear = 2;
const monthsOfYear = 12;

function fullYear(year: string): string {
  if (year.length !== shortYear) return year;
  return (Number(year) >= firstShortYearOfLastCentury ? '19' : '20') + year;
}

const daysOfEveryMonth = 28;

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > monthsOfYear || day < 1) return false;
  return day <= daysOfEveryMonth || day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export function mayBeMonth(day: string): boolean {
  return Number(day.slice(-2)) <= monthsOfYear;
}

/** What programs write after a day: `T14:05:00Z`, ` at 2:05:33 PM EST`, ` 00:00:00 GMT-0400 (Eastern Daylight Time)`. */
const timeBehind =
  /(?:T|,?(?:\s+at)?\s+)((?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:[.,]\d+)?\s*(?:[ap]\.?m\b\.?)?)\s*(?:Z|UTC|[A-Z]{1,3}T)?(?:[+-]\d{2}(?::?\d{2})?)?(?:\s+\([^)]*\))?$/i;
/** The time of a day that a program stores as a moment. */
const midnight = /^(?:00?:00(?::00)?(?:[.,]0+)?|12:00(?::00)?\s*a\.?m\.?)$/i;

/** The day of a text, with hyphens for dashes, and whether a time other than midnight follows it. */
function dayAndTime(text: string): { readonly day: string; readonly hasTime: boolean } {
  const plain = text.trim().replace(/[\u2010-\u2015\u2212]/g, '-');
  const [found = '', time = ''] = plain.includes(':') ? (timeBehind.exec(plain) ?? []) : [];
  return { day: plain.slice(0, plain.length - found.length), hasTime: time !== '' && !midnight.test(time.trim()) };
}

/** Three numbers with a year at one end: `2026-4-30`, `30.04.2026`, `4/30/26`. */
const numeric = /^(?:(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/. ])(\d{1,2})\6(\d{4}|\d{2}))$/;

/** The day that each order makes of three numbers, or `null`. A year of four digits leaves one or two orders. */
type Days = Readonly<Record<DateOrder, string | null>>;

function daysIn(text: string): Days | null {
  const [, year, , month = '', day = '', first = '', , second = '', last = ''] = numeric.exec(text) ?? [];
  if (year !== undefined) return { mdy: null, dmy: null, ymd: dayOf(year, month, day) };
  if (last === '') return null;
  const mayBeginWithYear = first.length === shortYear && last.length === shortYear;
  const ymd = mayBeginWithYear ? dayOf(first, second, last) : null;
  return { mdy: dayOf(last, first, second), dmy: dayOf(last, second, first), ymd };
}

function dayOf(writtenYear: string, month: string, day: string): string | null {
  const year = fullYear(writtenYear);
  if (!isDay(Number(year), Number(month), Number(day))) return null;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The orders that make a day, and whether it is the same day in all of them. */
function ordersOf(days: Days): { readonly orders: readonly DateOrder[]; readonly isOneDay: boolean } {
  const orders = dateOrders.filter((order) => days[order] !== null);
  return { orders, isOneDay: new Set(orders.map((order) => days[order])).size === 1 };
}

/** The order that a text shows: `17/04/2026` can only be day first. A day that no calendar has shows nothing. */
export function orderShownBy(text: string): ShownOrder | 'two readings' | null {
  const days = daysIn(dayAndTime(text).day);
  if (days === null) return null;
  const { orders, isOneDay } = ordersOf(days);
  const [only, other] = orders;
  if (other !== undefined) return isOneDay ? null : 'two readings';
  return only === undefined || only === 'ymd' ? null : only;
}

/** Notes a date against the declared order, whose order few cells show, or whose day and month may have been swapped. */
export function readDoubtful(
  cell: FilledCell,
  reading: Reading,
  {
    saidOrder,
    isShownByFew,
    mayBeSwapped,
  }: { readonly saidOrder: DateOrder | null; readonly isShownByFew: boolean; readonly mayBeSwapped: boolean },
): Reading {
  if (!reading.ok) return reading;
  if (typeof cell !== 'string') {
    if (!mayBeSwapped || cell.kind !== 'date') return reading;
    const [year, month, day] = cell.day.split('-');
    const other = `${year}-${day}-${month}`;
    return month === day ? reading : noted(reading, messageOf('perhaps-swapped', { other }));
  }
  const shown = orderShownBy(cell);
  if (shown === 'two readings') {
    const days = isShownByFew ? daysIn(dayAndTime(cell).day) : null;
    return days === null ? reading : noted(reading, messageOf('order-told-by-few', { ...days }));
  }
  const isAgainst = shown !== null && saidOrder !== null && saidOrder !== 'ymd' && shown !== saidOrder;
  return isAgainst ? noted(reading, messageOf('against-order')) : reading;
}

function readNumeric(text: string, column: ColumnOrder): Reading | null {
  const days = daysIn(text);
  if (days === null) return null;
  const { orders, isOneDay } = ordersOf(days);
  const [first] = orders;
  if (first === undefined) return fault(noSuchDay);
  const isShortYear = !/\d{4}/.test(text);
  // No cell shows by itself that its short year stands first, or that it stands last although its column says first.
  const isShown = isOneDay && (!isShortYear || (first !== 'ymd' && column !== 'ymd'));
  const order = orders.find((one) => one === column) ?? (isShown ? first : null);
  const day = order === null ? null : days[order];
  if (order !== null && day !== null)
    return day === text ? value(day) : dayReadAs(day, isOneDay && orders.length > 1 ? 'either' : order, isShortYear);
  const isOpen = orders.length > 1 && (column === 'unknown' || column === 'contradictory');
  return fault(messageOf(isOpen ? 'two-days' : 'other-order', { ...days, how: forms[column] }));
}
