/** The digits of a written number: its marks of thousands and decimals, and the number that it is, exactly or not at all. */
import Big from 'big.js';
import { excelDigits, roundToExcel } from '../../sheets/excel-limits.ts';
import { leastLoss } from '../reading.ts';

export const decimalMarks = ['point', 'comma'] as const;
export type DecimalMark = (typeof decimalMarks)[number];

const thousandsGroup = 3;
/** What may stand in front of a thousands mark: no zero does, so `0.125` is no 125. */
const firstGroup = /^[1-9]\d{0,2}$/;

/** What one text says about its column's mark: `1,250` nothing, `1,250.00` and `12.5` point, `1.250,00` and `12,5` comma. */
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

/** Marks that stand elsewhere than in front of three digits are a slip, and prove nothing of other cells. */
function isGrouped(parts: readonly string[]): boolean {
  return parts.slice(1).every((part) => part.length === thousandsGroup);
}

/** Whether a text is money with one such mark and three digits behind it, which no cents have: `1.250`, `(12,500)`, not `1.250,-`. */
export function mayBeThousands(text: string, mark: DecimalMark): boolean {
  return (mark === 'point' ? /^\D*[1-9]\d{0,2}\.\d{3}[^\d,]*$/ : /^\D*[1-9]\d{0,2},\d{3}[^\d.]*$/).test(text);
}

/** Whether a text is money with a comma and more digits behind it than cents have: `12,5000` is easily a slip for `12,500`. */
export function mayBeSlip(text: string): boolean {
  return /^\D*[1-9]\d{0,2},\d{4,}[^\d.]*$/.test(text);
}

/** `1,250.00` to `1250.00`, or `null` when the marks stand where no amount has them. */
export function withoutThousands(text: string, decimal: DecimalMark): string | null {
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

/** @returns `null` for more digits than a number can carry, unless the last of them are noise */
export function writtenNumber(digits: string): WrittenNumber | null {
  if (digits.length <= excelDigits || significantDigits(digits) <= excelDigits) {
    return { number: Number(digits), isRounded: false };
  }
  const number = roundToExcel(Number(digits));
  return isNoiseBehind(number, digits) ? { number, isRounded: true } : null;
}

/** A sum in binary numbers is off in its last places alone: the rounded one is shorter by these digits at least. */
const fewestZeros = 2;

/** Whether what was written and the rounded number are the same to whoever has written it; long ids have no decimals. */
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
