/** The limits of an Excel sheet (Excel specifications and limits), and the names of its columns. */

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
