/** Detects what a spreadsheet program rewrites when it saves a CSV file: zeros are lost, dates change their form. */
import Big from 'big.js';
import { dateOrders } from '../contract/date-order.ts';
import { excelDigits } from '../tables/excel-limits.ts';
import { exactNumber } from './reading.ts';
import { readDate } from './values/dates.ts';

/** Whether `text` may be what a spreadsheet program made of `before`. */
export function isRewritten(text: string, before: string): boolean {
  if (text === before || text === '' || before === '') return false;
  return isSameNumber(text, before) || isSameDay(text, before) || isSameTruth(text, before) || isMadeDay(text, before);
}

/** Normalizes a key: spreadsheet programs turn `001` into `1`, and others write a letter, blank or dash that looks the same. */
export function comparableKey(text: string): string {
  if (/^0\d+$/.test(text)) return text.replace(/^0+(?=\d)/, '');
  if (/^[!-~]*$/.test(text)) return text;
  return text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-');
}

/** Letters and digits only, because the same number is written with and without punctuation. */
export function bareText(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const letters = value.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '');
  return letters === '' ? null : letters.toLowerCase();
}

const writtenNumber = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d{1,3})?%?$/i;
/** A number without a format shows at least this many digits before any is dropped. */
const digitsAlwaysShown = 9;
/** Excel cuts typed digits beyond its precision. Other programs round them, and so does a shorter form. */
const waysOfDropping = [Big.roundDown, Big.roundHalfUp];

function isSameNumber(text: string, before: string): boolean {
  const [now, then] = [numberIn(text), numberIn(before)];
  if (now === null || then === null || text.endsWith('%') !== before.endsWith('%')) return false;
  if (now.eq(then)) return true;
  const digits = now.c.length;
  const mayBeRounded = /e/i.test(text) || digits >= digitsAlwaysShown;
  if (!mayBeRounded || then.c.length <= digits) return false;
  const kept = Math.min(writtenDigits(text), excelDigits);
  return waysOfDropping.some((way) => new Big(then.toPrecision(kept, way)).eq(now));
}

function numberIn(text: string): Big | null {
  return writtenNumber.test(text) ? exactNumber(text.replace('%', '').replace(',', '.')) : null;
}

/** The number of digits before the exponent, to which the number was rounded. */
function writtenDigits(text: string): number {
  const mantissa = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  return Math.max(1, mantissa.length);
}

/** Whether both may be the same day, in any order of day and month, because the program's order is unknown. */
function isSameDay(text: string, before: string): boolean {
  // With a time, more than the form may have changed.
  if (text.includes(':') || before.includes(':')) return false;
  const then = daysIn(before);
  return daysIn(text).some((day) => then.includes(day));
}

function daysIn(text: string): readonly unknown[] {
  return dateOrders.flatMap((order) => {
    const reading = readDate(text, order);
    return reading.ok ? [reading.value] : [];
  });
}

function isSameTruth(text: string, before: string): boolean {
  return /^(true|false)$/i.test(before) && text.toLowerCase() === before.toLowerCase();
}

/** `3-4` and `MAR1` become the days `4-Mar` and `1-Mar`. */
function isMadeDay(text: string, before: string): boolean {
  const mayBecomeDay = /^\d{1,2}[-/]\d{1,4}$|^\p{L}{3,9}[-/ ]?\d{1,4}$|^\d{1,2}[-/ ]?\p{L}{3,9}$/u.test(before);
  const isDay = /^\d{1,2}[-. ]\p{L}{3,9}\.?$|^\p{L}{3,9}\.?[-. ]\d{2,4}$/u.test(text) || daysIn(text).length > 0;
  return mayBecomeDay && isDay && /\d/.test(before);
}
