/** Counts what became of the rows of one sheet, with the exact sums of their amounts. */
import Big from 'big.js';
import { type Counts, type RowState, rowStates } from '../contract/row-state.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { AmountTotals, SheetTotals } from '../workbooks/results-summary.ts';

export class StateTally {
  readonly #sheet: MatchedSheet;
  readonly #rows: Partial<Record<RowState, number>> = {};
  readonly #amounts: Partial<Record<RowState, Big>> = {};
  #total = 0;
  #source = new Big(0);
  #leftOut = new Big(0);
  #unreadable = 0;

  constructor(sheet: MatchedSheet) {
    this.#sheet = sheet;
  }

  add(state: RowState, amount: number | null): void {
    this.#total += 1;
    this.#rows[state] = (this.#rows[state] ?? 0) + 1;
    if (this.#sheet.kind.amount === null) return;
    if (state === 'left-out') {
      this.#leftOut = this.#leftOut.plus(amount ?? 0);
      return;
    }
    if (amount === null) {
      this.#unreadable += 1;
      return;
    }
    this.#source = this.#source.plus(amount);
    this.#amounts[state] = (this.#amounts[state] ?? new Big(0)).plus(amount);
  }

  totals(): SheetTotals {
    return {
      name: this.#sheet.name,
      kind: this.#sheet.kind.name,
      rows: this.#total,
      byState: this.#rows,
      amounts: this.#amountTotals(),
    };
  }

  addTo(counts: Counts): Counts {
    counts.rows += this.#total;
    for (const [state, count] of Object.entries(this.#rows)) counts[rowStates[state as RowState].count] += count;
    return counts;
  }

  #amountTotals(): AmountTotals | null {
    const { columns, kind } = this.#sheet;
    const column = columns.find((one) => one.use === 'field' && one.field.path === kind.amount);
    if (column === undefined) return null;
    const byState = Object.fromEntries(Object.entries(this.#amounts).map(([state, sum]) => [state, sum.toFixed()]));
    return {
      label: column.header,
      source: this.#source.toFixed(),
      byState,
      unreadable: this.#unreadable,
      leftOut: this.#leftOut.toFixed(),
    };
  }
}
