/** Reads numbers and money: exact digits or a fault. Thousands and decimal marks follow the column. */
import Big from 'big.js';
import type { Message } from '../../messages/message.ts';
import { valueMessage } from '../../messages/values.ts';
import type { NumberCell } from '../../sheets/cell.ts';
import { excelDigits, roundToExcel } from '../../sheets/excel-limits.ts';
import { showsNumber } from '../../sheets/xlsx/number-format.ts';
import {
  changed,
  type FilledCell,
  fault,
  formOf,
  leastLoss,
  noted,
  type Reading,
  shownText,
  showsTime,
  textOfCell,
  value,
  wordsOfFormats,
} from '../reading.ts';

/** The decimal mark that a column shows. If it shows none, `1.250` in a money field may well be 1250. */
export type ColumnDecimal = DecimalMark | 'contradictory' | 'comma elsewhere' | 'unknown';

export function readNumber(cell: FilledCell, decimal: ColumnDecimal): Reading {
  return readAmount(cell, decimal, { currency: false, percent: false });
}

export interface MoneyFormat {
  readonly decimal: ColumnDecimal;
  readonly saidDecimal?: DecimalMark | null;
  /** The mark of amounts that a spreadsheet may have left as text. Its numbers may then be thousands. */
  readonly leftAsText?: DecimalMark | null;
}

/** Reads money. Unless a person declared the mark, one `12,50` among `12,500` and `7,250` may be a typo. */
export function readMoney(cell: FilledCell, { decimal, saidDecimal = null, leftAsText = null }: MoneyFormat): Reading {
  const text = typeof cell === 'string' ? cell : '';
  if (decimal === 'comma' && saidDecimal === null && mayBeThousands(text, 'comma'))
    return twoAmounts(valueMessage('cents-or-thousands-at-comma'));
  if (decimal !== 'comma' && mayBeSlip(text)) return fault(notANumber('point'));
  if (decimal === 'unknown' && mayBeThousands(text, 'point'))
    return twoAmounts(valueMessage('cents-or-thousands-at-point'));
  const reading = readAmount(cell, decimal, { currency: true, percent: false });
  if (!reading.ok || typeof reading.value !== 'number') return reading;
  const mayBeOfText = typeof cell !== 'string' && leftAsText !== null && reading.value !== 0;
  if (mayBeOfText) return noted(reading, valueMessage('perhaps-thousands', { isComma: leftAsText === 'comma' }));
  return beyondCents(cell, decimal, reading, reading.value);
}

type Read = Extract<Reading, { ok: true }>;

/** Sends an amount with fractions of a cent as it is, with a note: it may be a typo, or thousands with another mark. */
function beyondCents(cell: FilledCell, decimal: ColumnDecimal, reading: Read, amount: number): Read {
  const looksLikeThousands = typeof cell === 'string' && mayBeThousands(cell, decimal === 'comma' ? 'comma' : 'point');
  if (!looksLikeThousands && !hasPartsOfCents(amount)) return reading;
  const beyond = valueMessage('beyond-cents', { read: String(amount) });
  return typeof cell === 'string' ? { ...reading, notes: [beyond] } : noted(reading, beyond);
}

function hasPartsOfCents(amount: number): boolean {
  return !Number.isInteger(amount) && Number(amount.toFixed(decimalsOfCents)) !== amount;
}

/** 60, `60%` and a cell that shows 60% mean sixty. The interface sets no bounds, so unlikely values get a note and are sent. */
export function readPercent(cell: FilledCell, decimal: ColumnDecimal): Reading {
  const reading = readAmount(cell, decimal, { currency: false, percent: true });
  if (!reading.ok || typeof reading.value !== 'number') return reading;
  if (reading.value < 0) return noted(reading, valueMessage('percent-outside', { isBelow: true }));
  if (reading.value > percentScale) return noted(reading, valueMessage('percent-outside', { isBelow: false }));
  const mayBeShare = reading.value > 0 && reading.value <= 1;
  const saysPercent = shownText(cell).includes('%');
  return mayBeShare && !saysPercent
    ? changed(reading.value, valueMessage('percent-or-share', { read: String(reading.value) }))
    : reading;
}

