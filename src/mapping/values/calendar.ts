/** The calendar: which days there are, and which century a year of two digits is of. */
import dayjs from 'dayjs';

/** `2026-04-30` */
export const isoDay = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Excel's own window for years of two digits: 30 to 99 are of the last century. */
const firstShortYearOfLastCentury = 30;
export const shortYear = 2;
const firstPlausibleYear = 1900;
const lastPlausibleYear = 2199;
export const monthsOfYear = 12;

/** Today where this computer stands. */
export function today(): string {
  return dayjs().format('YYYY-MM-DD');
}

/** Whether the day of a date may be a month as well. */
export function mayBeMonth(day: string): boolean {
  return Number(day.slice(-2)) <= monthsOfYear;
}

/** A year of two digits, with its century. */
export function fullYear(year: string): string {
  if (year.length !== shortYear) return year;
  return (Number(year) >= firstShortYearOfLastCentury ? '19' : '20') + year;
}

export function isPlausibleYear(year: number): boolean {
  return year >= firstPlausibleYear && year <= lastPlausibleYear;
}

export function isCalendarDay(day: string): boolean {
  const match = isoDay.exec(day);
  if (match === null) return false;
  return isDay(Number(match[1]), Number(match[2]), Number(match[3]));
}

export function isDay(year: number, month: number, day: number): boolean {
  return isMonth(month) && day >= 1 && day <= daysOf(year, month);
}

export function isMonth(part: number): boolean {
  return part >= 1 && part <= monthsOfYear;
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
