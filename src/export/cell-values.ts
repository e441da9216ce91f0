/**
 * Converts a record's value to a cell. Exact: a number that a spreadsheet would round stays text. SSNs and dates of birth are
 * masked by name, and SSNs also by their look, unless the person wants them.
 */
import Big from 'big.js';
import { pathOf, valueAt } from '../contract/body-path.ts';
import { isSensitiveName } from '../contract/fields.ts';
import { masked, withoutSsn } from '../mapping/marks.ts';
import { visibleText } from '../messages/plain-text.ts';
import { fitsExcel } from '../tables/excel-limits.ts';
import type { OutputValue } from '../tables/sheet-writer.ts';
import { dayAndTime, isCalendarDay } from '../tables/xlsx/cell-value.ts';
import type { ColumnLook } from '../workbooks/export-sheet.ts';
import { isoDate, isoMoment, plainDecimal, type SourceColumn } from './columns.ts';
import { ExactNumber, exactText, isJsonObject, type JsonObject, type JsonValue, textOf } from './exact-json.ts';

export function rowOf(record: JsonObject, columns: readonly SourceColumn[]): readonly OutputValue[] {
  return columns.map((column) => {
    const value = valueAt<JsonValue>(record, column.segments);
    if (column.takes === 'count') return Array.isArray(value) ? value.length : null;
    return cellOf(value, column.look);
  });
}

/** Only the values of the columns, by path; `null` for one that the record lacks. */
export function valuesByPath(record: JsonObject, columns: readonly SourceColumn[]): JsonObject {
  return new Map(columns.map(({ segments }) => [pathOf(segments), valueAt<JsonValue>(record, segments) ?? null]));
}

/** A value as the text that last month's file has for it. */
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
  // Plain values are joined as in a list cell; nested lists stay JSON.
  if (Array.isArray(value)) return shownText(value.map((item) => textOf(item) ?? exactText(item)).join('; '));
  return exactText(value);
}

/** A CSV file may be viewed in a terminal, which must not obey what the service wrote. */
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

/** Above this exponent a number stays as written, because its zeros would fill a line. */
const largestExponent = 30;

/** Writes `1.5e3` as `1500`. */
function numberOrText(written: string): OutputValue {
  const exponent = /e([+-]?\d+)$/i.exec(written)?.[1] ?? '0';
  const isEndless = Math.abs(Number(exponent)) > largestExponent;
  const digits = exponent === '0' || isEndless ? written : new Big(written).toFixed();
  return !isEndless && fitsExcel(digits) ? { digits } : digits;
}

function dayOf(text: string, look: 'date' | 'date-time'): OutputValue {
  const [, day = '', time, zone] = isoDate.test(text) ? [text, text] : (isoMoment.exec(text) ?? []);
  if (!isCalendarDay(day)) return null;
  if (look === 'date' || time === undefined) return { day };
  if (zone === undefined) return { day, time: time.length === 'HH:MM'.length ? `${time}:00` : time };
  const at = new Date(text.replace(' ', 'T'));
  return Number.isNaN(at.getTime()) ? null : dayAndTime(at);
}

/** The same record with sensitive values masked. */
export function withoutSensitive(record: JsonObject): JsonObject {
  let copy: Map<string, JsonValue> | null = null;
  for (const [name, value] of record) {
    const shown = isSensitiveName(name) ? stars(value) : within(value);
    if (shown === value) continue;
    copy ??= new Map(record);
    copy.set(name, shown);
  }
  return copy ?? record;
}

/** A cell of an earlier export as this one would show it. */
export function shownBefore(label: string, text: string): string {
  return isSensitiveName(label) ? masked(text) : withoutSsn(text);
}

function within(value: JsonValue): JsonValue {
  if (typeof value === 'string') return withoutSsn(value);
  if (isJsonObject(value)) return withoutSensitive(value);
  if (!Array.isArray(value)) return value;
  const items = (value as readonly JsonValue[]).map(within);
  return items.some((item, index) => item !== value[index]) ? items : value;
}

function stars(value: JsonValue): JsonValue {
  if (value === null || value === '' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return masked(value);
  return masked(value instanceof ExactNumber ? value.digits : exactText(value));
}
