/**
 * Rows of a CSV file that have more cells than there are headers. A comma in a cell without quotation marks (1,250.50) makes two
 * cells of it and moves all behind it, and an amount of 1 would be sent.
 */
import { DealsheetError } from '../../errors.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import type { PlannedSheet } from '../source/planned-sheet.ts';

const mostTold = 5;

interface LongRow {
  readonly number: number;
  readonly width: number;
}

export class LongRows {
  readonly #name: string;
  /** How many headers there are, or `null` where rows may be longer: in workbooks, and in results made of them. */
  readonly #headers: number | null;
  readonly #first: LongRow[] = [];
  #count = 0;
  #hasFurtherValues = false;
  #narrowest = Number.POSITIVE_INFINITY;
  #widest = 0;

  constructor({ name, header, ownColumns }: PlannedSheet) {
    this.#name = name;
    this.#headers = ownColumns > 0 ? null : (header.width ?? null);
  }

  look({ number, cells, width }: SheetRow): void {
    if (this.#headers === null || width === undefined) return;
    this.#narrowest = Math.min(this.#narrowest, width);
    this.#widest = Math.max(this.#widest, width);
    if (width <= this.#headers) return;
    this.#count += 1;
    this.#hasFurtherValues ||= cells.length > this.#headers;
    if (this.#first.length < mostTold) this.#first.push({ number, width });
  }

  /** @throws DealsheetError `unmatched-columns` where cells may stand under the headers of others */
  refuse(): void {
    // Some programs end each row with a comma more than the headers: that moves nothing.
    const endAlike = this.#narrowest === this.#widest && !this.#hasFurtherValues;
    if (this.#count === 0 || endAlike) return;
    const told = this.#first.map(({ number, width }) => `row ${number} has ${width}`).join(', ');
    const further = this.#count > mostTold ? `, and so have ${this.#count - mostTold} more` : '';
    throw new DealsheetError(
      'unmatched-columns',
      `${this.#name}: rows have more cells than there are headers (${this.#headers}): ${told}${further}.`,
      'Put a cell that holds what stands between the cells into quotation marks, as in "1,250.50": without them it is two cells, and all behind it are moved. If nothing is moved, give the further cells a header, which leaves them out in parentheses. Nothing was sent.',
    );
  }
}
