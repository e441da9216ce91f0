/** The limits of an Excel sheet (Excel specifications and limits), the names of its columns, and its days as serial numbers. */

export const mostRows = 1_048_576;
export const mostColumns = 16_384;
export const mostLinks = 65_530;
/** In characters. */
export const longestCell = 32_767;
/** The width of the filter button beside a header, in characters. */
export const filterButton = 4;

/** Excel keeps 15 significant digits. Further digits of a double are binary noise. */
export const excelDigits = 15;

/** Whether a number in decimal digits has no more of them than Excel keeps. */
export function fitsExcel(digits: string): boolean {
  if (digits.length <= excelDigits) return true;
  const trimmed = digits.includes('.') ? digits.replace(/0+$/, '') : digits;
  return trimmed.replace(/[-.]/g, '').replace(/^0+/, '').length <= excelDigits;
}

/** Always finite. The largest doubles would round to infinity. */
export function roundToExcel(number: number): number {
  const rounded = Number(number.toPrecision(excelDigits));
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, rounded));
}

const letterA = 'A'.charCodeAt(0);
const lettersOfColumns = 26;

/** `0` to `A`, `27` to `AB`. */
export function columnName(index: number): string {
  const last = String.fromCharCode(letterA + (index % lettersOfColumns));
  return index < lettersOfColumns ? last : columnName(Math.floor(index / lettersOfColumns) - 1) + last;
}

/** The bits of a letter's code that hold its position in the alphabet, in either case. */
const letterBits = 0x1f;

/** `A` to `0`, `AB` or `ab` to `27`. */
export function columnIndex(name: string): number {
  let count = 0;
  for (let at = 0; at < name.length; at += 1) count = count * lettersOfColumns + (name.charCodeAt(at) & letterBits);
  return count - 1;
}

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
