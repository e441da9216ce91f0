/** Digits as a text has them, and the number that they are: exactly, or without the noise of a program's arithmetic. */
import Big from 'big.js';
import { excelDigits, roundToExcel } from '../../sheets/excel-digits.ts';
import { leastLoss } from '../reading.ts';

export interface WrittenNumber {
  readonly number: number;
  /** Whether digits were left out that are noise, as in `0.30000000000000004`. */
  readonly isRounded: boolean;
}

/**
 * @param digits  as `-1250.50`, without marks of thousands
 * @returns `null` for more digits than a number can carry, unless the last of them are noise
 */
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
