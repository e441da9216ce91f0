/** Whether a person who sees a text takes it for this very number, in the decimals that it has. */
import Big from 'big.js';
import { excelDigits } from './excel-limits.ts';

const minus = /[-\u2010\u2011\u2013\u2212]/;
/** What says below zero where a section is for such numbers alone: `△1,250` in Japan, `<1,250>`. */
const otherMinus = /[△▲▽▼<]/;
/** Beside the digits of a number: currencies, brackets, signs, blanks, and marks for no cents as in `1250.-`. */
const besideNumbers = /[\p{Sc}\s()<>+\-\u2010\u2011\u2013\u2212△▲▽▼%.,'_]/gu;
let currencies: ReadonlySet<string> | null = null;

export function showsNumber(text: string, value: number): boolean {
  const [, front = '', body = '', back = ''] = /^(\D*?)(\.?\d(?:.*\d)?)?(\D*)$/s.exec(text) ?? [];
  if (!areOfCurrencies(front + back)) return false;
  if (body === '') return value === 0 && text.trim() !== '';
  const isNegative = minus.test(front) || (front.includes('(') && back.includes(')'));
  const isSigned = isNegative || otherMinus.test(front) || (minus.test(back) && !back.startsWith('.'));
  return (value > 0 ? !isNegative : value === 0 || isSigned) && areDigitsOf(body, new Big(exactSize(value)));
}

/** Excel shows 15 digits of a number: what is behind them is noise of its binary form. */
export function exactSize(value: number): string | number {
  const size = Math.abs(value);
  return Number.isInteger(size) ? size : size.toPrecision(excelDigits);
}

/** Neither words nor marks but `USD` and `US$`. */
function areOfCurrencies(around: string): boolean {
  const words = around.split(/\s+/).filter((word) => !/\p{Sc}/u.test(word));
  const left = words.map((word) => word.replace(besideNumbers, '')).filter((word) => word !== '');
  if (left.length === 0) return true;
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return left.every((word) => currencies?.has(word));
}

const lastMark = /^(.*)([.,])(\d*)$/s;
/** Groups of three, or of two in front of the last three, as in India. */
const grouped = /^\d+$|^\d{1,3}(?:[.,'\s]\d{2,3})*[.,'\s]\d{3}$/;

/** A last mark may stand before decimals or before thousands, as long as it is no mark of thousands elsewhere. */
function areDigitsOf(body: string, size: Big): boolean {
  const digits = (text: string) => text.replace(/[.,'\s]/g, '');
  if (grouped.test(body) && size.round(0, Big.roundHalfUp).eq(digits(body))) return true;
  const [, whole = '', mark = '', decimals = ''] = lastMark.exec(body) ?? [];
  if (mark === '' || whole.includes(mark) || (whole !== '' && !grouped.test(whole))) return false;
  return size.round(decimals.length, Big.roundHalfUp).eq(`${digits(whole) || '0'}.${decimals}`);
}
