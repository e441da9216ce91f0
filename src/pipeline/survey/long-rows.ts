/**
 * Rows of a CSV file that have more cells than there are headers. A comma in a cell without quotation marks (1,250.50) makes two
 * cells of it and moves all behind it, and an amount of 1 would be sent.
 */
import { DealsheetError } from '../../errors.ts';
import { isTyped } from '../../mapping/column.ts';
import { isBlank } from '../../mapping/reading.ts';
import type { Cell, SheetRow } from '../../sheets/cell.ts';
import { type MatchedSheet, originsOf } from '../source/matched-sheet.ts';

const mostTold = 5;

interface LongRow {
  readonly number: number;
  readonly width: number;
}

/** `1` and `250.50`, as of 1,250.50: figures that one comma made two cells of. */
const beforeComma = /^[^\p{L}\d]*\d{1,3}$/u;
const behindComma = /^\d{3}(?:\.\d*)?[^\p{L}\d]*$/u;
const digit = /\d/;
const figure = /^[^\p{L}\d]*\d[\d.]*[^\p{L}\d]*$/u;

export class LongRows {
  readonly #name: string;
  /** The columns that hold amounts and dates. */
  readonly #typed: readonly number[];
  /** How many headers there are, or `null` in workbooks, where rows may be longer. */
  readonly #headers: number | null;
  readonly #first: LongRow[] = [];
  #count = 0;
  #hasFurtherValues = false;
  /** Columns whose amounts may go on in the next cell, and those where a row has figures of its own behind a whole amount. */
  readonly #parted = new Set<number>();
  readonly #apart = new Set<number>();
  #narrowest = Number.POSITIVE_INFINITY;
  #widest = 0;

  constructor(sheet: MatchedSheet) {
    const { name, header } = sheet;
    this.#name = name;
    this.#typed = sheet.columns.filter(isTyped).flatMap((column) => originsOf(sheet, column));
    this.#headers = header.width ?? null;
  }

  look({ number, cells, width }: SheetRow): void {
    if (this.#headers === null || width === undefined) return;
    this.#narrowest = Math.min(this.#narrowest, width);
    this.#widest = Math.max(this.#widest, width);
    if (width <= this.#headers) return;
    this.#count += 1;
    this.#hasFurtherValues ||= cells.length > this.#headers;
    for (const column of this.#typed) this.#lookBehind(column, cells);
    if (this.#first.length < mostTold) this.#first.push({ number, width });
  }

  /** @throws DealsheetError `unmatched-columns` where cells may stand under the headers of others */
  refuse(): void {
    // Some programs end each row with a comma more than the headers: that moves nothing.
    const mayBeParted = [...this.#parted].some((column) => !this.#apart.has(column));
    const endAlike = this.#narrowest === this.#widest && !this.#hasFurtherValues && !mayBeParted;
    if (this.#count === 0 || endAlike) return;
    const told = this.#first.map(({ number, width }) => `row ${number} has ${width}`).join(', ');
    const further = this.#count > mostTold ? `, and so have ${this.#count - mostTold} more` : '';
    throw new DealsheetError(
      'unmatched-columns',
      `${this.#name}: rows have more cells than there are headers (${this.#headers}): ${told}${further}.`,
      'Put a cell that holds what stands between the cells into quotation marks, as in "1,250.50": without them it is two cells, and all behind it are moved. If nothing is moved, give the further cells a header, which leaves them out in parentheses. Nothing was sent.',
    );
  }

  #lookBehind(column: number, cells: SheetRow['cells']): void {
    const next = cells[column + 1];
    if (!areOfOneAmount(cells[column], next)) {
      if (isText(cells[column], digit) && isText(next, figure)) this.#apart.add(column);
    } else if (this.#wouldFitMoved(column, cells)) this.#parted.add(column);
  }

  /** Whether the amounts and dates behind a column could stand one cell further on: words there are in their own place. */
  #wouldFitMoved(column: number, cells: SheetRow['cells']): boolean {
    const behind = this.#typed.filter((other) => other > column);
    return behind.every((other) => isBlank(cells[other + 1]) || isText(cells[other + 1], digit));
  }
}

function areOfOneAmount(cell: Cell | undefined, next: Cell | undefined): boolean {
  return isText(cell, beforeComma) && isText(next, behindComma);
}

function isText(cell: Cell | undefined, form: RegExp): boolean {
  return typeof cell === 'string' && form.test(cell);
}
