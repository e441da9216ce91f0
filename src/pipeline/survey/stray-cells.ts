/** Values in columns that have no header: to the right of the table they are left out and said, within it they stop the load. */
import { DealsheetError } from '../../errors.ts';
import { cellAddress } from '../../mapping/column.ts';
import { isBlank } from '../../mapping/reading.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { columnName } from '../../sheets/xlsx/cell-reference.ts';
import type { MatchedSheet } from '../source/matched-sheet.ts';

export class StrayCells {
  readonly #sheet: MatchedSheet;
  readonly #headed: ReadonlySet<number>;
  readonly #lastHeaded: number;
  readonly #first = new Map<number, { row: number; count: number }>();

  constructor(sheet: MatchedSheet) {
    this.#sheet = sheet;
    const headed = sheet.header.headers.flatMap((header, index) => (header === null ? [] : [index]));
    this.#headed = new Set(headed);
    this.#lastHeaded = headed.at(-1) ?? -1;
  }

  look(row: SheetRow): void {
    if (row.cells.length - 1 <= this.#lastHeaded && this.#headed.size === this.#lastHeaded + 1) return;
    row.cells.forEach((cell, index) => {
      if (isBlank(cell) || index < this.#sheet.ownColumns || this.#headed.has(index)) return;
      const seen = this.#first.get(index);
      if (seen === undefined) this.#first.set(index, { row: row.number, count: 1 });
      else seen.count += 1;
    });
  }

  refuse(): void {
    const within = [...this.#first].filter(([index]) => index < this.#lastHeaded);
    if (within.length === 0) return;
    const places = within.map(
      ([index, { row }]) => `column ${columnName(index)} (${cellAddress(this.#sheet.name, index, row)})`,
    );
    throw new DealsheetError(
      'unmatched-columns',
      `${this.#sheet.name} has values without a header in ${places.join(', ')}.`,
      'Give the column its header, put a header in parentheses to leave it out, or empty it. Nothing was sent.',
    );
  }

  notices(): string[] {
    return [...this.#first].map(([index, { row, count }]) => {
      const [cells, have] =
        count === 1 ? ['1 cell', 'has no header and is'] : [`${count} cells`, 'have no header and are'];
      return `${this.#sheet.name}: ${cells} to the right of the table, from ${cellAddress(this.#sheet.name, index, row)} on, ${have} left out.`;
    });
  }
}
