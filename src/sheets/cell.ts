/** One cell as its file stores and shows it. The mapping decides what it means. */
import Big from 'big.js';
import { excelDigits } from './excel-limits.ts';

/** `null` is a blank cell. A string is text exactly as stored; a CSV file has nothing else. */
export type Cell = null | string | NumberCell | DateCell | BooleanCell | ErrorCell | FormulaWithoutValue;

export interface NumberCell {
  readonly kind: 'number';
  readonly value: number;
  /** The digits as stored (`1250.5`, `1.2E+05`), before any conversion to a double. */
  readonly stored: string;
  /** What Excel shows if that is more than the number (`01-2345678`, `1,250.00 DR`, `12:30`), else the plain number. */
  readonly shown: string;
  /** Whether the format shows a percentage (0.6 as 60%). */
  readonly percent: boolean;
  /** The format shows a time, a fraction, a power of ten or nothing. Programs turn text such as `12E4` into these. */
  readonly inOtherForm?: true;
  /** The currency sign that the format shows, if it is not the dollar. */
  readonly currency?: string | undefined;
}

export interface DateCell {
  readonly kind: 'date';
  readonly day: string;
  /** `HH:MM:SS` unless the time is midnight. */
  readonly time: string | null;
  /** The format shows a year, month or time, but no day. */
  readonly hidesDay?: true;
}

export interface BooleanCell {
  readonly kind: 'boolean';
  readonly value: boolean;
}

export interface ErrorCell {
  readonly kind: 'error';
  readonly text: string;
}

export interface FormulaWithoutValue {
  readonly kind: 'formula-without-value';
  readonly formula: string;
}

/** Cells that link to an address outside the workbook. */
export interface LinkedRange extends MergedRange {
  readonly address: string;
}

/** A range of merged cells. Indices from 0, ends included; a row index is Excel's row number minus 1. */
export interface MergedRange {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

const minus = /[-\u2010\u2011\u2013\u2212]/;
/** Marks of negative numbers in sections for these alone: `△1,250` in Japan, `<1,250>`. */
const otherMinus = /[△▲▽▼<]/;
/** Characters around the digits: currencies, brackets, signs, blanks, and marks for no cents as in `1250.-`. */
const besideNumbers = /[\p{Sc}\s()<>+\-\u2010\u2011\u2013\u2212△▲▽▼%.,'_]/gu;
let currencies: ReadonlySet<string> | null = null;

/** Whether a text is this number in digits, perhaps with a currency, rounded to the places that it has. */
export function showsNumber(text: string, value: number): boolean {
  const [, front = '', body = '', back = ''] = /^(\D*?)(\.?\d(?:.*\d)?)?(\D*)$/s.exec(text) ?? [];
  if (!areOfCurrencies(front + back)) return false;
  if (body === '') return value === 0 && text.trim() !== '';
  const isNegative = minus.test(front) || (front.includes('(') && back.includes(')'));
  const isSigned = isNegative || otherMinus.test(front) || (minus.test(back) && !back.startsWith('.'));
  const isSignRight = value > 0 ? !isNegative : isSigned || !/[1-9]/.test(body);
  return isSignRight && areDigitsOf(body, new Big(exactSize(value)));
}

/** Excel shows 15 digits of a number. The rest is binary noise. */
export function exactSize(value: number): string | number {
  const size = Math.abs(value);
  return Number.isInteger(size) ? size : size.toPrecision(excelDigits);
}

/** Whether the words and signs around a number are only currencies, such as `USD` or `US$`. */
function areOfCurrencies(around: string): boolean {
  const words = around.split(/\s+/).filter((word) => !/\p{Sc}/u.test(word));
  const left = words.map((word) => word.replace(besideNumbers, '')).filter((word) => word !== '');
  if (left.length === 0) return true;
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return left.every((word) => currencies?.has(word));
}

const lastMark = /^(.*)([.,])(\d*)$/s;
/** Groups of three, or of two before the last three, as in India. */
const grouped = /^\d+$|^\d{1,3}(?:[.,'\s]\d{2,3})*[.,'\s]\d{3}$/;

/** The last mark may precede decimals or thousands, unless it also separates thousands elsewhere. */
function areDigitsOf(body: string, size: Big): boolean {
  const digits = (text: string) => text.replace(/[.,'\s]/g, '');
  if (grouped.test(body) && size.round(0, Big.roundHalfUp).eq(digits(body))) return true;
  const [, whole = '', mark = '', decimals = ''] = lastMark.exec(body) ?? [];
  if (mark === '' || whole.includes(mark) || (whole !== '' && !grouped.test(whole))) return false;
  return size.round(decimals.length, Big.roundHalfUp).eq(`${digits(whole) || '0'}.${decimals}`);
}
