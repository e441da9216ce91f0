/** Texts that are not values: words for nothing, the mark that clears a field in an update, and masked values. */
import { distance } from 'fastest-levenshtein';

/** Words for nothing count as blank except in free text. Case matters, because Nan, Nat and Nil are first names. */
const words = String.raw`[Nn]\/[Aa]|NA|NULL|null|NaN|nan|NaT|nil|none|None|NONE|undefined|[Nn]ot (?:applicable|available|provided)`;
const wordForNothing = new RegExp(
  String.raw`^(?:${words}|[([<](?:${words}|blank|empty|[Nn]o value)[)\]>]|\\N|[-\u2012-\u2015\u2212]{1,3})$`,
);
/** The first characters of words for nothing, and their maximum length. The expression alone took 3 µs a row. */
const beginnings = ' \tnNu([<\\-\u2012\u2013\u2014\u2015\u2212';
const longest = 24;

export function standsForNothing(text: string): boolean {
  return text.length <= longest && beginnings.includes(text.charAt(0)) && wordForNothing.test(text.trim());
}

export function isClearMark(text: string): boolean {
  return text.includes('<') && /^\s*<\s*clear\s*>\s*$/i.test(text);
}

const longestNear = 40;
const mostSlips = 2;

/** `<clear`, `<clear>.`, `<cleared>`, `<claer>`: never meant as a value. */
export function isNearClearMark(text: string): boolean {
  if (text.length > longestNear || !/[<>]/.test(text)) return false;
  if (/<[^\p{L}\p{N}]*clear|(?<!\p{L})clear[^\p{L}\p{N}]*>/iu.test(text)) return true;
  const word = /^[^\p{L}\p{N}]*(\p{L}+)[^\p{L}\p{N}]*$/u.exec(text)?.[1] ?? '';
  return word.length + mostSlips > 'clear'.length && distance(word.toLowerCase(), 'clear') <= mostSlips;
}

/** Replaces every letter and digit with a star. */
export function masked(text: string): string {
  return text.replace(/[\p{L}\p{N}]/gu, '*');
}

/** Every dash that people write between numbers. */
const dashes = '\\-\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d';
/** 219-09-9999 with any dash or blank, even inside a text. One more digit makes it another number. */
const betweenParts = `(?:\\s?[${dashes}.]\\s?|\\s)`;
const likeSsn = new RegExp(
  `(?<!\\p{Nd}[${dashes}.]?)\\p{Nd}{3}${betweenParts}\\p{Nd}{2}${betweenParts}\\p{Nd}{4}(?![${dashes}.]?\\p{Nd})`,
  'gu',
);

/** Masks only the SSNs in a text. */
export function withoutSsn(text: string): string {
  return text.replace(likeSsn, masked);
}

/** Whether a text may hold an SSN or a date of birth. A phone number may match too, so that no SSN gets through. */
export function mayHoldSsnOrDate(text: string): boolean {
  return sensitiveShapes.some((shape) => shape.test(text));
}

/** A header as it may be shown. Masks an SSN or date, in case the row holds values. `Balance 06/30/2026` stays. */
export function shownHeader(text: string, isAmongNames = false): string {
  const header = text.length > longestShownHeader ? `${text.slice(0, longestShownHeader)}…` : text;
  const mayHold = isAmongNames ? nineDigits.test(header) : mayHoldSsnOrDate(header);
  return mayHold && !/\p{L}/u.test(header.replace(wordsOfDates, '')) ? masked(header) : header;
}

const longestShownHeader = 200;

const wordsOfDates =
  /(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*|(?<=\p{Nd})(?:st|nd|rd|th|[TZ])|(?<!\p{L})of(?!\p{L})/giu;

/** The digits of an SSN with any marks between them. One more digit may be a list number. */
const nineDigits = /(?:\p{Nd}[^\p{L}\p{N}]{0,3}){9}/u;

const sensitiveShapes: readonly RegExp[] = [
  nineDigits,
  // 1980-04-17, 17.4.80, 04 / 17 / 1980
  /\p{Nd}{1,4}\s{0,3}[-/.,_\\ ‐-―]\s{0,3}\p{Nd}{1,2}\s{0,3}[-/.,_\\ ‐-―]\s{0,3}\p{Nd}{2,4}/u,
  // 19800417, 17041980
  /(?:19|20)\p{Nd}{6}|\p{Nd}{4}(?:19|20)\p{Nd}{2}/u,
  // 17 avril 1980, 17.IV.1980, 1980年4月17日
  /\p{Nd}{1,2}\P{Nd}{1,20}(?:19|20)\p{Nd}{2}|(?:19|20)\p{Nd}{2}\P{Nd}{1,20}\p{Nd}{1,2}/u,
  // Apr 17, 80; 17Apr80
  /(?<!\p{L})(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*[^\p{L}\p{N}]{0,3}\p{Nd}/iu,
  /\p{Nd}(?:st|nd|rd|th)?(?:[^\p{L}\p{N}]{0,3}of)?[^\p{L}\p{N}]{0,3}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/iu,
];

/** Whether a cell holds what {@link masked} leaves. Such a value must never be sent. */
export function isMasked(text: string): boolean {
  return /\*{2,}/.test(text) && !/[\p{L}\p{N}]/u.test(text);
}
