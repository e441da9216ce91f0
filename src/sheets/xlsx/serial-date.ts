/** Days as Excel serial numbers. Apart from the reading of cells, whose formats need a package: writing needs none. */

export const millisecondsOfDay = 86_400_000;
export const dayZero1900 = Date.UTC(1899, 11, 30);
/** Excel counts a 29 February 1900 that did not exist. Before serial 61 its days are off by one, so they are not trusted. */
export const firstSafeSerial1900 = 61;

/** @returns the serial in the 1900 system, or `null` for an invalid day or one before the first safe serial */
export function serialOfDate(day: string, time: string | undefined): number | null {
  const serial = (Date.parse(`${day}T${time ?? '00:00:00'}Z`) - dayZero1900) / millisecondsOfDay;
  return Number.isFinite(serial) && serial >= firstSafeSerial1900 ? serial : null;
}

const dayLength = 'YYYY-MM-DD'.length;
export const secondLength = 'YYYY-MM-DDTHH:MM:SS'.length;

/** The day and time to the second. In UTC, because cells have no time zone. */
export function dayAndTime(moment: Date): { readonly day: string; readonly time: string } {
  const text = moment.toISOString();
  return { day: text.slice(0, dayLength), time: text.slice(dayLength + 1, secondLength) };
}
