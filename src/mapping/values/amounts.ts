/**
 * Reads numbers and money: exact digits or a fault. A text is read in four steps: what stands around its digits, the shape
 * of its marks, the decimal mark that its column gives this shape, and the digits without their marks.
 */
import Big from 'big.js';
import type { Message } from '../../messages/message.ts';
import { messageOf } from '../../messages/text.ts';
import { excelDigits, fitsExcel, roundToExcel } from '../../tables/excel-limits.ts';
import type { NumberCell } from '../../tables/row.ts';
import { showsNumber } from '../../tables/shown-number.ts';
import {
  changed,
  type FilledCell,
  fault,
  formOf,
  isTooLong,
  leastLoss,
  noted,
  percentScale,
  type Reading,
  shownText,
  showsTime,
  textOfCell,
  value,
  wordsOfFormats,
} from '../reading.ts';

export const decimalMarks = ['point', 'comma'] as const;
export type DecimalMark = (typeof decimalMarks)[number];

/** The decimal mark that a column shows, or its surroundings. If none does, `1.250` in a money field may well be 1250. */
export type ColumnDecimal = DecimalMark | 'contradictory' | 'comma elsewhere' | 'unknown';

type AmountFormat = 'money' | 'number' | 'percent';

export function readNumber(cell: FilledCell, decimal: ColumnDecimal): Reading {
  return readAmount(cell, 'number', decimal);
}

export interface MoneyColumn {
  readonly decimal: ColumnDecimal;
  readonly saidDecimal?: DecimalMark | null;
  /** The mark of amounts that a spreadsheet may have left as text. Its numbers may then be thousands. */
  readonly leftAsText?: DecimalMark | null;
}

export function readMoney(cell: FilledCell, { decimal, saidDecimal = null, leftAsText = null }: MoneyColumn): Reading {
  const reading = readAmount(cell, 'money', decimal, saidDecimal !== null);
  if (typeof cell === 'string' || !reading.ok) return reading;
  // A thousand and more had another mark, and would be text, too.
  if (leftAsText !== null && reading.value !== 0 && Math.abs(reading.value) < 1000) {
    const read = String(reading.value);
    return noted(reading, messageOf('perhaps-thousands', { read, isComma: leftAsText === 'comma' }));
  }
  return hasPartsOfCents(reading.value) ? noted(reading, beyondCents(reading.value)) : reading;
}

/** 60, `60%` and a cell that shows 60% mean sixty. The interface sets no bounds, so unlikely values get a note and are sent. */
export function readPercent(cell: FilledCell, decimal: ColumnDecimal): Reading {
  const reading = readAmount(cell, 'percent', decimal);
  if (!reading.ok) return reading;
  if (reading.value < 0) return noted(reading, messageOf('percent-outside', { isBelow: true }));
  if (reading.value > percentScale) return noted(reading, messageOf('percent-outside', { isBelow: false }));
  const mayBeShare = reading.value > 0 && reading.value <= 1;
  return mayBeShare && !shownText(cell).includes('%')
    ? changed(reading.value, messageOf('percent-or-share', { read: String(reading.value) }))
    : reading;
}

/** Sends a plain number as a number, and anything else as text (`10%`). Only a person can declare its decimal mark. */
export function readTextOrNumber(cell: FilledCell, saidDecimal: DecimalMark | null): Reading {
  const text = shownText(cell).trim();
  if (saidDecimal !== null && typeof cell === 'string' && /[.,]/.test(text)) return readMarkedText(text, saidDecimal);
  const reading = plainNumber.test(text) ? readWritten(text, 'number', 'point', true) : null;
  if (reading?.ok) return reading;
  return typeof cell === 'string' ? value(text) : textOfCell(cell, text);
}

/** `12,5` and `12,5%` with a declared decimal mark. A text that is not a number stays text. */
function readMarkedText(text: string, decimal: DecimalMark): Reading {
  const reading = readWritten(text, 'percent', decimal, true);
  if (!reading.ok) return value(text);
  if (!text.endsWith('%')) return reading;
  const percent = `${reading.value}%`;
  return percent === text ? value(text) : changed(percent, messageOf('read-as', { read: percent }));
}

/** The exact amount of a number's digits, or of money as a person writes it (`$1,250.00`); `null` for anything else. */
export function exactAmount(text: string): Big | null {
  if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return new Big(text);
  const read = readMoney(text, { decimal: 'unknown' });
  return read.ok ? new Big(String(read.value)) : null;
}

const decimalsOfCents = 2;

function hasPartsOfCents(amount: number): boolean {
  return !Number.isInteger(amount) && Number(amount.toFixed(decimalsOfCents)) !== amount;
}

/** An amount with fractions of a cent is sent as it is: it may be a typo, or thousands with another mark. */
function beyondCents(number: number): Message {
  return messageOf('beyond-cents', { read: String(number) });
}

function notANumber(decimal: ColumnDecimal): Message {
  return messageOf('not-a-number', { isComma: decimal === 'comma' });
}

function readAmount(cell: FilledCell, format: AmountFormat, decimal: ColumnDecimal, isSaid = false): Reading<number> {
  return typeof cell === 'string' ? readWritten(cell, format, decimal, isSaid) : readTyped(cell, format);
}

