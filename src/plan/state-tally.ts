/** Counts what becomes of the rows of one sheet, with the exact sums of their amounts. */
import Big from 'big.js';
import { type Counts, emptyCounts, type RowState, rowStates } from '../contract/row-state.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { AmountTotals, SheetTotals } from '../workbooks/results-summary.ts';

export class StateTally {
  readonly #sheet: MatchedSheet;
  readonly #rows: Partial<Record<RowState, number>> = {};
  readonly #amounts: Partial<Record<RowState, Big>> = {};
  #total = 0;
  #withoutAmount = 0;

  constructor(sheet: MatchedSheet) {
    this.#sheet = sheet;
  }

  add(state: RowState, amount: number | null): void {
    this.#total += 1;
    this.#rows[state] = (this.#rows[state] ?? 0) + 1;
    if (amount !== null) this.#amounts[state] = (this.#amounts[state] ?? new Big(0)).plus(amount);
    else if (state !== 'left-out') this.#withoutAmount += 1;
  }

  totals(): SheetTotals {
    const { name, kind } = this.#sheet;
    return { name, kind: kind.name, rows: this.#total, byState: this.#rows, amounts: this.#amountTotals() };
  }

  #amountTotals(): AmountTotals | null {
    const { columns, kind } = this.#sheet;
    const column = columns.find((one) => one.use === 'field' && one.field.path === kind.amount);
    if (column === undefined) return null;
    const { 'left-out': leftOut = new Big(0), ...counted } = this.#amounts;
    const source = Object.values(counted).reduce((sum, amount) => sum.plus(amount), new Big(0));
    return {
      label: column.header,
      source: source.toFixed(),
      byState: Object.fromEntries(Object.entries(counted).map(([state, sum]) => [state, sum.toFixed()])),
      unreadable: this.#withoutAmount,
      leftOut: leftOut.toFixed(),
    };
  }
}

/** All sheets together. */
export function countsOf(sheets: readonly SheetTotals[]): Counts {
  const counts = emptyCounts();
  for (const { rows, byState } of sheets) {
    counts.rows += rows;
    for (const [state, count] of Object.entries(byState)) counts[rowStates[state as RowState].count] += count;
  }
  return counts;
}
