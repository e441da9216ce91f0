/** The ways in which a service may write a date of a row: in figures, in words, as a time of a computer. */
import { literal } from './literal.ts';
import { monthsNamed } from './month-names.ts';

/**
 * A text with what tells quickly that a value is not in it: to look for the values of 100 rows took 8 ms a message, and
 * takes 1.
 */
export interface Said {
  readonly text: string;
  readonly capitals: string;
  /** All digits in their order, with and without those of encoded signs. */
  readonly digits: readonly string[];
  /** Looked for when the first date of a row is. */
  readonly dates: () => WrittenDates;
}

/** The texts of dates, each under all that it may mean. */
type WrittenDates = ReadonlyMap<string, ReadonlySet<string>>;

const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/;
const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;
const lettersOfShortName = 3;
/** The dashes that are typed: the class of all dashes of Unicode made masking four times as slow. */
export const dashes = '\\-_\\u2010-\\u2015\\u2212\\uFE58\\uFE63\\uFF0D\\uFF3F';
/** A sign as computers write it inside of something else: `%2D`, `\u002d`, `&#45;`. */
export const encodedSign = '(?:%[0-9a-f]{2}|\\\\u[0-9a-f]{4}|&#x?[0-9a-f]{1,4};)';
/** Where a number begins: the digits of an encoded sign before it are none of its own. */
export const numberBegins = `(?:(?<!\\d)|(?<=${encodedSign}))`;
/** `/`, ` / `, `\/` or a blank, between parts of which none is a year of four digits. */
const mark = `(?:\\s?(?:[${dashes}.\\\\\\/]|${encodedSign}){1,2}\\s?|\\s)`;
const partName = '(?:year|month(?:value)?|day(?:ofmonth)?|[ymd])';
const namedPart = `[^\\p{L}\\d]{0,4}${partName}[^\\p{L}\\d]{1,4}`;
/** Beside the whole year, the numbers are the date: `["1983","11","27"]`, `1983年11月27日`, `"year":1983,"month":11,"day":27` too. */
const markOfYear = `(?:(?:[${dashes}\\s.,:;|"'\\\\\\/年月년월]|${encodedSign}){1,3}|${namedPart})`;
/** Between the parts of a date in words; `27th of November` and `27 de noviembre` have a word there. */
const gap = `[${dashes}\\s.,\\/]{0,3}(?:(?:(?:day\\s)?of|the|del?)\\s|d['’])?`;
/** `Sun Nov 27 00:00:00 GMT 1983` */
const timeOfDay = '\\s\\d{1,2}:\\d{2}:\\d{2}(?:\\s[a-z]{2,5})?';
/** Shorter numbers are those of anything: as times they are those of the first weeks of 1970. */
const timeSince1970 = new RegExp(`${numberBegins}(?=(\\d{7,16})(?!\\d))`, 'gi');
/** A second, in seconds, in milliseconds and in their thousandths. */
const unitsOfTime = [1, 1_000, 1_000_000] as const;
/** `1983-11-26T23:00:00Z` is the 27th where clocks are ahead. */
const momentBeforeMidnight = /(\d{4}-\d{2}-\d{2})[T ]([12]\d:\d{2})(?::00)?/g;
const secondsOfDay = 86_400;
/** Clocks on earth differ from UTC by quarters of an hour, and by so much at most. */
const stepOfZones = 900;
const mostBehind = 12 * 3_600;
const mostAhead = 14 * 3_600;

/** Which part of a date is which, each as it is written. */
type Order = (parts: readonly [string, string, string]) => Readonly<Record<'year' | 'month' | 'day', string>>;

const yearMonthDay: Order = ([year, month, day]) => ({ year, month, day });
const monthDayYear: Order = ([month, day, year]) => ({ year, month, day });
const dayMonthYear: Order = ([day, month, year]) => ({ year, month, day });
const anyOrder = [yearMonthDay, monthDayYear, dayMonthYear] as const;
const yearLast = [monthDayYear, dayMonthYear] as const;

interface Shape {
  /** Finds it at every place, also inside another: it takes no sign, and its groups are the whole and three parts. */
  readonly pattern: RegExp;
  readonly orders: readonly Order[];
}

/** With a zero before it, or without. */
const numberOfPart = '(0?[1-9]\\d?)';
const monthName = `(${monthNames
  .map((name) => `${name.slice(0, lettersOfShortName)}(?:${name.slice(lettersOfShortName)}|t)?`)
  .join('|')})`;
const numberOfDay = `${numberOfPart}(?:st|nd|rd|th|er|re|e|[ºª°])?`;
/** The name of a month in any language, or any other word. */
const anyName = '(\\p{L}[\\p{L}\\p{M}]{0,14})';
const yearBesideWords = "((?:\\d{2}|['’])?\\d{2})";

const isMonthName = new RegExp(`^${monthName}$`, 'i');

