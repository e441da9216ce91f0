/** Converts a stored value to a cell. Dates are Excel serial numbers, without a time zone. */
import { shownValue } from '../../messages/message.ts';
import { errorOf } from '../../messages/text.ts';
import { excelDigits, roundToExcel } from '../excel-limits.ts';
import type { Cell, DateCell, NumberCell } from '../row.ts';
import { type NumberLook, shownNumber } from './number-format.ts';
import type { SharedStrings } from './shared-strings.ts';

export interface SheetContext {
  /** Its name. */
  readonly sheet: string;
  readonly strings: SharedStrings;
  readonly lookOf: (style: number) => NumberLook | undefined;
  readonly date1904: boolean;
  /** Whether the formulas are not calculated yet. A zero beside one is then a placeholder. */
  readonly awaitsCalculation: boolean;
  readonly onFormula: (row: number, column: number, formula: string) => void;
}

/** A double in XML Schema (ECMA-376, 18.3.1.96). JavaScript accepts more forms, such as 0x10. */
const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** @param style the index of the cell's style; negative for none */
export function readNumber(stored: string, style: number, context: SheetContext, row: number): Cell {
  const value = Number(stored);
  if (!Number.isFinite(value) || !decimalNumber.test(stored))
    throw errorOf('row-unreadable', { row, sheet: context.sheet, stored: shownValue(stored) });
  const look = context.lookOf(style);
  if (look === undefined || (look.kind === 'plain' && look.currency === undefined)) return plainNumber(value, stored);
  const { currency } = look;
  switch (look.kind) {
    case 'plain':
      return { ...plainNumber(value, stored), currency };
    case 'too long':
      throw errorOf('row-unreadable', { row, sheet: context.sheet, stored: null });
    case 'date': {
      const date = dateOfSerial(value, context.date1904);
      if (date !== null)
        return look.shows === undefined ? date : { ...date, hides: look.shows === 'no year' ? 'year' : 'day' };
      if (look.shows === 'time alone' && value >= 0) return timeOfDay(value, stored);
      return { ...plainNumber(value, stored), inOtherForm: true };
    }
    case 'percent':
      return { ...plainNumber(value, stored), percent: true };
    case 'duration':
      return { ...plainNumber(value, stored), shown: durationOfSerial(value), inOtherForm: true };
    case 'form':
      return { ...plainNumber(value, stored), inOtherForm: true };
    case 'more':
      // Formats that only hide a zero are common, and applying a format takes much longer than reading a cell.
      return {
        ...plainNumber(value, stored),
        ...(look.isOfZeroAlone && value !== 0 ? {} : shownNumber(value, look.code)),
        currency,
      };
  }
}

function plainNumber(value: number, stored: string): NumberCell {
  return { kind: 'number', value, stored, shown: plainDigits(value), percent: false };
}

function timeOfDay(value: number, stored: string): NumberCell {
  return { ...plainNumber(value, stored), shown: timeOfSerial(value), inOtherForm: true };
}

export function sharedString(index: number, context: SheetContext, row: number): Cell {
  const text = context.strings.at(index);
  if (text === undefined) throw errorOf('row-unreadable', { row, sheet: context.sheet, stored: null });
  return textOrBlank(text);
}

/** @throws DealsheetError `unreadable-source` for text that is not the index of a string */
export function stringNumber(stored: string, context: SheetContext, row: number): number {
  if (/^\d+$/.test(stored)) return Number(stored);
  throw errorOf('row-unreadable', { row, sheet: context.sheet, stored: shownValue(stored) });
}

export function truthOf(stored: string, context: SheetContext, row: number): boolean {
  if (stored === '1' || stored === 'true') return true;
  if (stored === '0' || stored === 'false') return false;
  throw errorOf('row-unreadable', { row, sheet: context.sheet, stored: shownValue(stored) });
}

/** Reads a day, a day with a time, or a time without a day. Anything else stays text. */
export function isoDate(stored: string): Cell {
  const text = stored.trim();
  const alone = timeAlone.exec(text);
  if (alone !== null) {
    const value = secondsIn(alone) / secondsOfDay;
    return timeOfDay(value, String(value));
  }
  const match = dayWithTime.exec(text);
  const day = match?.groups?.day ?? '';
  if (match === null || !isCalendarDay(day) || !(secondsIn(match) < secondsOfDay)) return text;
  return dateAt(Date.parse(day), secondsIn(match));
}

