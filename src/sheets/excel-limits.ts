/** What a sheet of Excel holds at most (Excel specifications and limits). */

export const mostRows = 1_048_576;
export const mostColumns = 16_384;
export const mostLinks = 65_530;

/** Excel works with 15 significant digits: what a double holds beyond them is noise of the binary form. */
export const excelDigits = 15;

export function roundToExcel(number: number): number {
  return Number(number.toPrecision(excelDigits));
}
