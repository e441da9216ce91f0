/** What a sheet of Excel holds at most (Excel specifications and limits), and what its columns are called. */

export const mostRows = 1_048_576;
export const mostColumns = 16_384;
export const mostLinks = 65_530;
/** In characters. */
export const longestCell = 32_767;
/** Room for the filter button beside a header, in characters. */
export const filterButton = 4;

/** Excel works with 15 significant digits: what a double holds beyond them is noise of the binary form. */
export const excelDigits = 15;

export function roundToExcel(number: number): number {
  return Number(number.toPrecision(excelDigits));
}

const letterA = 'A'.charCodeAt(0);
const lettersOfColumns = 26;

/** `0` to `A`, `27` to `AB`. */
export function columnName(index: number): string {
  const last = String.fromCharCode(letterA + (index % lettersOfColumns));
  return index < lettersOfColumns ? last : columnName(Math.floor(index / lettersOfColumns) - 1) + last;
}

/** Of a letter's code, whatever its case: its number in the alphabet. */
const letterBits = 0x1f;

/** `A` to `0`, `AB` or `ab` to `27`. */
export function columnIndex(name: string): number {
  let count = 0;
  for (let at = 0; at < name.length; at += 1) count = count * lettersOfColumns + (name.charCodeAt(at) & letterBits);
  return count - 1;
}
