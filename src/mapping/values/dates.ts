/** The day that a cell says: one of its own type, in numbers, or in words. */
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';
import utc from 'dayjs/plugin/utc.js';
import { dateMessage } from '../../messages/dates.ts';
import type { Message } from '../../messages/message.ts';
import type { DateCell } from '../../sheets/cell.ts';
import { changed, type FilledCell, fault, noted, type Reading, value } from '../reading.ts';
import { fullYear, isCalendarDay, isoDay, isPlausibleYear } from './calendar.ts';
import { noDate, noSuchDay, readAs } from './date-notes.ts';
import type { ColumnOrder } from './date-order.ts';
import { toldIfFar } from './far-days.ts';
import { readNumeric } from './numeric-dates.ts';
import { dayOf, hasTimeOfDay, withHyphens } from './time-behind-day.ts';

dayjs.extend(customParseFormat);
dayjs.extend(utc);

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

/** @param order  in which the parts of the column's dates are meant, as far as that is known */
export function readDate(cell: FilledCell, order: ColumnOrder): Reading {
  return toldIfFar(readAnyDay(cell, order));
}

function readAnyDay(cell: FilledCell, order: ColumnOrder): Reading {
  if (typeof cell !== 'string') return readTypedDate(cell);
  const text = withHyphens(cell.trim());
  if (isoDay.test(text)) return readIsoDay(text);
  const day = dayOf(text);
  const reading = readDay(day, order);
  return reading.ok && day !== text && hasTimeOfDay(text)
    ? noted(reading, withoutTime(String(reading.value)))
    : reading;
}

function readDay(text: string, order: ColumnOrder): Reading {
  if (isoDay.test(text)) return readIsoDay(text);
  const read = readCompact(text) ?? readNumeric(text, order) ?? readWorded(text);
  return read ?? fault(faultOf(text));
}

/** `3/2015`, `2015-03`, `March 2015`, `2015`: which day of it is meant is nobody's to guess. */
const monthOrYear =
  /^(?:\d{1,2}[-/. ])?(?:19|20)\d{2}$|^(?:19|20)\d{2}[-/.]\d{1,2}$|^[a-z]{3,9}\.?,?[- ](?:19|20)\d{2}$/i;
/** The days from 1982 to 2064, as a spreadsheet counts them: from 1900 or from 1904, which the number does not say. */
const countOfDays = /^[3-5]\d{4}(?:\.\d+)?$/;

function faultOf(text: string): Message {
  if (monthOrYear.test(text)) return dateMessage('no-day-named');
  return countOfDays.test(text) ? dateMessage('perhaps-day-count') : noDate;
}

function readIsoDay(text: string): Reading {
  return isCalendarDay(text) ? value(text) : fault(noSuchDay);
}

/**
 * A day that has been, such as that of a birth. The interface says nothing of it: one in the future is told, and sent.
 *
 * @param today  as `2026-04-30`
 */
export function readPastDate(cell: FilledCell, order: ColumnOrder, today: string): Reading {
  const reading = readDate(cell, order);
  const isToCome = reading.ok && typeof reading.value === 'string' && reading.value > today;
  return isToCome ? noted(reading, dateMessage('day-in-future')) : reading;
}

/** A date of a column in which a spreadsheet has perhaps taken day and month for each other. */
export function readSwapped(cell: FilledCell, reading: Reading): Reading {
  if (typeof cell === 'string' || cell.kind !== 'date' || !reading.ok) return reading;
  const [year = '', month = '', day = ''] = cell.day.split('-');
  return month === day ? reading : noted(reading, dateMessage('perhaps-swapped', { other: `${year}-${day}-${month}` }));
}

function readTypedDate(cell: Exclude<FilledCell, string>): Reading {
  if (cell.kind === 'date') {
    if (cell.hidesDay === true && !cell.day.endsWith(firstOfMonth)) return readUnseenDay(cell);
    return cell.time === null ? value(cell.day) : changed(cell.day, withoutTime(cell.day));
  }
  if (cell.kind === 'number') {
    if (cell.adds?.kind === 'time' || cell.adds?.kind === 'duration') return fault(dateMessage('time-without-day'));
    const compact = readCompact(cell.shown);
    if (compact !== null) return compact;
    return fault(dateMessage('number-for-date'));
  }
  return fault(noDate);
}

/** Whoever means a month puts this day behind it. */
const firstOfMonth = '-01';

/** A day behind a format such as `mmm-yy`: a person sees a month, and perhaps does not know of it. */
function readUnseenDay({ day, time }: DateCell): Reading {
  const notes = [dateMessage('day-unseen')];
  return { ok: true, value: day, notes: time === null ? notes : [...notes, withoutTime(day)] };
}

function withoutTime(day: string): Message {
  return dateMessage('time-left-out', { day });
}

/** `20260430` */
function readCompact(text: string): Reading | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (match === null) return null;
  const day = `${match[1]}-${match[2]}-${match[3]}`;
  return isCalendarDay(day) && isPlausibleYear(Number(match[1])) ? changed(day, readAs(day, '', 'ymd')) : null;
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
