/** From the value of a record to the cell of its column. Exact: a number that a spreadsheet would round stays text. */

import Big from 'big.js';
import { pathOf, valueAt } from '../contract/body-path.ts';
import { millisecondsOfSecond } from '../seconds.ts';
import { visibleText } from '../service/plain-text.ts';
import { excelDigits } from '../sheets/excel-digits.ts';
import type { OutputValue } from '../sheets/sheet-writer.ts';
import { dayAndTime } from '../sheets/xlsx/serial-date.ts';
import type { ColumnLook, ExportRow } from '../workbooks/export-column.ts';
import type { SourceColumn } from './columns.ts';
import { ExactNumber, exactText, type JsonObject, type JsonValue } from './exact-json.ts';
import { formattedAmount, isoDate, isoMoment, percentText, plainDecimal } from './record-shape.ts';

export function rowOf(record: JsonObject, columns: readonly SourceColumn[]): ExportRow {
  return columns.map((column) => {
    const value = valueAt<JsonValue>(record, column.segments);
    if (column.takes === 'count') return Array.isArray(value) ? value.length : null;
    return cellOf(value, column.look);
  });
}

/** The values of the columns alone, by their paths; `null` for one that the record does not have. */
export function valuesByPath(record: JsonObject, columns: readonly SourceColumn[]): JsonObject {
  return new Map(columns.map(({ segments }) => [pathOf(segments), valueAt<JsonValue>(record, segments) ?? null]));
}

function cellOf(value: JsonValue | undefined, look: ColumnLook): OutputValue {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value;
  if (value instanceof ExactNumber) {
    if (look === 'date-time') return momentOfEpoch(Number(value.digits));
    return look === 'text' || look === 'yes-no' || look === 'date' ? value.digits : numberOrText(value.digits);
  }
  if (typeof value === 'string') return cellOfText(shownText(value), look);
  if (Array.isArray(value)) return shownText(joined(value as readonly JsonValue[]));
  return exactText(value);
}

/** Whoever looks at a CSV file in a terminal is not to be at the mercy of what the service wrote. */
function shownText(text: string): string {
  return visibleText(text.replace(/\r\n?/g, '\n'));
}

function cellOfText(text: string, look: ColumnLook): OutputValue {
  switch (look) {
    case 'date':
    case 'date-time':
      return dayOf(text, look) ?? text;
    case 'money':
    case 'percent':
    case 'integer':
    case 'number':
      return numberOrText(digitsOf(text.trim()) ?? text);
    default:
      return text;
  }
}

/** `$1,250.00` to `1250.00`, `(3.50)` to `-3.50`, `12.5%` to `12.5`; `null` for what is no number. */
function digitsOf(text: string): string | null {
  if (plainDecimal.test(text)) return text;
  if (percentText.test(text)) return text.replace(/ ?%$/, '');
  if (!formattedAmount.test(text)) return null;
  const isNegative = text.startsWith('-') || text.startsWith('(');
  return (isNegative ? '-' : '') + text.replace(/[^\d.]/g, '');
}

function numberOrText(written: string): OutputValue {
  if (!/^-?\d/.test(written)) return written;
  const digits = withoutExponent(written);
  return significantDigits(digits) <= excelDigits && Number.isFinite(Number(digits)) ? { digits } : digits;
}

/** `1.5e3` to `1500`; a number of endless length stays as it is. */
function withoutExponent(digits: string): string {
  const exponent = /e([+-]?\d+)$/i.exec(digits)?.[1];
  if (exponent === undefined || Math.abs(Number(exponent)) > largestExponent) return digits;
  return new Big(digits).toFixed();
}

/** Beyond it a number is none that a person writes, and its zeros would fill a line. */
const largestExponent = 30;

function significantDigits(digits: string): number {
  const plain = digits.replace(/^-/, '').replace(/e.*$/i, '');
  if (plain.length <= excelDigits) return plain.length;
  const trimmed = plain.includes('.') ? plain.replace(/0+$/, '') : plain;
  return trimmed.replace('.', '').replace(/^0+/, '').length;
}

function dayOf(text: string, look: ColumnLook): OutputValue {
  if (isoDate.test(text)) return { day: text };
  const moment = isoMoment.exec(text);
  if (moment === null) return null;
  const [, day, time, zone] = moment;
  if (day === undefined || time === undefined) return null;
  if (look === 'date') return { day };
  if (zone === undefined) return { day, time: time.length === 'HH:MM'.length ? `${time}:00` : time };
  const at = new Date(text.replace(' ', 'T'));
  return Number.isNaN(at.getTime()) ? null : dayAndTime(at);
}

/** As milliseconds in 1973, as seconds in 5138: by itself, neither is taken for a moment (see column-look.ts). */
const firstMilliseconds = 1e11;

function momentOfEpoch(number: number): OutputValue {
  return dayAndTime(new Date(number < firstMilliseconds ? number * millisecondsOfSecond : number));
}

/** Plain values stand beside each other, as a list in a cell is also read; a list within stays JSON. */
function joined(list: readonly JsonValue[]): string {
  return list
    .map((item) => (typeof item === 'string' ? item : item instanceof ExactNumber ? item.digits : exactText(item)))
    .join('; ');
}
