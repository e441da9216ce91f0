/** Rows that say the same as another one of their source and are sent all the same: a person is told of them before. */
import { amountOf, type JudgedRow } from '../staging/staged-data.ts';

export interface Repeat {
  readonly sheet: string;
  readonly row: number;
  /** The earlier row: `row 20`, or `Deals row 20` in another sheet. */
  readonly twin: string;
  readonly amount: number | null;
}

export interface RepeatsFound {
  readonly rows: number;
  /** The first of them. */
  readonly examples: readonly Repeat[];
}

const mostExamples = 10;

export class Repeats {
  #rows = 0;
  readonly #examples: Repeat[] = [];

  add(row: JudgedRow): void {
    const { sheet, twin } = row;
    if (twin === null) return;
    this.#rows += 1;
    if (this.#examples.length === mostExamples) return;
    this.#examples.push({ sheet, row: row.row, twin, amount: amountOf(row) });
  }

  get found(): RepeatsFound {
    return { rows: this.#rows, examples: this.#examples };
  }
}
