/** Counts and exact sums of what is written, row by row: over all records, and by the values of some columns. */
import Big from 'big.js';
import { excelDigits } from '../sheets/excel-limits.ts';
import type { OutputValue } from '../sheets/sheet-writer.ts';
import { type ExportColumn, isSummed, mainAmount } from '../workbooks/export-sheet.ts';
import { textOfCell } from './cell-values.ts';
import { copyOf } from './exact-json.ts';

/** All further names are one group. */
const mostGroups = 1000;
const longestShown = 40;
const none = new Big(0);
const noName = '(blank)';
const allOthers = 'All others';

interface ColumnSum {
  sum: Big;
  /** Values that are no amounts, and are in no sum. */
  texts: number;
  firstText: string;
}

/** Counts by the values of a column, with the sums of another one. */
interface Group {
  readonly label: string;
  readonly sumLabel: string | null;
  readonly rows: readonly { readonly name: string; readonly count: number; readonly sum: string }[];
}

export class ExportTally {
  /** Amounts with more digits than a number in a spreadsheet holds: they stand as text, and are in no formula. */
  #textAmounts = 0;
  readonly #columns: readonly ExportColumn[];
  readonly #sums: ReadonlyMap<number, ColumnSum>;
  /** The column whose sums stand beside the counts of groups: the balance, or the first amount. */
  readonly #main: number | null;
  readonly #groups: ReadonlyMap<number, Map<string, { readonly count: number; readonly sum: Big }>>;

  /** @param groupBy  the places of the columns by whose values it counts */
  constructor(columns: readonly ExportColumn[], groupBy: readonly number[]) {
    this.#columns = columns;
    const summed = columns.flatMap((column, index) => (isSummed(column) ? [index] : []));
    this.#sums = new Map(summed.map((index) => [index, { sum: none, texts: 0, firstText: '' }]));
    this.#main = mainAmount(columns);
    this.#groups = new Map(groupBy.map((column) => [column, new Map()]));
  }

  add(row: readonly OutputValue[]): void {
    for (const [column, sum] of this.#sums) {
      const value = row[column] ?? null;
      const digits = plainAmount(value);
      if (digits !== null) {
        sum.sum = sum.sum.plus(digits);
        if (typeof value === 'string') this.#textAmounts += 1;
      } else if (typeof value === 'string' && value.trim() !== '') {
        if (sum.texts === 0) sum.firstText = copyOf(value.slice(0, longestShown));
        sum.texts += 1;
      }
    }
    const main = this.#main === null ? null : plainAmount(row[this.#main] ?? null);
    for (const [column, groups] of this.#groups) {
      const own = textOfCell(row[column] ?? null) || noName;
      const name = groups.has(own) || groups.size < mostGroups ? own : allOthers;
      const { count, sum } = groups.get(name) ?? { count: 0, sum: none };
      groups.set(count === 0 ? copyOf(name) : name, { count: count + 1, sum: sum.plus(main ?? 0) });
    }
  }

  totalOf(column: number): string {
    return this.#sums.get(column)?.sum.toFixed() ?? '0';
  }

  totals() {
    return [...this.#sums].map(([column, { sum }]) => ({ column, label: this.#labelOf(column), sum: sum.toFixed() }));
  }

  notices(): readonly string[] {
    const noAmounts = [...this.#sums].filter(([, { texts }]) => texts > 0);
    return [
      ...noAmounts.map(
        ([column, { texts, firstText }]) =>
          `${texts} of the values of ${this.#labelOf(column)} are no amounts, the first of them "${firstText}": they are in no sum.`,
      ),
      ...(this.#textAmounts === 0
        ? []
        : [
            `${this.#textAmounts} amounts have more than ${excelDigits} digits, which a number in a spreadsheet cannot hold: they stand as text, and the formulas leave them out. The sums told here count them.`,
          ]),
    ];
  }

  groups(): readonly Group[] {
    return [...this.#groups].map(([column, groups]) => ({
      label: this.#labelOf(column),
      sumLabel: this.#main === null ? null : this.#labelOf(this.#main),
      rows: [...groups]
        .map(([name, { count, sum }]) => ({ name, count, sum: sum.toFixed() }))
        .sort((a, b) => Number(b.sum) - Number(a.sum) || b.count - a.count || a.name.localeCompare(b.name)),
    }));
  }

  #labelOf(column: number): string {
    return this.#columns[column]?.label ?? '';
  }
}

/** The digits of an amount, also of one that stands as text because it is too long for a number. */
function plainAmount(value: OutputValue): string | null {
  const digits = textOfCell(value);
  return /^-?\d+(\.\d+)?$/.test(digits) ? digits : null;
}
