/**
 * Takes values of a row out of what a service says about it: each is replaced by its column's name. A service may write
 * a number or a date in another way than the row did, so those are found however they are punctuated or spelt.
 */
import type { Secret } from './outgoing-record.ts';
import { plainText } from './plain-text.ts';
import { dashes, datePatterns, type Said } from './written-dates.ts';

/** The label of a token, of which a beginning tells too much already. */
export const tokenLabel = 'token';

/** Shorter values are words of any message, and tell nobody anything. */
const shortestSecret = 4;
/** Of a shorter token, so much would be half of it. */
const shortestCutToken = 16;
const beginningOfToken = 8;
/** Digits with the punctuation of phones, SSNs, EINs and amounts. */
const punctuatedDigits = /^[\d\s().+,/-]+$/;
/** Between two digits of one number: any dash, blank, underscore or point, once or twice, as it is or encoded. */
const betweenDigits = `(?:[${dashes}\\s().+,:*|·•\\/]|%[0-9a-f]{2}){0,2}`;
const aDash = `[${dashes}]`;
/** What looks like an SSN is one, whichever row it belongs to. */
const socialSecurityNumber = {
  pattern: `(?<!\\d|\\d${aDash})\\d{3}${aDash}\\d{2}${aDash}\\d{4}(?!${aDash}?\\d)`,
  label: 'SSN',
};

/** A text that may be shown, from one that may hold `secrets`; on one line and without control characters. */
export function masked(text: string, secrets: readonly Secret[]): string {
  const said = saidIn(text);
  // The last of equal values stays in the map, and the first column is to name it.
  const labels = new Map(secrets.toReversed().map(({ value, label }) => [legible(value), label]));
  const replacements = [...labels]
    .filter(([value]) => value.length >= shortestSecret)
    .sort(([a], [b]) => b.length - a.length)
    .flatMap(([value, label]) => patternsOf(value, label, said).map((pattern) => ({ pattern, label })))
    .concat(socialSecurityNumber);
  // One pass, so that no value is found inside the name that has taken the place of another.
  const all = new RegExp(replacements.map(({ pattern }) => `(${pattern})`).join('|'), 'giu');
  return said.text.replace(all, (found: string, ...groups: unknown[]) => {
    const index = groups.findIndex((group) => group !== undefined);
    const replacement = replacements[index];
    return replacement === undefined ? found : `[${replacement.label}]`;
  });
}

function saidIn(message: string): Said {
  const text = legible(message);
  const digits = [text, text.replace(/%[0-9a-f]{2}/gi, '')].map((part) => part.replace(/\D/g, ''));
  return { text, capitals: text.toUpperCase(), digits };
}

/** The digits of East Asian keyboards, one by one as wide as a sign. */
const wideDigits = /[０-９]/g;
const widening = '０'.charCodeAt(0) - '0'.charCodeAt(0);

/** On one line, with the digits that everybody reads. */
function legible(text: string): string {
  return plainText(text).replace(wideDigits, (digit) => String.fromCharCode(digit.charCodeAt(0) - widening));
}

/** Patterns of a value in the ways of writing it that a text may hold. */
function patternsOf(value: string, label: string, said: Said): readonly string[] {
  const ofDate = datePatterns(value, said);
  if (ofDate !== null) return ofDate;
  const digits = value.replace(/\D/g, '');
  if (punctuatedDigits.test(value) && digits.length >= shortestSecret) {
    if (!said.digits.some((all) => all.includes(digits))) return [];
    return [literal(value), `(?<!\\d)${[...digits].join(betweenDigits)}(?!\\d)`];
  }
  const mayHold = (part: string): boolean => said.capitals.includes(part.toUpperCase());
  const spellings = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
  const whole = [...new Set(spellings)].filter(mayHold).map(literal);
  const beginning = value.slice(0, beginningOfToken);
  if (label !== tokenLabel || value.length < shortestCutToken || !mayHold(beginning)) return whole;
  return [...whole, `${literal(beginning)}[\\w.~+\\/=\\-]*`];
}

/** The text as a pattern of itself. */
function literal(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