/** Sends a plain number as a number, and anything else as text (`10%`). Only a person can declare its decimal mark. */
export function readTextOrNumber(cell: FilledCell, saidDecimal: DecimalMark | null): Reading {
  const text = shownText(cell).trim();
  if (saidDecimal !== null && typeof cell === 'string' && /[.,]/.test(text)) return readMarkedText(text, saidDecimal);
  const written = plainNumber.test(text) ? writtenNumber(text) : null;
  if (written !== null) return readingOf(written);
  return typeof cell === 'string' ? value(text) : textOfCell(cell, text);
}

/** Whether a text is an amount, so that its marks count for the column. `Total 7,5 items` is not. */
export function looksLikeAmount(text: string): boolean {
  const trimmed = text.trim();
  return bareDigits(trimmed, { currency: true, percent: true }, trimmed.endsWith('%')) !== null;
}

/** `12,5` and `12,5%` with a declared decimal mark. A text that is not a number stays text. */
function readMarkedText(text: string, decimal: DecimalMark): Reading {
  const reading = readWrittenAmount(text, decimal, { currency: false, percent: true });
  if (!reading.ok) return value(text);
  if (!text.endsWith('%')) return reading;
  const percent = `${reading.value}%`;
  return percent === text ? value(text) : changed(percent, valueMessage('read-as', { read: percent }));
}

interface AmountForm {
  readonly currency: boolean;
  readonly percent: boolean;
}

const decimalsOfCents = 2;
const percentScale = 100;
/** A number as JSON writes it. Reading it changes nothing. */
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const currencySigns = /(?:\bUS ?)?\$|[€£]|\b(?:USD|EUR|GBP|CAD)\b/gi;
/** The service has no field for the currency, so an amount in another currency is sent as a bare number. */
const otherCurrency = /[€£]|\b(?:EUR|GBP|CAD)\b/i;
/** `1.250,-`, `100.\u2013`: a dash after a mark means no cents, not a negative. */
const dashForCents = /[.,]\s*[-\u2012-\u2015\u2212]/;
/** Dashes that word processors write for a minus. */
const signsOfMinus = /[\u2012\u2013\u2212]/g;
/** A currency sign between digits is not a thousands mark: `12$50` is ambiguous. */
const currencyWithin = /\d\s*[$€£]\s*\d/;

function readAmount(cell: FilledCell, columnDecimal: ColumnDecimal, form: AmountForm): Reading {
  if (typeof cell !== 'string') return readTypedAmount(cell, form);
  const decimal = columnDecimal === 'unknown' ? 'point' : columnDecimal;
  const text = cell.trim();
  if (decimal === 'point' && plainNumber.test(text)) {
    const written = writtenNumber(text);
    return written === null ? fault(valueMessage('too-many-digits')) : readingOf(written);
  }
  if (isZeroInAccounts(cell, form)) return changed(0, valueMessage('zero-in-accounts'));
  if (decimal === 'point' || decimal === 'comma') return readWrittenAmount(text, decimal, form);
  const own = decimalMarkShownBy(text);
  if (own === null && /[.,]/.test(text))
    return twoAmounts(valueMessage(decimal === 'contradictory' ? 'both-marks-in-column' : 'comma-elsewhere'));
  return readWrittenAmount(text, own ?? 'point', form);
}

function twoAmounts(why: Message): Reading {
  return fault(valueMessage('two-amounts', { why }));
}