function readTyped(cell: Exclude<FilledCell, string>, format: AmountFormat): Reading<number> {
  if (cell.kind !== 'number') {
    const form = formOf(cell);
    return fault(form === null ? notANumber('point') : messageOf('no-number-but', { form }));
  }
  if (cell.percent && format !== 'percent') return fault(messageOf('percentage-for-amount'));
  if (Math.abs(cell.value) >= 10 ** excelDigits) return fault(messageOf('too-many-digits'));
  if (showsTime(cell)) return fault(messageOf('no-number-but', { form: messageOf('form-time') }));
  const number = roundToExcel(cell.value);
  if (isShownAsAnother(cell, format === 'money')) return fault(messageOf('shown-otherwise', { number }));
  if (cell.inOtherForm) return changed(number, messageOf('read-of-form', { number }));
  if (format === 'money' && cell.currency !== undefined)
    return changed(number, messageOf('currency-not-sent', { read: String(number), currency: cell.currency }));
  return value(cell.percent ? roundToExcel(cell.value * percentScale) : number);
}

/** Whether the cell shows another amount than its number. Outside money, a word is a unit: `12m`. */
export function isShownAsAnother({ shown, value, percent }: NumberCell, isMoney: boolean): boolean {
  if (percent || Number(shown) === value || Number(shown) === roundToExcel(value)) return false;
  return !showsNumber(isMoney ? shown : shown.replace(wordsOfFormats, ''), value);
}

/** A number as JSON writes it. Reading it changes nothing. */
const plainNumber = /^(-?)((?:0|[1-9]\d*)(?:\.\d+)?)$/;
/** The service has no field for the currency, so an amount in another currency is sent as a bare number. */
const otherCurrency = /[€£]|EUR|GBP|CAD/i;

function readWritten(cell: string, format: AmountFormat, column: ColumnDecimal, isSaid: boolean): Reading<number> {
  const text = cell.trim();
  const amount = writtenAmount(text);
  if (amount === null && isZeroInAccounts(cell, format)) return changed(0, messageOf('zero-in-accounts'));
  const isOther = (amount?.hasCurrency && format !== 'money') || (amount?.hasPercent && format !== 'percent');
  if (amount === null || isOther) return fault(notANumber(column));
  const shape = shapeOf(amount.digits, format === 'money');
  const decimal = markFor(shape, format, column, isSaid);
  if (typeof decimal !== 'string') return fault(messageOf('two-amounts', { why: decimal }));
  const plain = plainDigits(amount.digits, decimal);
  if (plain === null) return fault(notANumber(decimal));
  const written = writtenNumber(plain);
  if (written === null) return fault(messageOf('too-many-digits'));
  const number = amount.isNegative ? -written.number : written.number;
  const hasThousandths = shape === (decimal === 'comma' ? '1,250' : '1.250') || hasPartsOfCents(number);
  if (format === 'money' && hasThousandths) return changed(number, beyondCents(number));
  if (written.isRounded) return changed(number, messageOf('binary-rest', { read: String(number) }));
  // A percent sign changes nothing. A plain `1.250` in a column of decimal commas changes, so it gets a note.
  if ((plainNumber.test(text) || amount.hasPercent) && Number.parseFloat(text) === number) return value(number);
  const read = format === 'money' && !Number.isInteger(number) ? number.toFixed(decimalsOfCents) : String(number);
  const [currency] = otherCurrency.exec(text) ?? [];
  if (currency === undefined) return changed(number, messageOf('read-as', { read }));
  return changed(number, messageOf('currency-not-sent', { read, currency }));
}

const currencySigns = /(?:\bUS ?)?\$|[€£]|(?<!\p{L})(?:USD|EUR|GBP|CAD)(?!\p{L})/giu;
/** `1.250,-`, `100.\u2013`: a dash after a mark means no cents, not a negative. `12$50` is ambiguous. */
const noAmount = /[.,]\s*[-\u2012-\u2015\u2212]|\d\s*(?:[$€£]|[a-z]{3})\s*\d/i;
/** Dashes that word processors write for a minus. */
const signsOfMinus = /[\u2012\u2013\u2212]/g;
/** `5`, `+5`, `-5`, `5-` and `(5)`: the signs around the digits, and whether they make a negative. */
const pairsOfSigns: Readonly<Record<string, boolean>> = { '': false, '+': false, '-': true, '()': true };

/** @returns among others the digits with their marks: `1.250,50`, `1 250`, `1'250` */
function writtenAmount(text: string) {
  if (isTooLong(text)) return null;
  const plain = plainNumber.exec(text);
  if (plain !== null)
    return { digits: plain[2] ?? '', isNegative: plain[1] === '-', hasCurrency: false, hasPercent: false };
  if (noAmount.test(text)) return null;
  const hasPercent = text.endsWith('%');
  const signed = (hasPercent ? text.slice(0, -1) : text)
    .replace(/[\u00a0\u2009\u202f]/g, ' ')
    .replace(signsOfMinus, '-')
    .replaceAll('\u2019', "'");
  const bare = signed.replace(currencySigns, ' ');
  const parts = /^([-+(]?)\s*([\d.,' ]*\d[\d.,']*)\s*([-)]?)$/.exec(bare.trim());
  if (parts === null) return null;
  const [, before = '', digits = '', after = ''] = parts;
  const isNegative = pairsOfSigns[before + after];
  return isNegative === undefined ? null : { digits, isNegative, hasCurrency: bare !== signed, hasPercent };
}

