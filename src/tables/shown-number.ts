/** Whether a text, such as that of a number format, shows a number and nothing else. */
import Big from 'big.js';
import { excelDigits } from './excel-limits.ts';

const minus = /[-\u2010\u2011\u2013\u2212]/;
/** Marks of negative numbers in sections for these alone: `△1,250` in Japan, `<1,250>`. */
const otherMinus = /[△▲▽▼<]/;
/** Characters around the digits: currencies, brackets, signs, blanks, and marks for no cents as in `1250.-`. */
const besideNumbers = /[\p{Sc}\s()<>+\-\u2010\u2011\u2013\u2212△▲▽▼%.,'_]/gu;
let currencies: ReadonlySet<string> | null = null;

export function showsNumber(text: string, value: number): boolean {
  const [, front = '', body = '', back = ''] = /^(\D*?)(\.?\d(?:.*\d)?)?(\D*)$/s.exec(text) ?? [];
  if (!areOfCurrencies(front + back)) return false;
  if (body === '') return value === 0 && text.trim() !== '';
  const isMinusBehind = minus.test(back) && !/^[.,]/.test(back);
  const isNegative = minus.test(front) || isMinusBehind || (front.includes('(') && back.includes(')'));
  const isSigned = isNegative || otherMinus.test(front);
  return (value > 0 ? !isNegative : isSigned || !/[1-9]/.test(body)) && areDigitsOf(body, new Big(exactSize(value)));
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
  // The double of 1.005 is a little less, so it may be rounded either way.
  const isRoundedTo = (shown: string, decimals: number) =>
    size
      .minus(shown)
      .abs()
      .lte(`5e-${decimals + 1}`);
  if (grouped.test(body) && isRoundedTo(digits(body), 0)) return true;
  const [, whole = '', mark = '', decimals = ''] = lastMark.exec(body) ?? [];
  if (mark === '' || whole.includes(mark) || (whole !== '' && !grouped.test(whole))) return false;
  return isRoundedTo(`${digits(whole) || '0'}.${decimals}`, decimals.length);
}