const shapes: readonly Shape[] = [
  shape(numberBegins, `(\\d{4})${markOfYear}${numberOfPart}${markOfYear}${numberOfPart}`, [yearMonthDay]),
  shape(numberBegins, `${numberOfPart}${markOfYear}${numberOfPart}${markOfYear}(\\d{4})`, yearLast),
  shape(numberBegins, `(\\d{2})${mark}${numberOfPart}${mark}${numberOfPart}`, [yearMonthDay]),
  shape(numberBegins, `${numberOfPart}${mark}${numberOfPart}${mark}(\\d{2})`, yearLast),
  shape(numberBegins, '(\\d{4})(\\d{2})(\\d{2})', [yearMonthDay]),
  shape(numberBegins, '(\\d{2})(\\d{2})(\\d{4})', yearLast),
  shape(numberBegins, '(\\d{2})(\\d{2})(\\d{2})', anyOrder),
  shape('(?<![a-z])', `${monthName}${gap}${numberOfDay}${timeOfDay}${gap}${yearBesideWords}`, [monthDayYear]),
  shape('(?<![a-z])', `${monthName}${gap}${numberOfDay}${gap}${yearBesideWords}`, [monthDayYear]),
  shape(numberBegins, `${numberOfDay}${gap}${monthName}${gap}${yearBesideWords}`, [dayMonthYear]),
  shape(numberBegins, `${yearBesideWords}${gap}${monthName}${gap}${numberOfPart}`, [yearMonthDay]),
  shape('(?<![\\p{L}\\p{M}])', `${anyName}${gap}${numberOfDay}${gap}${yearBesideWords}`, [monthDayYear]),
  shape(numberBegins, `${numberOfDay}${gap}${anyName}${gap}${yearBesideWords}`, [dayMonthYear]),
  shape(numberBegins, `(\\d{4})${gap}${anyName}${gap}${numberOfPart}`, [yearMonthDay]),
];

function shape(begins: string, parts: string, orders: readonly Order[]): Shape {
  return { pattern: new RegExp(`${begins}(?=(${parts})(?!\\d))`, 'giu'), orders };
}

/**
 * All that may be a date in a text, by what {@link keyOf} gives. Dates are found once in a text, and not each of them by
 * patterns of its own: to make those took 12 ms a date.
 */
export function datesIn(text: string): WrittenDates {
  const found = new Map<string, Set<string>>();
  const add = (key: string, whole: string): void => {
    found.set(key, (found.get(key) ?? new Set()).add(whole));
  };
  for (const { pattern, orders } of shapes) {
    for (const [, whole = '', ...parts] of text.matchAll(pattern)) {
      for (const inOrder of orders) {
        const { year, month, day } = inOrder([parts[0] ?? '', parts[1] ?? '', parts[2] ?? '']);
        for (const number of monthsSaid(month)) add(keyOf(year.replace(/['’]/, ''), number, Number(day)), whole);
      }
    }
  }
  for (const { whole, day } of midnightsIn(text)) {
    add(keyOf(String(day.getUTCFullYear()), day.getUTCMonth() + 1, day.getUTCDate()), whole);
  }
  return found;
}

function monthsSaid(month: string): Iterable<number> {
  if (/^\d/.test(month)) return [Number(month)];
  const short = month.slice(0, lettersOfShortName).toLowerCase();
  const place = monthNames.findIndex((name) => name.startsWith(short));
  return place < 0 || !isMonthName.test(month) ? monthsNamed(month) : [place + 1];
}

/** A time that is midnight somewhere on earth, and the days that begin with it there: dates are often kept as such times. */
function* midnightsIn(text: string): Generator<{ readonly whole: string; readonly day: Date }> {
  for (const [, whole = ''] of text.matchAll(timeSince1970)) {
    for (const unit of unitsOfTime) {
      const seconds = Number(whole) / unit;
      for (const day of [...daysBeginning(seconds), ...daysBeginning(-seconds)]) yield { whole, day };
    }
  }
  for (const [whole, date = '', time = ''] of text.matchAll(momentBeforeMidnight)) {
    for (const day of daysBeginning(Date.parse(`${date}T${time}Z`) / 1000)) yield { whole, day };
  }
}

/** @param seconds  since 1970, in UTC */
function* daysBeginning(seconds: number): Generator<Date> {
  if (seconds % stepOfZones !== 0) return;
  const midnight = Math.floor(seconds / secondsOfDay) * secondsOfDay;
  const sinceMidnight = seconds - midnight;
  if (sinceMidnight <= mostBehind) yield new Date(midnight * 1000);
  if (sinceMidnight >= secondsOfDay - mostAhead) yield new Date((midnight + secondsOfDay) * 1000);
}

function keyOf(year: string, month: number, day: number): string {
  return `${year}-${month}-${day}`;
}

/**
 * @param value  a value of a row
 * @param said  where it is looked for; ways of writing it that do not stand there are left out
 * @returns patterns without groups of their own, or `null` when the value is no date
 */
export function datePatterns(value: string, said: Said): readonly string[] | null {
  const [, year, month, day] = isoDate.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const written = [year, year.slice(2)].flatMap((ofYear) => [
    ...(said.dates().get(keyOf(ofYear, Number(month), Number(day))) ?? []),
  ]);
  return written.map(asItStands);
}

function asItStands(text: string): string {
  const begins = /^\p{L}/u.test(text) ? '(?<![a-z])' : numberBegins;
  return `${begins}${literal(text)}(?!\\d)`;
}