const time = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2}(?:\.\d+)?)`;
const dayWithTime = new RegExp(String.raw`^(?<day>\d{4}-\d{2}-\d{2})(?:T${time}(?:Z|[+-]\d{2}:\d{2})?)?$`);
const timeAlone = new RegExp(`^T?${time}Z?$`);

function secondsIn({ groups: { hour = '0', minute = '0', second = '0' } = {} }: RegExpExecArray): number {
  return Number(hour) * 3600 + Number(minute) * 60 + Number(second);
}

/** Whether the calendar has this day. JavaScript takes 31 February for 3 March. */
export function isCalendarDay(day: string): boolean {
  const moment = Date.parse(day);
  return !Number.isNaN(moment) && dayAndTime(new Date(moment)).day === day;
}

export function textOrBlank(text: string): Cell {
  return text === '' ? null : text;
}

/** The longest text of 15 digits, with a sign and a point. Text with leading zeros may be longer, but rounds to itself. */
const longestExact = excelDigits + 2;

/** A number without binary noise. JavaScript writes whole numbers below 1e21 without an exponent. */
function plainDigits(value: number): string {
  const text = String(value);
  return text.length >= longestExact && !Number.isInteger(value) ? String(roundToExcel(value)) : text;
}

const millisecondsOfDay = 86_400_000;
const secondsOfDay = 86_400;
const dayZero1900 = Date.UTC(1899, 11, 30);
const dayZero1904 = Date.UTC(1904, 0, 1);
/** Excel counts a 29 February 1900 that did not exist. Before serial 61 its days are off by one, so they are not trusted. */
const firstSafeSerial1900 = 61;
const lastSerial1900 = 2_958_465;
const lastSerial1904 = 2_957_003;
/** Excel's tolerance. A smaller rest of a day is binary noise, while 23:59:59.999 still belongs to its day. */
const noiseInSeconds = 0.0001;

/** @returns the serial in the 1900 system, or `null` for an invalid day or one before the first safe serial */
export function serialOfDate(day: string, time: string | undefined): number | null {
  const serial = (Date.parse(`${day}T${time ?? '00:00:00'}Z`) - dayZero1900) / millisecondsOfDay;
  return Number.isFinite(serial) && serial >= firstSafeSerial1900 ? serial : null;
}

/** @returns the day, or `null` for a number outside the date system */
export function dateOfSerial(serial: number, date1904: boolean): DateCell | null {
  const last = date1904 ? lastSerial1904 : lastSerial1900;
  if (!Number.isFinite(serial) || serial > last || serial < (date1904 ? 0 : firstSafeSerial1900)) return null;
  const whole = Math.floor(serial);
  return dateAt((date1904 ? dayZero1904 : dayZero1900) + whole * millisecondsOfDay, (serial - whole) * secondsOfDay);
}

function dateAt(start: number, seconds: number): DateCell {
  const { day, time } = dayAndTime(new Date(start + wholeSeconds(seconds) * 1000));
  return { kind: 'date', day, time: time === '00:00:00' ? null : time };
}

/** @returns `14:05`, or `14:05:30` if there are seconds */
function timeOfSerial(serial: number): string {
  const { time } = dayAndTime(
    new Date((wholeSeconds((serial - Math.floor(serial)) * secondsOfDay) % secondsOfDay) * 1000),
  );
  return time.endsWith(':00') ? time.slice(0, -':00'.length) : time;
}

/** `60:40:00`, regardless of the parts that the format shows. */
export function durationOfSerial(serial: number): string {
  const seconds = Math.round(Math.abs(serial) * secondsOfDay);
  const rest = new Date((seconds % 3600) * 1000).toISOString().slice('1970-01-01T00:'.length, secondLength);
  return `${serial < 0 ? '-' : ''}${Math.floor(seconds / 3600)}:${rest}`;
}

/** Rounds the seconds of a day, but not into the next day. */
function wholeSeconds(seconds: number): number {
  return seconds > secondsOfDay - noiseInSeconds ? secondsOfDay : Math.min(Math.round(seconds), secondsOfDay - 1);
}

const dayLength = 'YYYY-MM-DD'.length;
const secondLength = 'YYYY-MM-DDTHH:MM:SS'.length;

/** The day and time to the second. In UTC, because cells have no time zone. */
export function dayAndTime(moment: Date): { readonly day: string; readonly time: string } {
  const text = moment.toISOString();
  return { day: text.slice(0, dayLength), time: text.slice(dayLength + 1, secondLength) };
}
