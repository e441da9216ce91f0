/** The day that a cell says: one of its own type, in numbers, or in words. */
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';
import utc from 'dayjs/plugin/utc.js';
import type { DateCell } from '../../sheets/cell.ts';
import { changed, type FilledCell, fault, noted, type Reading, value } from '../reading.ts';
import { remark } from '../remark.ts';
import { fullYear, isCalendarDay, isoDay, isPlausibleYear } from './calendar.ts';
import type { ColumnOrder } from './date-order.ts';
import {
  faultOf,
  howToWrite,
  inFuture,
  noDate,
  noSuchDay,
  perhapsSwapped,
  readAs,
  toldWithoutTime,
  unseenDay,
  withoutTime,
} from './date-remarks.ts';
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
  return reading.ok && day !== text && hasTimeOfDay(text) ? toldWithoutTime(reading) : reading;
}

function readDay(text: string, order: ColumnOrder): Reading {
  if (isoDay.test(text)) return readIsoDay(text);
  const read = readCompact(text) ?? readNumeric(text, order) ?? readWorded(text);
  return read ?? fault(faultOf(text));
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
  return isToCome ? noted(reading, inFuture) : reading;
}

/** A date of a column in which a spreadsheet has perhaps taken day and month for each other. */
export function readSwapped(cell: FilledCell, reading: Reading): Reading {
  if (typeof cell === 'string' || cell.kind !== 'date' || !reading.ok) return reading;
  const [year = '', month = '', day = ''] = cell.day.split('-');
  return month === day ? reading : noted(reading, perhapsSwapped(`${year}-${day}-${month}`));
}

function readTypedDate(cell: Exclude<FilledCell, string>): Reading {
  if (cell.kind === 'date') {
    if (cell.hidesDay === true && !cell.day.endsWith(firstOfMonth)) return readUnseenDay(cell);
    return cell.time === null ? value(cell.day) : changed(cell.day, withoutTime(cell.day));
  }
  if (cell.kind === 'number') {
    if (cell.adds?.kind === 'time' || cell.adds?.kind === 'duration')
      return fault(remark`is a time without a day. ${howToWrite}`);
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
  const reading = { ok: true, value: day, note: unseenDay() } as const;
  return time === null ? reading : toldWithoutTime(reading);
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
