/** The ways in which a service may write a date of a row: in figures, in words, as a time of a computer. */

/**
 * A text with what tells quickly that a value is not in it: to look for the values of 100 rows took 8 ms a message, and
 * takes 1.
 */
export interface Said {
  readonly text: string;
  readonly capitals: string;
  /** All digits in their order, with and without those of encoded signs. */
  readonly digits: readonly string[];
}

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
const namedPart = `[^\\p{L}\\d]{0,4}(?:year|month|day)[^\\p{L}\\d]{1,4}`;
/** Beside the whole year, the numbers are the date: `["1983","11","27"]`, `1983年11月27日`, `"year":1983,"month":11,"day":27` too. */
const markOfYear = `(?:(?:[${dashes}\\s.,:;|"'\\\\\\/年月년월]|${encodedSign}){1,3}|${namedPart})`;
/** Between the parts of a date in words; `27th of November` has a word there. */
const gap = `[${dashes}\\s.,\\/]{0,3}(?:(?:day\\s)?of\\s)?`;
/** `Sun Nov 27 00:00:00 GMT 1983` */
const timeOfDay = '(?:\\s\\d{1,2}:\\d{2}:\\d{2}(?:\\s[a-z]{2,5})?)?';
/** Shorter times are numbers of anything: they are those of the first weeks of 1970. */
const shortestTime = 7;

/**
 * @param value  a value of a row
 * @param said  where it is looked for; ways of writing it that cannot stand there are left out
 * @returns patterns without groups of their own, or `null` when the value is no date
 */
export function datePatterns(value: string, said: Said): readonly string[] | null {
  const [, year, month, day] = isoDate.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const yearOfCentury = year.slice(2);
  const inOrders = (ofYear: string, between: string): readonly string[] =>
    inFigures([ofYear, month, day], said) ? ordersOf(ofYear, `0?${Number(month)}`, `0?${Number(day)}`, between) : [];
  return [
    ...inOrders(year, markOfYear),
    ...inOrders(yearOfCentury, mark),
    ...[year, yearOfCentury].flatMap((ofYear) =>
      inFigures([ofYear, month, day], said) ? ordersOf(ofYear, month, day, '') : [],
    ),
    ...(said.text.includes(yearOfCentury)
      ? inWords(`(?:${year}|['’]?${yearOfCentury})`, Number(month), Number(day), said)
      : []),
    ...timePatterns(value, said),
  ];
}

/** Whether the digits of a text hold those of a date, in whatever order its parts stand, with zeros before them or without. */
function inFigures([year, month, day]: readonly [string, string, string], { digits }: Said): boolean {
  return [month, String(Number(month))].some((ofMonth) =>
    [day, String(Number(day))].some((ofDay) =>
      [year + ofMonth + ofDay, ofMonth + ofDay + year, ofDay + ofMonth + year].some((figures) =>
        digits.some((all) => all.includes(figures)),
      ),
    ),
  );
}

function ordersOf(year: string, month: string, day: string, between: string): readonly string[] {
  return [
    [year, month, day],
    [month, day, year],
    [day, month, year],
  ].map((parts) => `${numberBegins}${parts.join(between)}(?!\\d)`);
}

function inWords(year: string, month: number, day: number, { capitals }: Said): readonly string[] {
  const name = monthNames[month - 1] ?? '';
  const short = name.slice(0, lettersOfShortName);
  if (name === '' || !capitals.includes(short.toUpperCase())) return [];
  const rest = name.slice(lettersOfShortName);
  const monthName = `${short}(?:${rest}|t)?`;
  const dayNumber = `0?${day}(?:st|nd|rd|th)?`;
  return [
    `(?<![a-z])${monthName}${gap}${dayNumber}${timeOfDay}${gap}${year}(?!\\d)`,
    `${numberBegins}${dayNumber}${gap}${monthName}${gap}${year}(?!\\d)`,
    `${numberBegins}${year}${gap}${monthName}${gap}0?${day}(?!\\d)`,
  ];
}

/** The seconds or milliseconds since 1970 of its midnight in UTC. */
function timePatterns(value: string, { text }: Said): readonly string[] {
  const seconds = String(Math.abs(Date.parse(value) / 1000));
  if (seconds.length < shortestTime || !text.includes(seconds)) return [];
  return [`${numberBegins}${seconds}(?:000)?(?!\\d)`];
}
