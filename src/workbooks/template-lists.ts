/** Lists that are too long to stand within a validation (Excel takes 255 characters there): on a sheet of their own, out of sight. */
import type ExcelJS from 'exceljs';

export const listsSheetName = 'Lists';

export class TemplateLists {
  readonly #workbook: ExcelJS.Workbook;
  readonly #ranges = new Map<string, string>();

  constructor(workbook: ExcelJS.Workbook) {
    this.#workbook = workbook;
  }

  /** The range in which the choices stand, as a formula. */
  rangeOf(choices: readonly string[]): string {
    const key = choices.join('\n');
    const known = this.#ranges.get(key);
    if (known !== undefined) return known;
    const sheet =
      this.#workbook.getWorksheet(listsSheetName) ??
      this.#workbook.addWorksheet(listsSheetName, { state: 'veryHidden' });
    const column = sheet.getColumn(this.#ranges.size + 1);
    column.values = [...choices];
    const range = `${listsSheetName}!$${column.letter}$1:$${column.letter}$${choices.length}`;
    this.#ranges.set(key, range);
    return range;
  }
}
