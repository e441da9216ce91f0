/** What a number format makes of a number: a date, a percentage, digits with zeros in front, words, or nothing special. */
import { type FormatSection, sectionsOf } from './format-sections.ts';
import type { DurationPart } from './serial-date.ts';
import { showsNothing } from './shown-number.ts';
import { mayTurnSign } from './shown-sign.ts';

export type NumberLook =
  | { readonly kind: 'plain' }
  /** Longer than any that Excel takes: what it would show of a number is not worked out. */
  | { readonly kind: 'too long' }
  | { readonly kind: 'percent' }
  /** A date, perhaps one of which no day is seen: a month, a year, or the time alone. */
  | { readonly kind: 'date'; readonly shows?: 'no day' | 'time alone' }
  /** Hours that go beyond a day, such as `[h]:mm`, from its first part to its last. */
  | { readonly kind: 'duration'; readonly first: DurationPart; readonly last: DurationPart }
  | { readonly kind: 'scientific' | 'fraction' }
  /** Zeros and literal marks alone, such as `00000` or `000-00-0000`. */
  | { readonly kind: 'digits'; readonly pattern: string }
  /** Words or marks around the digits, such as `"INV-"0000` or `#,##0.00" DR"`, a number in thousands, or with another sign. */
  | { readonly kind: 'sections'; readonly sections: readonly FormatSection[] };

const plain: NumberLook = { kind: 'plain' };
const percent: NumberLook = { kind: 'percent' };
const date: NumberLook = { kind: 'date' };
const dateWithoutDay: NumberLook = { kind: 'date', shows: 'no day' };
const timeAlone: NumberLook = { kind: 'date', shows: 'time alone' };
const scientific: NumberLook = { kind: 'scientific' };
const fraction: NumberLook = { kind: 'fraction' };

/**
 * The formats that need no code (ECMA-376 18.8.30): 9 and 10 are percentages, 11 and 48 scientific, 12 and 13 fractions, 14 to
 * 22, 45 and 47 dates and times, 27 to 36 and 50 to 58 those of East Asia; 46 is a duration.
 */
export function builtInLook(id: number): NumberLook {
  if (id === 9 || id === 10) return percent;
  if (id === 11 || id === 48) return scientific;
  if (id === 12 || id === 13) return fraction;
  if (id === 46) return { kind: 'duration', first: 'h', last: 's' };
  if (id === 17) return dateWithoutDay;
  if ((id >= 18 && id <= 21) || id === 45 || id === 47) return timeAlone;
  const isDate = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return isDate ? date : plain;
}

/** Excel's own limit. */
const longestCode = 255;

export function lookOfCode(code: string): NumberLook {
  if (code.length > longestCode) return { kind: 'too long' };
  const section = (code.split(';')[0] ?? '').replace(/\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, '');
  const bare = section.replace(/"[^"]*"|\\.|_.|\*./g, '');
  const first = /\[(h|m|s)\1*\]/i.exec(bare)?.[1]?.toLowerCase();
  if (first !== undefined) return durationLook(first as DurationPart, bare);
  const letters = bare.replace(/general/gi, '').replace(/e[+-]/gi, '');
  if (/[ymdhs]/i.test(letters)) return dateLook(letters);
  if (bare.includes('%')) return percent;
  const digits = section.replace(/\\(.)/g, '$1').replace(/"([^"]*)"/g, '$1');
  if (/^0[0 ()-]*0$/.test(digits) && !zeroOfItsOwn.test(section)) return { kind: 'digits', pattern: digits };
  const sections = sectionsOf(code);
  const saysMore = sections.some((section) => section.saysMore || showsNothing(section)) || mayTurnSign(sections);
  if (saysMore) return { kind: 'sections', sections };
  if (/[#0?]e[+-]/i.test(bare)) return scientific;
  return /[#0?]\/[#0?\d]/.test(bare) ? fraction : plain;
}

function durationLook(first: DurationPart, bare: string): NumberLook {
  const last = /s/i.test(bare) ? 's' : /m/i.test(bare) ? 'm' : 'h';
  return { kind: 'duration', first, last };
}

/** `0"000"`: a zero that no digit takes the place of. */
const zeroOfItsOwn = /\\0|"[^"]*0[^"]*"/;

function dateLook(letters: string): NumberLook {
  if (/(?<!d)d{1,2}(?!d)/i.test(letters)) return date;
  return /[hs]/i.test(letters) && !/[yd]|mmm/i.test(letters) ? timeAlone : dateWithoutDay;
}

/** `12345678` in `00-0000000` to `01-2345678`. */
export function inPattern(number: number, pattern: string): string {
  if (!Number.isInteger(number) || number < 0) return String(number);
  const places = pattern.replace(/[^0]/g, '').length;
  const digits = String(number).padStart(places, '0');
  let next = digits.length - places;
  const head = digits.slice(0, next);
  return head + pattern.replace(/0/g, () => digits[next++] ?? '');
}
