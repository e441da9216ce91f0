/**
 * Takes values of a row out of what a service says about it: each is replaced by its column's name. A service may write
 * a number or a date in another way than the row did, so those are found however they are punctuated or spelt.
 */

import type { Secret } from '../records/outgoing-record.ts';
import { literal } from './literal.ts';
import { plainText } from './plain-text.ts';
import { dashes, datePatterns, datesIn, encodedSign, numberBegins, type Said } from './written-dates.ts';

/** The label of a token, of which a beginning tells too much already. */
export const tokenLabel = 'token';

/** Shorter values are words of any message, and tell nobody anything. */
const shortestSecret = 4;
/** In base64: shorter ones are too likely to be a part of an id. */
const shortestEncoded = 8;
const bytesOfGroup = 3;
/** Of a shorter token, so much would be half of it. */
const shortestCutToken = 16;
const beginningOfToken = 8;
const signsOfToken = '[\\w.~+\\/=\\-]';
/** Shorter parts of a token are words, or numbers, of any message. */
const partsOfTokens = /\w[\w~+-]{6,}\w/g;
const oneWord = /^[a-z]+$/i;
const plainNumber = /^-?(\d+)(?:\.(\d+))?$/;
/** Digits with the punctuation of phones, SSNs, EINs and amounts. */
const punctuatedDigits = /^[\d\s().+,/-]+$/;
/** Fewer digits are an amount or a ZIP code, which nothing but marks of thousands stands in. */
const fewestOfLongNumber = 7;
/** Between two digits of one long number: any dash, blank, underscore or point, up to three, as they are or encoded. */
const betweenDigits = `(?:[${dashes}\\s().+,:;"'*|·•\\\\\\/]|${encodedSign}){0,3}`;
const markOfThousands = "[,.'’\\s]?";
const numberEnds = '(?!\\d)';
const aDash = `\\s?(?:[${dashes}]|%2d|\\\\u002d|&#(?:45|x2d);)\\s?`;
/** What looks like an SSN is one, whichever row it belongs to. */
const socialSecurityNumber = {
  pattern: `(?<!\\d[${dashes}])${numberBegins}\\d{3}${aDash}\\d{2}${aDash}\\d{4}(?![${dashes}]?\\d)`,
  label: 'SSN',
};

/** A text that may be shown, from one that may hold `secrets`; on one line and without control characters. */
export function masked(text: string, secrets: readonly Secret[]): string {
  const said = saidIn(text);
  const replacements = labelled(secrets)
    .toSorted(([a], [b]) => b.length - a.length)
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

/** Those that a text may hold: of many that are looked for in every part of it, so few are left. */
export function secretsIn(text: string, secrets: readonly Secret[]): readonly Secret[] {
  const said = saidIn(text);
  return labelled(secrets)
    .filter(([value, label]) => patternsOf(value, label, said).length > 0)
    .map(([value, label]) => ({ value, label }));
}

function labelled(secrets: readonly Secret[]): readonly (readonly [value: string, label: string])[] {
  // The last of equal values stays in the map, and the first column is to name it.
  const labels = new Map(secrets.toReversed().map(({ value, label }) => [legible(value), label]));
  return [...labels].filter(([value]) => value.length >= shortestSecret);
}

const encodedSigns = new RegExp(encodedSign, 'gi');

function saidIn(message: string): Said {
  const text = legible(message);
  const digits = [text, text.replace(encodedSigns, '')].map((part) => part.replace(/\D/g, ''));
  let dates: ReturnType<typeof datesIn> | null = null;
  const found = () => {
    dates ??= datesIn(text);
    return dates;
  };
  return { text, capitals: text.toUpperCase(), digits, dates: found };
}

/** The digits of other scripts: those of East Asian keyboards are as wide as a sign. */
const otherDigits = /[^\P{Nd}0-9]/gu;
const isDigit = /\p{Nd}/u;

/** On one line, with the digits that everybody reads. */
function legible(text: string): string {
  return plainText(text).replace(otherDigits, plainDigit);
}

/** In each script, ten digits follow one another from its zero on. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (isDigit.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** A value, and its digits, in base64, as far as nothing that stands behind them changes it. */
export function inBase64(value: string): readonly string[] {
  return [...new Set([value, value.replace(/\D/g, '')])]
    .filter((text) => text.length >= shortestEncoded)
    .map((text) => Buffer.from(text.slice(0, text.length - (text.length % bytesOfGroup))).toString('base64'));
}

/** Patterns of a value in the ways of writing it that a text may hold. */
function patternsOf(value: string, label: string, said: Said): readonly string[] {
  const encoded = inBase64(value)
    .filter((text) => said.text.includes(text))
    .map((text) => `${literal(text)}[\\w+/=-]*`);
  return [...encoded, ...patternsOfPlain(value, label, said)];
}

function patternsOfPlain(value: string, label: string, said: Said): readonly string[] {
  const ofDate = datePatterns(value, said);
  if (ofDate !== null) return ofDate;
  const digits = value.replace(/\D/g, '');
  if (punctuatedDigits.test(value) && digits.length >= shortestSecret) {
    if (!said.digits.some((all) => all.includes(digits))) return [];
    return patternsOfNumber(value, digits);
  }
  const mayHold = (part: string): boolean => said.capitals.includes(part.toUpperCase());
  const spellings = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
  const whole = [...new Set(spellings)].filter(mayHold).map(literal);
  if (label === tokenLabel) return value.length < shortestCutToken ? whole : [...whole, ...patternsOfCut(value, said)];
  // `Open` is not meant in "opened", nor `deal_1` in "deal_12".
  if (oneWord.test(value)) return whole.map((word) => `(?<![a-z])${word}(?![a-z])`);
  const begins = /^\d/.test(value) ? numberBegins : '';
  const ends = /\d$/.test(value) ? numberEnds : '';
  return whole.map((text) => `${begins}${text}${ends}`);
}

/** An amount, a ZIP code or a number of things: of many rows together, one may be any number of a message. */
export function isShortNumber({ value, label }: Secret): boolean {
  return label !== tokenLabel && plainNumber.test(value) && value.replace(/\D/g, '').length < fewestOfLongNumber;
}

function patternsOfNumber(value: string, digits: string): readonly string[] {
  if (digits.length >= fewestOfLongNumber) {
    return [literal(value), `${numberBegins}${[...digits].join(betweenDigits)}${numberEnds}`];
  }
  const [, whole, fraction] = plainNumber.exec(value) ?? [];
  const written = [literal(value)];
  if (whole !== undefined) {
    const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, markOfThousands);
    written.push(fraction === undefined ? grouped : `${grouped}[.,]${fraction}`);
  }
  return written.map((pattern) => `${numberBegins}${pattern}${numberEnds}`);
}

/** A token that is cut short, or broken by a blank: its beginning, and every part of it that tells too much. */
function patternsOfCut(token: string, { text, capitals }: Said): readonly string[] {
  const beginning = token.slice(0, beginningOfToken);
  const whole = token.toUpperCase();
  const parts = (text.match(partsOfTokens) ?? []).filter(
    (part) => (/\d/.test(part) || part.length >= shortestCutToken) && whole.includes(part.toUpperCase()),
  );
  const begun = capitals.includes(beginning.toUpperCase()) ? [`${literal(beginning)}${signsOfToken}*`] : [];
  return [...begun, ...new Set(parts.map(literal))];
}
