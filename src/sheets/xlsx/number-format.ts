/** What a number format makes of a number: a date, a percentage, a form of its own, a pattern of digits and words, or nothing special. */
import { type FormatSection, sectionsOf, shownNumber } from './shown-number.ts';

export type NumberLook =
  /** `form`: as a fraction, or with a power of ten. `duration`: hours that go beyond a day, such as `[h]:mm`. */
  | { readonly kind: 'plain' | 'percent' | 'form' | 'duration' }
  /** Longer than any that Excel takes: what it would show of a number is not worked out. */
  | { readonly kind: 'too long' }
  /** A date, perhaps one of which no day is seen: a month, a year, or the time alone. */
  | { readonly kind: 'date'; readonly shows?: 'no day' | 'time alone' }
  /** More than the number: `00-0000000`, `"INV-"0000`, `#,##0.00" DR"`, a number in thousands, or with another sign. */
  | { readonly kind: 'sections'; readonly sections: readonly FormatSection[]; readonly isOfZeroAlone: boolean };

const date: NumberLook = { kind: 'date' };
const dateWithoutDay: NumberLook = { kind: 'date', shows: 'no day' };
const timeAlone: NumberLook = { kind: 'date', shows: 'time alone' };

/** The formats that need no code, each up to this number (ECMA-376 18.8.30); those from 27 on are of East Asia. */
const builtIn: readonly (readonly [number, NumberLook])[] = [
  [8, { kind: 'plain' }],
  [10, { kind: 'percent' }],
  [13, { kind: 'form' }],
  [16, date],
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

/** Excel's own limit. */
const longestCode = 255;
/** A format that shows these as they are shows every number so. */
const samples = [1_234_567.891, 12, 0, -12, -1_234_567.891];

export function lookOfCode(code: string): NumberLook {
  if (code.length > longestCode) return { kind: 'too long' };
  const section = (code.split(';')[0] ?? '').replace(/\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, '');
  const bare = section.replace(/"[^"]*"|\\.|_.|\*./g, '');
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return { kind: 'duration' };
  const letters = bare.replace(/general/gi, '').replace(/e[+-]/gi, '');
  if (/[ymdhs]/i.test(letters)) return dateLook(letters);
  if (bare.includes('%')) return { kind: 'percent' };
  if (/[#0?](?:e[+-]|\/[#0?\d])/i.test(bare)) return { kind: 'form' };
  const sections = sectionsOf(code);
  const others = samples.filter((value) => Object.keys(shownNumber(value, sections)).length > 0);
  if (others.length === 0) return { kind: 'plain' };
  return { kind: 'sections', sections, isOfZeroAlone: others.every((value) => value === 0) };
}

function dateLook(letters: string): NumberLook {
  if (/(?<!d)d{1,2}(?!d)/i.test(letters)) return date;
  return /[hs]/i.test(letters) && !/[yd]|mmm/i.test(letters) ? timeAlone : dateWithoutDay;
}
