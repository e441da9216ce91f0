/**
 * Takes values of a row out of what a service says about it: each is replaced by its column's name. A service may write
 * a number or a date in another way than the row did, so those are found however they are punctuated.
 */
import type { Secret } from './outgoing-record.ts';
import { plainText } from './plain-text.ts';

/** Shorter values are words of any message, and tell nobody anything. */
const shortestSecret = 4;
const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Digits with the punctuation of phones, SSNs, EINs and amounts. */
const punctuatedDigits = /^[\d\s().+,/-]+$/;
/** What looks like an SSN is one, whichever row it belongs to. */
const socialSecurityNumber = { pattern: '(?<![\\d-])\\d{3}-\\d{2}-\\d{4}(?![\\d-])', label: 'SSN' };

/** A text that may be shown, from one that may hold `secrets`; on one line and without control characters. */
export function masked(text: string, secrets: readonly Secret[]): string {
  const replacements = secrets
    .map(({ value, label }) => ({ value: plainText(value), label }))
    .filter(({ value }) => value.length >= shortestSecret)
    .sort((a, b) => b.value.length - a.value.length)
    .flatMap(({ value, label }) => patternsOf(value).map((pattern) => ({ pattern, label })))
    .concat(socialSecurityNumber);
  // One pass, so that no value is found inside the name that has taken the place of another.
  const all = new RegExp(replacements.map(({ pattern }) => `(${pattern})`).join('|'), 'giu');
  return plainText(text).replace(all, (found: string, ...groups: unknown[]) => {
    const index = groups.findIndex((group) => group !== undefined);
    const replacement = replacements[index];
    return replacement === undefined ? found : `[${replacement.label}]`;
  });
}

function patternsOf(value: string): readonly string[] {
  const date = isoDate.exec(value);
  if (date !== null) return datePatterns(date[1] ?? '', date[2] ?? '', date[3] ?? '');
  const digits = value.replace(/\D/g, '');
  if (punctuatedDigits.test(value) && digits.length >= shortestSecret) {
    return [literal(value), `(?<!\\d)${[...digits].join('[\\s().+\\/\\-]{0,2}')}(?!\\d)`];
  }
  return [...new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])].map(literal);
}

function datePatterns(year: string, month: string, day: string): readonly string[] {
  const shortMonth = `0?${Number(month)}`;
  const shortDay = `0?${Number(day)}`;
  const mark = '[\\-.\\/\\s]?';
  return [
    `${year}${mark}${shortMonth}${mark}${shortDay}`,
    `${shortMonth}${mark}${shortDay}${mark}${year}`,
    `${shortDay}${mark}${shortMonth}${mark}${year}`,
  ].map((pattern) => `(?<!\\d)${pattern}(?!\\d)`);
}

/** The text as a pattern of itself. */
function literal(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