/** `$-`, or a dash with blanks on both sides, is zero in an accounting format. A typed dash may mean nothing. */
function isZeroInAccounts(cell: string, format: AmountFormat): boolean {
  const rest = format === 'money' ? cell.replace(currencySigns, ' ') : cell;
  return /^\s+-\s+$/.test(rest) || (rest !== cell && rest.trim() === '-');
}

/** What the marks of an amount show: its decimal mark, or one of two readings, or nothing. */
type Shape = DecimalMark | '1.250' | '1,250' | null;

/** The first that fits counts. A mark is the decimal one if it is alone, or the last of both; repeated, it marks thousands. */
const shapes: readonly (readonly [Shape, RegExp])[] = [
  ['1.250', /^[1-9]\d{0,2}\.\d{3}$/],
  ['1,250', /^[1-9]\d{0,2},\d{3}$/],
  ['point', /^(?:\d*\.\d*|[\d.]*,[\d.,]*\.\d*|\d*(?:,\d{3}){2,})$/],
  ['comma', /^(?:\d*,\d*|[\d,]*\.[\d.,]*,\d*|\d*(?:\.\d{3}){2,})$/],
];
/** Money with a comma and at least four digits after it is easily a typo for `12,500`, and shows nothing. */
const likelyTypo = /^[1-9]\d{0,2},\d{4,}$/;

function shapeOf(digits: string, isMoney: boolean): Shape {
  if (!/[.,]/.test(digits)) return null;
  const marked = digits.replace(/[' ]/g, '');
  if (isMoney && likelyTypo.test(marked)) return null;
  return shapes.find(([, pattern]) => pattern.test(marked))?.[0] ?? null;
}

export function looksLikeAmount(text: string): boolean {
  return writtenAmount(text.trim()) !== null;
}

/** The shape of a text that is an amount. `Total 7,5 items` is none, and shows nothing. */
export function shapeOfText(text: string, isMoney: boolean): Shape {
  const amount = writtenAmount(text.trim());
  return amount === null ? null : shapeOf(amount.digits, isMoney);
}

/** The decimal mark by which a text is read in its column, or why it can be two amounts. */
function markFor(shape: Shape, format: AmountFormat, column: ColumnDecimal, isSaid: boolean): DecimalMark | Message {
  const isEither = shape === '1.250' || shape === '1,250';
  if (column === 'contradictory') return isEither ? messageOf('both-marks-in-column') : (shape ?? 'point');
  if (column === 'comma elsewhere') return isEither ? messageOf('comma-elsewhere') : (shape ?? 'point');
  // Unless a person declared the mark, one `12,50` among `12,500` and `7,250` may be a typo.
  const isOpen = format === 'money' && !isSaid;
  if (isOpen && column === 'comma' && shape === '1,250') return messageOf('cents-or-thousands-at-comma');
  if (isOpen && column === 'unknown' && shape === '1.250') return messageOf('cents-or-thousands-at-point');
  return column === 'comma' ? 'comma' : 'point';
}

/** An amount of digits, marks of thousands (always the same one, between groups of three) and a decimal mark. */
const numerals: Readonly<Record<DecimalMark, RegExp>> = {
  point: /^(\d*|[1-9]\d{0,2}(?:([,' ])\d{3}(?:\2\d{3})*))(?:\.(\d*))?$/,
  comma: /^(\d*|[1-9]\d{0,2}(?:([.' ])\d{3}(?:\2\d{3})*))(?:,(\d*))?$/,
};

/** `1,250.00` to `1250.00`, or `null` if the marks are not where an amount has them. */
function plainDigits(digits: string, decimal: DecimalMark): string | null {
  if (decimal === 'point' && plainNumber.test(digits)) return digits;
  const [, whole, , fraction = ''] = numerals[decimal].exec(digits) ?? [];
  if (whole === undefined) return null;
  const plain = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0';
  return fraction === '' ? plain : `${plain}.${fraction}`;
}

/** @returns `null` for more digits than a number can hold, unless the last of them are noise */
export function writtenNumber(digits: string) {
  if (fitsExcel(digits)) return { number: Number(digits), isRounded: false };
  const number = roundToExcel(Number(digits));
  return isNoiseBehind(number, digits) ? { number, isRounded: true } : null;
}

/** Binary sums are off only in their last places, so the rounded number is at least this many digits shorter. */
const fewestZeros = 2;

/** Whether the rounded number is what the writer meant. Text without decimals may be a long id. */
function isNoiseBehind(rounded: number, digits: string): boolean {
  if (!digits.includes('.')) return false;
  const exact = new Big(rounded);
  return exact.c.length <= excelDigits - fewestZeros && exact.minus(digits).abs().lt(leastLoss);
}
