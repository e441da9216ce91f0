/** Days written in numbers. Whether 03/04 is March or April is settled by the column's other cells or by the person, never guessed. */
import { dateMessage } from '../../messages/dates.ts';
import type { Message } from '../../messages/message.ts';
import { changed, fault, type Reading, value } from '../reading.ts';
import { fullYear, isCalendarDay, isDay, isMonth, monthsOfYear, shortYear } from './calendar.ts';
import { noDate, noSuchDay, readAs } from './date-notes.ts';
import type { ColumnOrder, DateOrder, ShownOrder } from './date-order.ts';
import { dayOf, withHyphens } from './time-behind-day.ts';

const numeric = /^(\d{1,4})([-/. ])(\d{1,2})\2(\d{1,4})$/;

/** The order that one text proves by itself (`17/04/2026` can only be day first), or `null`. */
export function dateOrderShownBy(text: string): ShownOrder | null {
  const match = numeric.exec(dayOf(withHyphens(text.trim())));
  if (match === null || (match[1] ?? '').length > 2) return null;
  const [first, second, year] = [Number(match[1]), Number(match[3]), Number(fullYear(match[4] ?? ''))];
  // A day that no calendar has proves nothing: `31/02/2015` may be a slip in either order.
  if (first > monthsOfYear && second <= monthsOfYear) return isDay(year, second, first) ? 'dmy' : null;
  if (second > monthsOfYear && first <= monthsOfYear) return isDay(year, first, second) ? 'mdy' : null;
  return null;
}

/** Whether the order of the column decides what this text means. */
export function isAmbiguousDate(text: string): boolean {
  const match = numeric.exec(dayOf(withHyphens(text.trim())));
  if (match === null || (match[1] ?? '').length > 2) return false;
  const first = Number(match[1]);
  const second = Number(match[3]);
  return first !== second && first <= monthsOfYear && second <= monthsOfYear;
}

/** `null` for a text that is no such day. */
export function readNumeric(text: string, order: ColumnOrder): Reading | null {
  const match = numeric.exec(text);
  if (match === null) return null;
  const [first = '', second = '', third = ''] = [match[1], match[3], match[4]];
  if (first.length === 4) return third.length <= 2 ? readInOrder(text, [first, second, third], 'ymd') : fault(noDate);
  if (first.length > 2 || third.length === 3 || third.length === 1) return fault(noDate);
  const isYearFirst = order === 'ymd' && third.length === shortYear;
  if (isYearFirst) return readInOrder(text, [first, second, third], 'ymd');
  if (isNoDay(first, second, third)) return fault(noDayOf(first, second));
  // A year of four digits behind is not of the order that was said: only the cell itself tells then.
  const rest = order === 'ymd' ? 'unknown' : order;
  if (first === second) return readInOrder(text, [third, first, second], 'either');
  const known = dateOrderShownBy(text) ?? rest;
  if (known === 'unknown' || known === 'contradictory')
    return fault(dateMessage('two-days', { isContradicted: known === 'contradictory' }));
  const [month, day] = known === 'mdy' ? [first, second] : [second, first];
  return readInOrder(text, [third, month, day], known);
}

/** Whether the parts are a day in no order: then nothing that is said of the column, or by a person, can settle which. */
function isNoDay(first: string, second: string, third: string): boolean {
  const year = Number(fullYear(third));
  const isDayYearFirst = third.length === shortYear && isDay(Number(fullYear(first)), Number(second), Number(third));
  return !isDay(year, Number(first), Number(second)) && !isDay(year, Number(second), Number(first)) && !isDayYearFirst;
}

function noDayOf(first: string, second: string): Message {
  if (isMonth(Number(first)) || isMonth(Number(second))) return noSuchDay;
  return dateMessage('no-such-month', { first, second: first === second ? null : second });
}

function readInOrder(
  text: string,
  [year, month, day]: readonly [year: string, month: string, day: string],
  order: DateOrder | 'either',
): Reading {
  const read = `${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isCalendarDay(read)) return fault(noSuchDay);
  return read === text ? value(read) : changed(read, readAs(read, year, order));
}
