/** What a number format shows for a number: a date, a percentage, or digits and words (`INV-0012`, `1.3M`). */
import Big from 'big.js';
import { format, formatColor } from 'numfmt';
import { excelDigits, roundToExcel } from '../excel-limits.ts';
import type { NumberCell } from '../row.ts';
import { exactSize, showsNumber } from '../shown-number.ts';

export type NumberLook = {
  /** The currency sign, if it is not the dollar. */
  readonly currency?: string | undefined;
} & Form;

type Form =
  /** `form`: a fraction or a power of ten. `duration`: hours beyond a day, such as `[h]:mm`. */
  | { readonly kind: 'plain' | 'percent' | 'form' | 'duration' }
  /** Longer than Excel allows, so it is not evaluated. */
  | { readonly kind: 'too long' }
  /** A date, whose format may show only a month, a year or the time, or no year. */
  | { readonly kind: 'date'; readonly shows?: 'no day' | 'no year' | 'time alone' }
  /** More than the number: `00-0000000`, `"INV-"0000`, `#,##0.00" DR"`, thousands, or another sign. */
  | { readonly kind: 'more'; readonly code: string; readonly isOfZeroAlone: boolean };

const date: NumberLook = { kind: 'date' };
const dateWithoutDay: NumberLook = { kind: 'date', shows: 'no day' };
const dateWithoutYear: NumberLook = { kind: 'date', shows: 'no year' };
const timeAlone: NumberLook = { kind: 'date', shows: 'time alone' };

/** The built-in formats, each up to this id (ECMA-376 18.8.30). Those from 27 on are East Asian. */
const builtIn: readonly (readonly [number, NumberLook])[] = [
  [8, { kind: 'plain' }],
  [10, { kind: 'percent' }],
  [13, { kind: 'form' }],
  [15, date],
  [16, dateWithoutYear],
  [17, dateWithoutDay],
  [21, timeAlone],
  [22, date],
  [26, { kind: 'plain' }],
  [36, date],
  [44, { kind: 'plain' }],
  [45, timeAlone],
  [46, { kind: 'duration' }],
  [47, timeAlone],
  [48, { kind: 'form' }],
  [49, { kind: 'plain' }],
  [58, date],
];

export function builtInLook(id: number): NumberLook {
  return builtIn.find(([last]) => id <= last)?.[1] ?? { kind: 'plain' };
}

const longestCode = 255;
/** A format that shows these unchanged shows every number unchanged. */
const samples = [1_234_567.891, 12, 0, -12, -1_234_567.891];

export function lookOfCode(code: string): NumberLook {
  if (code.length > longestCode) return { kind: 'too long' };
  const section = (code.split(';')[0] ?? '').replace(/\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, '');
  const bare = section.replace(/"[^"]*"|\\.|_.|\*./g, '');
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return { kind: 'duration' };
  const letters = bare.replace(/general/gi, '').replace(/e[+-]/gi, '');
  if (/[ymdhs]/i.test(letters)) return dateLook(letters, code);
  if (bare.includes('%')) return { kind: 'percent' };
  if (/[#0?](?:e[+-]|\/[#0?\d])/i.test(bare)) return { kind: 'form' };
  const currency = currencyIn(code);
  const evened = evenedCode(code);
  const others = samples.filter((value) => Object.keys(shownNumber(value, evened)).length > 0);
  if (others.length === 0) return { kind: 'plain', currency };
  return { kind: 'more', currency, code: evened, isOfZeroAlone: others.every((value) => value === 0) };
}

/** `[$€-407]`, `[$kr.-406]`, `"EUR"`, `"CA$"`, or a bare sign. */
function currencyIn(code: string): string | undefined {
  const [, ...currencies] =
    /\[\$([^\]-]+)|"\s*([A-Z]{3})\s*"|((?<!\p{L})\p{Lu}\p{L}{0,2}\$|[^\P{Sc}$])/u.exec(code) ?? [];
  return currencies.find((sign) => sign !== undefined && !/^(?:USD?)?\$?$/.test(sign));
}

/** `e` and `b` are years of other calendars, and `[$-F800]` shows the long date of the system. */
function dateLook(letters: string, code: string): NumberLook {
  if (/(?<!d)d{1,2}(?!d)/i.test(letters)) return /[yeb]/i.test(letters) || /-F800/i.test(code) ? date : dateWithoutYear;
  return /[hs]/i.test(letters) && !/[yd]|mmm/i.test(letters) ? timeAlone : dateWithoutDay;
}

/** @returns what the format shows, or nothing if it shows just the number */
export function shownNumber(value: number, code: string): Partial<Pick<NumberCell, 'shown' | 'inOtherForm'>> {
  const shown = textBy(code, value);
  if (shown === '') return { inOtherForm: true };
  if (showsNumber(shown, value) && !/^[^\d.]*0\d/.test(shown)) return {};
  // A format of zeros only is for whole numbers of at least 0. For any other number it would show a different value.
  const isOfDigits = /^[^#?;]*0[^#?;]*0[^#?;]*$/.test(code.replace(/"[^"]*"|\\./g, '')) && !/[\p{L}.]/u.test(shown);
  return isOfDigits && !(Number.isInteger(value) && value >= 0) ? {} : { shown };
}

/** The text of a number, or '' if the code is none. */
function textBy(code: string, value: number): string {
  const exact = new Big(exactSize(value)).toFixed();
  // Excel shows zeros behind its digits, the library binary noise.
  const decimals = Math.max(0, excelDigits - exact.replace(/\..*$/, '').length);
  const whole = code.replace(quotedGeneralOrDecimals, (found) => {
    if (found.startsWith('.')) return found.slice(0, 1 + decimals);
    return found.startsWith('"') ? found : `"${exact}"`;
  });
  // The double of 1.005 is a little less, but is shown as 1.01.
  const rounded = Number.isInteger(value) ? value : roundToExcel(value) * (1 + Number.EPSILON);
  try {
    const text = format(whole, rounded).trim();
    // A color takes the place of a minus, which text cannot show.
    const isColored = value < 0 && !/^\D*[-(]/.test(text) && formatColor(whole, value) !== null;
    return isColored ? `-${text}` : text;
  } catch {
    return '';
  }
}

const quotedGeneralOrDecimals = /"[^"]*"|general|\.[0#?]+/gi;

/** Writes a currency of a locale as a sign, colors in English, and commas that divide by thousands behind the decimals. */
function evenedCode(code: string): string {
  return code
    .replace(/\[\$([^\]-]*)[^\]]*\]/g, (_, currency: string) => (currency === '' ? '' : '"$"'))
    .replace(/\[\p{L}+\s?\d*\]/gu, '[Red]')
    .replace(/^(?:\[Red\])*$/, '$&General')
    .replace(/(?<=[0#?])(,+)\.([0#?]*)/g, '.$2$1');
}
