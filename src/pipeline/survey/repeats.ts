/** Rows that say the same as another one of their source and are sent all the same: a person is told of them before. */
import { amountOf, type JudgedRow } from './judged-row.ts';

export interface Repeat {
  readonly sheet: string;
  readonly row: number;
  /** The earlier row: `row 20`, or `Deals row 20` in another sheet. */
  readonly twin: string;
  /** Whether it is no row above that is sent as well, but one that is in, or may be, by an earlier load. */
  readonly isEarlierLoad: boolean;
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

  /** Those of several sheets together. */
  static ofAll(all: readonly { readonly repeats: RepeatsFound }[]): RepeatsFound {
    const rows = all.reduce((sum, { repeats }) => sum + repeats.rows, 0);
    return { rows, examples: all.flatMap(({ repeats }) => repeats.examples).slice(0, mostExamples) };
  }

  /** @param earlier  a row of an earlier load that says the same, in words, where the source has that row, too; else `null` */
  add(row: JudgedRow, earlier: string | null = null): void {
    const twin = row.twin ?? earlier;
    if (twin === null) return;
    this.#rows += 1;
    if (this.#examples.length === mostExamples) return;
    const isEarlierLoad = row.twin === null;
    this.#examples.push({ sheet: row.sheet, row: row.row, twin, isEarlierLoad, amount: amountOf(row) });
  }

  get found(): RepeatsFound {
    return { rows: this.#rows, examples: this.#examples };
  }
}
