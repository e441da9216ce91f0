/** From the value of a record to the cell of its column. Exact: a number that a spreadsheet would round stays text. */
import Big from 'big.js';
import { pathOf, valueAt } from '../contract/body-path.ts';
import { visibleText } from '../messages/plain-text.ts';
import { excelDigits } from '../sheets/excel-limits.ts';
import type { OutputValue } from '../sheets/sheet-writer.ts';
import { dayAndTime } from '../sheets/xlsx/cell-value.ts';
import type { ColumnLook } from '../workbooks/export-sheet.ts';
import type { SourceColumn } from './columns.ts';
import { ExactNumber, exactText, type JsonObject, type JsonValue, textOf } from './exact-json.ts';
import { isoDate, isoMoment, plainDecimal } from './record-shape.ts';

export function rowOf(record: JsonObject, columns: readonly SourceColumn[]): readonly OutputValue[] {
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

/** A value as the text that it has in a file of last month. */
export function textOfCell(value: OutputValue): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value !== 'object') return String(value);
  if ('day' in value) return value.time === undefined ? value.day : `${value.day} ${value.time}`;
  return 'digits' in value ? value.digits : value.text;
}

function cellOf(value: JsonValue | undefined, look: ColumnLook): OutputValue {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value;
  if (value instanceof ExactNumber) return isNumeric(look) ? numberOrText(value.digits) : value.digits;
  if (typeof value === 'string') return cellOfText(shownText(value), look);
  // Plain values stand beside each other, as a list in a cell is also read; a list within stays JSON.
  if (Array.isArray(value)) return shownText(value.map((item) => textOf(item) ?? exactText(item)).join('; '));
  return exactText(value);
}

/** Whoever looks at a CSV file in a terminal is not to be at the mercy of what the service wrote. */
function shownText(text: string): string {
  return visibleText(text.replace(/\r\n?/g, '\n'));
}

function cellOfText(text: string, look: ColumnLook): OutputValue {
  if (look === 'date' || look === 'date-time') return dayOf(text, look) ?? text;
  return isNumeric(look) && plainDecimal.test(text.trim()) ? numberOrText(text.trim()) : text;
}

function isNumeric(look: ColumnLook): boolean {
  return look === 'money' || look === 'percent' || look === 'integer' || look === 'number';
}

/** Nobody writes such a number by hand, and its zeros would fill a line. */
const largestExponent = 30;

/** `1.5e3` is written out as `1500`. */
function numberOrText(written: string): OutputValue {
  const exponent = /e([+-]?\d+)$/i.exec(written)?.[1] ?? '0';
  const isEndless = Math.abs(Number(exponent)) > largestExponent;
  const digits = exponent === '0' || isEndless ? written : new Big(written).toFixed();
  return !isEndless && significantDigits(digits) <= excelDigits ? { digits } : digits;
}

function significantDigits(digits: string): number {
  if (digits.length <= excelDigits) return digits.length;
  const trimmed = digits.includes('.') ? digits.replace(/0+$/, '') : digits;
  return trimmed.replace(/[-.]/g, '').replace(/^0+/, '').length;
}

function dayOf(text: string, look: 'date' | 'date-time'): OutputValue {
  if (isoDate.test(text)) return { day: text };
  const [, day, time, zone] = isoMoment.exec(text) ?? [];
  if (day === undefined || time === undefined) return null;
  if (look === 'date') return { day };
  if (zone === undefined) return { day, time: time.length === 'HH:MM'.length ? `${time}:00` : time };
  const at = new Date(text.replace(' ', 'T'));
  return Number.isNaN(at.getTime()) ? null : dayAndTime(at);
}
