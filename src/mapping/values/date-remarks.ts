/** What is said of dates: how they were read, why they could not be, and how they can be written. */
import { changed, type Reading } from '../reading.ts';
import { orHidden, type Remark, remark, remarks } from '../remark.ts';
import { shortYear } from './calendar.ts';
import type { DateOrder } from './date-order.ts';

export const howToWrite = remark`Write it like 2026-04-30.`;
const centuryTaken = remark`its year of two digits is taken for one of 1930 to 2029.`;

export const noDate = remark`is not a date. ${howToWrite}`;
/** `3/2015`, `2015-03`, `March 2015`, `2015`: which day of it is meant is nobody's to guess. */
const monthOrYear =
  /^(?:\d{1,2}[-/. ])?(?:19|20)\d{2}$|^(?:19|20)\d{2}[-/.]\d{1,2}$|^[a-z]{3,9}\.?,?[- ](?:19|20)\d{2}$/i;
const noDay = remark`names no day. Write it with one, like 2026-04-30.`;
/** The days from 1982 to 2064, as a spreadsheet counts them: from 1900 or from 1904, which the number does not say. */
const countOfDays = /^[3-5]\d{4}(?:\.\d+)?$/;
const onlyCounted = remark`may be the number by which a spreadsheet keeps a day. Format the column as a date, and export the file again.`;

export function faultOf(text: string): Remark {
  if (monthOrYear.test(text)) return noDay;
  return countOfDays.test(text) ? onlyCounted : noDate;
}

export const noSuchDay = remark`is a day that no calendar has. ${howToWrite}`;

export function perhapsSwapped(other: string): Remark {
  return remark`is perhaps ${other}: other cells of the column are dates as text, which a spreadsheet leaves where it takes the day for the month. Check it: it is sent as it is.`;
}

export const inFuture = remark`is a day in the future. Check its year: it is sent as it is.`;

export function unseenDay(): Remark {
  return orHidden(
    remark`is read as that day: the cell shows none. Check it.`,
    remark`is read with a day that the cell does not show. Check it.`,
  );
}

const decided: Readonly<Record<DateOrder | 'either' | 'spelt out', Remark>> = {
  mdy: remark`is read month first`,
  dmy: remark`is read day first`,
  ymd: remark`is read year first`,
  either: remark`is read as the day that it is in either order`,
  'spelt out': remark`is read as the day that its words say`,
};

export function readAs(day: string, year: string, order: DateOrder | 'either' | 'spelt out'): Remark {
  return year.length === shortYear
    ? orHidden(remark`is read as ${day}: ${centuryTaken}`, remark`${decided[order]}: ${centuryTaken}`)
    : orHidden(remark`is read as ${day}.`, remark`${decided[order]}.`);
}

export function withoutTime(day: string): Remark {
  return orHidden(remark`is read as ${day}: the time of day is left out.`, remark`is read without its time of day.`);
}

export function toldWithoutTime(reading: Extract<Reading, { ok: true }>): Reading {
  if (reading.note === null) return changed(reading.value, withoutTime(String(reading.value)));
  return changed(reading.value, remarks([reading.note, remark`Its time of day is left out.`]));
}
