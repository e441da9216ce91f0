/** What a cell holds, from its value as the sheet stores it. */
import type { Cell, NumberCell } from '../cell.ts';
import { excelDigits, roundToExcel } from '../excel-limits.ts';
import { damaged, hostile } from '../unreadable.ts';
import { type NumberLook, shownNumber } from './number-format.ts';
import {
  dateAt,
  dateOfSerial,
  dayAndTime as dayAndTimeOf,
  durationOfSerial,
  secondsOfDay,
  timeOfSerial,
} from './serial-date.ts';
import type { SharedStrings } from './shared-strings.ts';

export interface SheetContext {
  /** The sheet as a message names it. */
  readonly part: string;
  readonly strings: SharedStrings;
  /** The number format by the number of the style. */
  readonly lookOf: (style: number) => NumberLook | undefined;
  readonly date1904: boolean;
  /** Whether the formulas are still to be calculated: a zero beside one is then what its writer put there for nothing. */
  readonly awaitsCalculation: boolean;
  /** Told the formulas whose values are texts. */
  readonly onFormula: (row: number, column: number, formula: string) => void;
}

/** As XML Schema writes a double (ECMA-376, 18.3.1.96): JavaScript would read more forms, such as 0x10. */
const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const digitsAlone = /^\d+$/;

/** @param style   the number of the cell's style, or a negative number for none */
export function readNumber(stored: string, style: number, context: SheetContext, row: number): Cell {
  const value = Number(stored);
  if (!Number.isFinite(value) || !decimalNumber.test(stored))
    throw damaged(`row ${row} of ${context.part} has a number that is none (${shortened(stored)})`);
  const look = context.lookOf(style);
  if (look === undefined || look.kind === 'plain') return plainNumber(value, stored);
  switch (look.kind) {
    case 'too long':
      throw hostile(`row ${row} of ${context.part} has a number format that is longer than Excel lets one be`);
    case 'date': {
      const date = dateOfSerial(value, context.date1904);
      if (date !== null) return look.shows === undefined ? date : { ...date, hidesDay: true };
      return look.shows === 'time alone' && value >= 0 ? timeOfDay(value, stored) : plainNumber(value, stored);
    }
    case 'percent':
      return { ...plainNumber(value, stored), percent: true };
    case 'duration':
      return { ...plainNumber(value, stored), shown: durationOfSerial(value), inOtherForm: true };
    case 'form':
      return { ...plainNumber(value, stored), inOtherForm: true };
    case 'sections':
      // Formats that hide a zero are common, and working out what one shows takes many times what reading a cell does.
      if (look.isOfZeroAlone && value !== 0) return plainNumber(value, stored);
      return { ...plainNumber(value, stored), ...shownNumber(value, look.sections) };
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
  if (text === undefined) throw damaged(`row ${row} of ${context.part} names a string that is not in the workbook`);
  return textOrBlank(text);
}

/** @throws DealsheetError `unreadable-source` for text that is no number of a string */
export function stringNumber(stored: string, context: SheetContext, row: number): number {
  if (digitsAlone.test(stored)) return Number(stored);
  throw damaged(
    `row ${row} of ${context.part} names a string by something else than its number (${shortened(stored)})`,
  );
}

const longestShown = 40;

function shortened(stored: string): string {
  return stored.length > longestShown ? `${stored.slice(0, longestShown)}…` : stored;
}

export function truthOf(stored: string, context: SheetContext, row: number): boolean {
  if (stored === '1' || stored === 'true') return true;
  if (stored === '0' || stored === 'false') return false;
  throw damaged(`row ${row} of ${context.part} has a truth value that is none (${shortened(stored)})`);
}

/** A day, with a time or without; a time alone is that of no day, and what is neither stays the text that it is. */
export function isoDate(stored: string): Cell {
  const text = stored.trim();
  const alone = timeAlone.exec(text);
  if (alone !== null) {
    const value = secondsIn(alone) / secondsOfDay;
    return timeOfDay(value, String(value));
  }
  const match = dayAndTime.exec(text);
  const day = Date.parse(`${match?.groups?.day}T00:00:00Z`);
  if (match === null || !isCalendarDay(day, text) || !(secondsIn(match) < secondsOfDay)) return text;
  return dateAt(day, secondsIn(match));
}

const time = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2}(?:\.\d+)?)`;
const dayAndTime = new RegExp(String.raw`^(?<day>\d{4}-\d{2}-\d{2})(?:T${time}(?:Z|[+-]\d{2}:\d{2})?)?$`);
const timeAlone = new RegExp(`^T?${time}Z?$`);

function secondsIn({ groups: { hour = '0', minute = '0', second = '0' } = {} }: RegExpExecArray): number {
  return Number(hour) * 3600 + Number(minute) * 60 + Number(second);
}

function isCalendarDay(moment: number, text: string): boolean {
  return !Number.isNaN(moment) && text.startsWith(dayAndTimeOf(new Date(moment)).day);
}

export function textOrBlank(text: string): Cell {
  return text === '' ? null : text;
}

const largestPlain = 1e21;

/** No number of 15 digits is longer, with a sign and a point; what has zeros in front is rounded to no other. */
const longestExact = excelDigits + 2;

/** A number without an exponent where that is exact, and without the noise of a calculated one. */
function plainDigits(value: number): string {
  const text = String(value);
  if (text.length >= longestExact && !Number.isInteger(value)) return String(roundToExcel(value));
  return text.includes('e') && Number.isInteger(value) && Math.abs(value) < largestPlain
    ? BigInt(value).toString()
    : text;
}