function readTypedAmount(cell: Exclude<FilledCell, string>, form: AmountForm): Reading {
  if (cell.kind !== 'number') {
    const form = formOf(cell);
    return fault(form === null ? notANumber('point') : valueMessage('no-number-but', { form }));
  }
  if (cell.percent && !form.percent) return fault(valueMessage('percentage-for-amount'));
  if (!Number.isFinite(cell.value) || Math.abs(cell.value) >= 10 ** excelDigits)
    return fault(valueMessage('too-many-digits'));
  if (showsTime(cell)) return fault(valueMessage('no-number-but', { form: valueMessage('form-time') }));
  const number = roundToExcel(cell.value);
  if (isShownAsAnother(cell, form.currency)) return fault(valueMessage('shown-otherwise', { number }));
  if (cell.inOtherForm) return changed(number, valueMessage('read-of-form', { number }));
  if (form.currency && cell.currency !== undefined)
    return changed(number, valueMessage('currency-not-sent', { read: String(number), currency: cell.currency }));
  return value(cell.percent ? roundToExcel(cell.value * percentScale) : number);
}

/** Whether the cell shows another amount than its number. Outside money, a word is a unit: `12m`. */
export function isShownAsAnother({ shown, value, percent }: NumberCell, isMoney: boolean): boolean {
  if (percent || Number(shown) === value || Number(shown) === roundToExcel(value)) return false;
  return !showsNumber(isMoney ? shown : shown.replace(wordsOfFormats, ''), value);
}

function readingOf({ number, isRounded }: WrittenNumber): Reading {
  if (!isRounded) return value(number);
  return changed(number, valueMessage('binary-rest', { read: String(number) }));
}

function readWrittenAmount(text: string, decimal: DecimalMark, form: AmountForm): Reading {
  const hasPercent = form.percent && text.endsWith('%');
  const digits = bareDigits(text, form, hasPercent);
  const normal = digits === null ? null : withoutThousands(digits.text, decimal);
  if (digits === null || normal === null) return fault(notANumber(decimal));
  const written = writtenNumber(normal);
  if (written === null) return fault(valueMessage('too-many-digits'));
  const number = digits.negative ? -written.number : written.number;
  if (written.isRounded) return readingOf({ ...written, number });
  // A percent sign changes nothing. A plain `1.250` in a column of decimal commas changes, so it gets a note.
  if ((plainNumber.test(text) || hasPercent) && Number.parseFloat(text) === number) return value(number);
  const currency = otherCurrency.exec(text)?.[0];
  if (currency === undefined) return changed(number, valueMessage('read-as', { read: String(number) }));
  return changed(number, valueMessage('currency-not-sent', { read: String(number), currency }));
}

function notANumber(decimal: DecimalMark): Message {
  return valueMessage('not-a-number', { isComma: decimal === 'comma' });
}

/** `$-`, or a dash with blanks on both sides, is zero in an accounting format. A typed dash may mean nothing. */
function isZeroInAccounts(cell: string, { currency }: AmountForm): boolean {
  const rest = currency ? cell.replace(currencySigns, ' ') : cell;
  return /^\s+-\s+$/.test(rest) || (rest !== cell && rest.trim() === '-');
}

/** Strips the currency sign, the percent sign and the sign of a negative (`-5`, `5-`, `(5)`). */
function bareDigits(text: string, form: AmountForm, hasPercent: boolean): { text: string; negative: boolean } | null {
  if (dashForCents.test(text)) return null;
  let rest = (hasPercent ? text.slice(0, -1) : text)
    .replace(/[\u00a0\u2009\u202f]/g, ' ')
    .replace(signsOfMinus, '-')
    .replaceAll('\u2019', "'");
  if (form.currency) {
    if (currencyWithin.test(rest)) return null;
    rest = rest.replace(currencySigns, ' ');
  }
  const parts = /^(?<before>[-+(]?)\s*(?<digits>[\d.,' ]*\d[\d.,']*)\s*(?<after>[-)]?)$/.exec(rest.trim())?.groups;
  if (parts === undefined) return null;
  const pair = `${parts.before}${parts.after}`;
  if (!['', '+', '-', '()'].includes(pair)) return null;
  return { text: parts.digits ?? '', negative: pair === '-' || pair === '()' };
}

