/** What a number format makes of a number: a date, a percentage, digits with zeros in front, words, or nothing special. */
import { type FormatSection, sectionsOf } from './format-sections.ts';
import type { DurationPart } from './serial-date.ts';
import { showsNothing, turnsSign } from './shown-number.ts';

export type NumberLook =
  | { readonly kind: 'plain' | 'percent' | 'scientific' | 'fraction' }
  /** Longer than any that Excel takes: what it would show of a number is not worked out. */
  | { readonly kind: 'too long' }
  /** A date, perhaps one of which no day is seen: a month, a year, or the time alone. */
  | { readonly kind: 'date'; readonly shows?: 'no day' | 'time alone' }
  /** Hours that go beyond a day, such as `[h]:mm`, from its first part to its last. */
  | { readonly kind: 'duration'; readonly first: DurationPart; readonly last: DurationPart }
  /** More than the number: `00-0000000`, `"INV-"0000`, `#,##0.00" DR"`, a number in thousands, or with another sign. */
  | { readonly kind: 'sections'; readonly sections: readonly FormatSection[] };

const date: NumberLook = { kind: 'date' };
const dateWithoutDay: NumberLook = { kind: 'date', shows: 'no day' };
const timeAlone: NumberLook = { kind: 'date', shows: 'time alone' };

/** The formats that need no code, each up to this number (ECMA-376 18.8.30); those from 27 on are of East Asia. */
const builtIn: readonly (readonly [number, NumberLook])[] = [
  [8, { kind: 'plain' }],
  [10, { kind: 'percent' }],
  [11, { kind: 'scientific' }],
  [13, { kind: 'fraction' }],
  [16, date],
  [17, dateWithoutDay],
  [21, timeAlone],
  [22, date],
  [26, { kind: 'plain' }],
  [36, date],
  [44, { kind: 'plain' }],
  [45, timeAlone],
  [46, { kind: 'duration', first: 'h', last: 's' }],
  [47, timeAlone],
  [48, { kind: 'scientific' }],
  [49, { kind: 'plain' }],
  [58, date],
];

export function builtInLook(id: number): NumberLook {
  return builtIn.find(([last]) => id <= last)?.[1] ?? { kind: 'plain' };
}

/** Excel's own limit. */
const longestCode = 255;

export function lookOfCode(code: string): NumberLook {
  if (code.length > longestCode) return { kind: 'too long' };
  const section = (code.split(';')[0] ?? '').replace(/\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, '');
  const bare = section.replace(/"[^"]*"|\\.|_.|\*./g, '');
  const first = /\[(h|m|s)\1*\]/i.exec(bare)?.[1]?.toLowerCase();
  if (first !== undefined) {
    const last = /s/i.test(bare) ? 's' : /m/i.test(bare) ? 'm' : 'h';
    return { kind: 'duration', first: first as DurationPart, last };
  }
  const letters = bare.replace(/general/gi, '').replace(/e[+-]/gi, '');
  if (/[ymdhs]/i.test(letters)) return dateLook(letters);
  if (bare.includes('%')) return { kind: 'percent' };
  const sections = sectionsOf(code);
  const saysMore = sections.some((one) => one.saysMore || showsNothing(one));
  if (saysMore || [1, -1].some((value) => turnsSign(sections, value))) return { kind: 'sections', sections };
  if (/[#0?]e[+-]/i.test(bare)) return { kind: 'scientific' };
  return { kind: /[#0?]\/[#0?\d]/.test(bare) ? 'fraction' : 'plain' };
}

function dateLook(letters: string): NumberLook {
  if (/(?<!d)d{1,2}(?!d)/i.test(letters)) return date;
  return /[hs]/i.test(letters) && !/[yd]|mmm/i.test(letters) ? timeAlone : dateWithoutDay;
}
