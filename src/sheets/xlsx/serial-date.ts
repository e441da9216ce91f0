/** Excel's serial numbers as calendar days, in both date systems, without any time zone. */
import type { DateCell } from '../cell.ts';

const millisecondsOfDay = 86_400_000;
export const secondsOfDay = 86_400;
const dayZero1900 = Date.UTC(1899, 11, 30);
const dayZero1904 = Date.UTC(1904, 0, 1);
/** Excel counts a 29 February 1900 that never was: before serial 61 its days are off by one, and not to be trusted. */
const firstSafeSerial1900 = 61;
const lastSerial1900 = 2_958_465;
const lastSerial1904 = 2_957_003;
/** As Excel has it: less of a day is noise of the binary form, and 23:59:59.999 is still of its own day. */
const noiseInSeconds = 0.0001;

/** @returns the serial in the 1900 system, or `null` for a day before its first safe one, or no day at all */
export function serialOfDate(day: string, time: string | undefined): number | null {
  const serial = (Date.parse(`${day}T${time ?? '00:00:00'}Z`) - dayZero1900) / millisecondsOfDay;
  return Number.isFinite(serial) && serial >= firstSafeSerial1900 ? serial : null;
}

/** @returns the day, or `null` for a number that is no day of the date system */
export function dateOfSerial(serial: number, date1904: boolean): DateCell | null {
  const last = date1904 ? lastSerial1904 : lastSerial1900;
  if (!Number.isFinite(serial) || serial > last || serial < (date1904 ? 0 : firstSafeSerial1900)) return null;
  const whole = Math.floor(serial);
  return dateAt((date1904 ? dayZero1904 : dayZero1900) + whole * millisecondsOfDay, (serial - whole) * secondsOfDay);
}

export function dateAt(start: number, seconds: number): DateCell {
  const { day, time } = dayAndTime(new Date(start + wholeSeconds(seconds) * 1000));
  return { kind: 'date', day, time: time === '00:00:00' ? null : time };
}

/** @returns `14:05`, or `14:05:30` where there are seconds */
export function timeOfSerial(serial: number): string {
  const { time } = dayAndTime(
    new Date((wholeSeconds((serial - Math.floor(serial)) * secondsOfDay) % secondsOfDay) * 1000),
  );
  return time.endsWith(':00') ? time.slice(0, -':00'.length) : time;
}

/** `60:40:00`, whichever of its parts the format shows. */
export function durationOfSerial(serial: number): string {
  const seconds = Math.round(Math.abs(serial) * secondsOfDay);
  const rest = new Date((seconds % 3600) * 1000).toISOString().slice('1970-01-01T00:'.length, secondLength);
  return `${serial < 0 ? '-' : ''}${Math.floor(seconds / 3600)}:${rest}`;
}

/** The seconds of a day: rounded, but not into the next day. */
function wholeSeconds(seconds: number): number {
  return seconds > secondsOfDay - noiseInSeconds ? secondsOfDay : Math.min(Math.round(seconds), secondsOfDay - 1);
}

const dayLength = 'YYYY-MM-DD'.length;
const secondLength = 'YYYY-MM-DDTHH:MM:SS'.length;

/** A moment as a cell holds it, to the second. In UTC: what a sheet says has no zone, and is read as if it had that. */
export function dayAndTime(moment: Date): { readonly day: string; readonly time: string } {
  const text = moment.toISOString();
  return { day: text.slice(0, dayLength), time: text.slice(dayLength + 1, secondLength) };
}
