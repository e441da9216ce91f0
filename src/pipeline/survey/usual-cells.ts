/** What the rows of a sheet usually fill: what one leaves blank of it may tell that it is a total. */
import { isBlank } from '../../mapping/reading.ts';
import type { SheetRow } from '../../sheets/cell.ts';

/** One row in so many may leave blank what all others fill. */
const rowsToOneBlank = 20;

export class UsualCells {
  readonly #columns: readonly number[];
  #rows = 0;
  #rowsWithParent = 0;
  #filled: number[] = [];

  /** @param columns  those that are counted */
  constructor(columns: readonly number[]) {
    this.#columns = columns;
  }

  count({ cells }: SheetRow, namesParent: boolean): void {
    this.#rows += 1;
    if (namesParent) this.#rowsWithParent += 1;
    for (const index of this.#columns) {
      if (!isBlank(cells[index])) this.#filled[index] = (this.#filled[index] ?? 0) + 1;
    }
  }

  forget(): void {
    [this.#rows, this.#rowsWithParent, this.#filled] = [0, 0, []];
  }

  get areKnown(): boolean {
    return this.#rows > 0;
  }

  /** Whether the rows name a record that they belong to. */
  get nameParent(): boolean {
    return this.#isUsual(this.#rowsWithParent);
  }

  /** Whether a row leaves one of the columns blank that others fill: any, before there are others. */
  leavesBlank(columns: readonly number[], { cells }: SheetRow): boolean {
    return columns.some((index) => isBlank(cells[index]) && this.#isUsuallyFilled(index));
  }

  /** Whether a row fills `most` of the columns at most, and others fill more, and `fewest` of them at least. */
  fillsLess(columns: readonly number[], { cells }: SheetRow, most: number, fewest: number): boolean {
    const filled = columns.filter((index) => !isBlank(cells[index])).length;
    const usual = columns.filter((index) => this.#isUsuallyFilled(index)).length;
    return filled <= most && filled < usual && usual >= fewest;
  }

  #isUsuallyFilled(index: number): boolean {
    return this.#rows === 0 || this.#isUsual(this.#filled[index] ?? 0);
  }

  #isUsual(rows: number): boolean {
    return this.#rows > 0 && rows >= this.#rows - Math.floor(this.#rows / rowsToOneBlank);
  }
}
