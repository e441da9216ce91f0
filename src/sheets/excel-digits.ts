/** Excel works with 15 significant digits: what a double holds beyond them is noise of the binary form. */
export const excelDigits = 15;

export function roundToExcel(number: number): number {
  return Number(number.toPrecision(excelDigits));
}