export const decimalMarks = ['point', 'comma'] as const;
export type DecimalMark = (typeof decimalMarks)[number];

const thousandsGroup = 3;
/** The digits before the first thousands mark. They do not begin with zero, so `0.125` is not 125. */
const firstGroup = /^[1-9]\d{0,2}$/;

/** The mark that one text shows: `1,250` none, `1,250.00` and `12.5` point, `1.250,00` and `12,5` comma. */
export function decimalMarkShownBy(text: string): DecimalMark | null {
  const digits = text.replace(/[^\d.,]/g, '');
  const lastPoint = digits.lastIndexOf('.');
  const lastComma = digits.lastIndexOf(',');
  if (lastPoint === -1 && lastComma === -1) return null;
  if (lastPoint !== -1 && lastComma !== -1) return lastPoint > lastComma ? 'point' : 'comma';
  const mark = lastPoint === -1 ? ',' : '.';
  const parts = digits.split(mark);
  if (parts.length > 2) return isGrouped(parts) ? (mark === ',' ? 'point' : 'comma') : null;
  const looksLikeThousands = firstGroup.test(parts[0] ?? '') && (parts[1] ?? '').length === thousandsGroup;
  if (looksLikeThousands) return null;
  return mark === ',' ? 'comma' : 'point';
}

/** Marks that do not precede three digits are a typo, and prove nothing about other cells. */
function isGrouped(parts: readonly string[]): boolean {
  return parts.slice(1).every((part) => part.length === thousandsGroup);
}

/** Whether money has one such mark and three digits after it, which cannot be cents: `1.250`, `(12,500)`, not `1.250,-`. */
export function mayBeThousands(text: string, mark: DecimalMark): boolean {
  return (mark === 'point' ? /^\D*[1-9]\d{0,2}\.\d{3}[^\d,]*$/ : /^\D*[1-9]\d{0,2},\d{3}[^\d.]*$/).test(text);
}

/** Whether money has a comma and at least four digits after it: `12,5000` is easily a typo for `12,500`. */
export function mayBeSlip(text: string): boolean {
  return /^\D*[1-9]\d{0,2},\d{4,}[^\d.]*$/.test(text);
}

/** `1,250.00` to `1250.00`, or `null` if the marks are not where an amount has them. */
function withoutThousands(text: string, decimal: DecimalMark): string | null {
  const decimalMark = decimal === 'point' ? '.' : ',';
  const thousandsMark = decimal === 'point' ? ',' : '.';
  const parts = text.split(decimalMark);
  if (parts.length > 2) return null;
  const whole = parts[0] ?? '';
  const fraction = parts[1] ?? '';
  if (!/^\d*$/.test(fraction)) return null;
  const groups = whole.split(new RegExp(`[${thousandsMark}' ]`));
  const marks = new Set(whole.replace(/\d/g, ''));
  const grouped = marks.size <= 1 && groups.slice(1).every((group) => group.length === thousandsGroup);
  const digits = groups.join('');
  if (!grouped || (groups.length > 1 && !firstGroup.test(groups[0] ?? '')) || !/^\d*$/.test(digits)) return null;
  const plain = digits.replace(/^0+(?=\d)/, '') || '0';
  return fraction === '' ? plain : `${plain}.${fraction}`;
}

export interface WrittenNumber {
  readonly number: number;
  readonly isRounded: boolean;
}

/** @returns `null` for more digits than a number can hold, unless the last of them are noise */
export function writtenNumber(digits: string): WrittenNumber | null {
  if (digits.length <= excelDigits || significantDigits(digits) <= excelDigits) {
    return { number: Number(digits), isRounded: false };
  }
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

function significantDigits(text: string): number {
  const digits = text.replace(/^-/, '');
  const plain = digits.includes('.') ? digits.replace(/0+$/, '') : digits;
  return plain.replace('.', '').replace(/^0+/, '').length;
}
