/** The day that a cell says: one of its own type, in numbers, or in words. */
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';
import utc from 'dayjs/plugin/utc.js';
import type { ColumnOrder } from '../../contract/formats.ts';
import { dateMessage } from '../../messages/dates.ts';
import type { Message } from '../../messages/message.ts';
import { type FilledCell, fault, noted, type Reading, value } from '../reading.ts';
import { dayAndTime, dayReadAs, fullYear, isCalendarDay, noDate, noSuchDay, readNumeric } from './numeric-dates.ts';

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

/** With which spreadsheets begin, and databases fill what is blank; and behind the last, what programs write for no end. */
const firstOf1900 = '1900-01-01';
const lastPlausible = '2199-12-31';

/**
 * The interface sets no bounds: a day that nobody may have meant is told, and sent.
 *
 * @param order  in which the parts of the column's dates are meant, as far as that is known
 */
export function readDate(cell: FilledCell, order: ColumnOrder): Reading {
  const reading = typeof cell === 'string' ? readText(cell, order) : readTypedDate(cell);
  if (!reading.ok || typeof reading.value !== 'string') return reading;
  const isFar = reading.value <= firstOf1900 || reading.value > lastPlausible;
  return isFar ? noted(reading, dateMessage('day-far-away')) : reading;
}

const isoDay = /^\d{4}-\d{2}-\d{2}$/;

function readText(text: string, order: ColumnOrder): Reading {
  const { day, hasTime } = dayAndTime(text);
  const reading = isoDay.test(day)
    ? readIsoDay(day)
    : (readCompact(day) ?? readNumeric(day, order) ?? readWorded(day) ?? fault(noDate));
  return reading.ok && hasTime ? noted(reading, withoutTime(String(reading.value))) : reading;
}

function readIsoDay(text: string): Reading {
  return isCalendarDay(text) ? value(text) : fault(noSuchDay);
}

/** Today where this computer stands. */
export function today(): string {
  return dayjs().format('YYYY-MM-DD');
}

/**
 * A day that has been, such as that of a birth. The interface says nothing of it: one in the future is told, and sent.
 *
 * @param now  as `2026-04-30`
 */
export function readPastDate(cell: FilledCell, order: ColumnOrder, now: string): Reading {
  const reading = readDate(cell, order);
  const isToCome = reading.ok && typeof reading.value === 'string' && reading.value > now;
  return isToCome ? noted(reading, dateMessage('day-in-future')) : reading;
}

/** A date of a column in which a spreadsheet has perhaps taken day and month for each other. */
export function readSwapped(cell: FilledCell, reading: Reading): Reading {
  if (typeof cell === 'string' || cell.kind !== 'date' || !reading.ok) return reading;
  const [year = '', month = '', day = ''] = cell.day.split('-');
  return month === day ? reading : noted(reading, dateMessage('perhaps-swapped', { other: `${year}-${day}-${month}` }));
}

/** Whoever means a month puts this day behind it. */
const firstOfMonth = '-01';

function readTypedDate(cell: Exclude<FilledCell, string>): Reading {
  if (cell.kind === 'number') {
    if (cell.adds?.kind === 'time' || cell.adds?.kind === 'duration') return fault(dateMessage('time-without-day'));
    return readCompact(cell.shown) ?? fault(dateMessage('number-for-date'));
  }
  if (cell.kind !== 'date') return fault(noDate);
  const { day, time } = cell;
  // Behind a format such as `mmm-yy` a person sees a month, and perhaps does not know of the day.
  const isUnseen = cell.hidesDay === true && !day.endsWith(firstOfMonth);
  const notes = [...(isUnseen ? [dateMessage('day-unseen')] : []), ...(time === null ? [] : [withoutTime(day)])];
  return { ok: true, value: day, notes };
}

function withoutTime(day: string): Message {
  return dateMessage('time-left-out', { day });
}

/** `20260430` */
function readCompact(text: string): Reading | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (match === null) return null;
  const day = `${match[1]}-${match[2]}-${match[3]}`;
  const isPlausible = day >= firstOf1900 && day <= lastPlausible;
  return isPlausible && isCalendarDay(day) ? dayReadAs(day, '', 'ymd') : null;
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
  return dayReadAs(day, year, 'spelt out');
}
