/** Counts and exact sums of what is written, row by row: over all records, and by the values of some columns. */
import { excelDigits } from '../sheets/excel-limits.ts';
import type { OutputValue } from '../sheets/sheet-writer.ts';
import { balanceColumn, type ExportColumn, isSummed } from '../workbooks/export-sheet.ts';
import type { ColumnTotal, GroupRow, GroupTable } from '../workbooks/export-summary.ts';
import { textOfCell } from './cell-values.ts';
import { copyOf } from './exact-json.ts';
import { ExactSum } from './exact-sum.ts';

const mostGroupsShown = 25;
const mostGroupsHeld = 20_000;
const mostSumsBeside = 3;
const longestShown = 40;
const noName = '(blank)';
const allOthers = 'All others';

class Sums {
  readonly all = new ExactSum();
  readonly negative = new ExactSum();
  negatives = 0;
  blanks = 0;
  /** Values that are no amounts, and are in no sum. */
  texts = 0;
  firstText = '';
}

interface Group {
  count: number;
  readonly sums: readonly ExactSum[];
}

export class ExportTally {
  /** Amounts with more digits than a number in a spreadsheet holds: they stand as text, and are in no formula. */
  #textAmounts = 0;
  readonly #columns: readonly ExportColumn[];
  readonly #sums: ReadonlyMap<number, Sums>;
  readonly #beside: readonly number[];
  readonly #groups: ReadonlyMap<number, Map<string, Group>>;

  /** @param groupBy  the places of the columns by whose values it counts */
  constructor(columns: readonly ExportColumn[], groupBy: readonly number[]) {
    this.#columns = columns;
    this.#sums = new Map(columns.flatMap((column, index) => (isSummed(column) ? [[index, new Sums()] as const] : [])));
    // The balance first, then what is overdue, then other amounts.
    const summed = [...this.#sums.keys()];
    const overdue = summed.filter((index) => columns[index]?.meaning === 'overdue');
    const beside = new Set([balanceColumn(columns) ?? [], overdue, summed].flat());
    this.#beside = [...beside].slice(0, mostSumsBeside);
    this.#groups = new Map(groupBy.map((column) => [column, new Map()]));
  }

  add(row: readonly OutputValue[]): void {
    for (const [column, sums] of this.#sums) this.#addAmount(sums, row[column] ?? null);
    for (const [column, groups] of this.#groups) {
      const own = groupName(row[column] ?? null);
      const name = groups.has(own) || groups.size < mostGroupsHeld ? own : allOthers;
      const group = groups.get(name) ?? { count: 0, sums: this.#beside.map(() => new ExactSum()) };
      if (group.count === 0) groups.set(copyOf(name), group);
      group.count += 1;
      for (const [index, place] of this.#beside.entries()) group.sums[index]?.add(digitsOf(row[place] ?? null) ?? '0');
    }
  }

  /** The exact sum of a column in plain digits. */
  totalOf(column: number): string {
    return this.#sums.get(column)?.all.digits ?? '0';
  }

  totals(): readonly ColumnTotal[] {
    return [...this.#sums].map(([column, { all, negative, negatives, blanks }]) => {
      return { column, sum: all.digits, negatives, negativeSum: negative.digits, blanks };
    });
  }

  /** What a person should know of the sums, as whole sentences. */
  notices(): readonly string[] {
    const noAmounts = [...this.#sums].flatMap(([column, { texts, firstText }]) =>
      texts === 0
        ? []
        : [
            `${texts} of the values of ${this.#labelOf(column)} are no amounts, the first of them "${firstText}": they are in no sum.`,
          ],
    );
    if (this.#textAmounts === 0) return noAmounts;
    return [
      ...noAmounts,
      `${this.#textAmounts} amounts have more than ${excelDigits} digits, which a number in a spreadsheet cannot hold: they stand as text, and the formulas leave them out. The sums told here count them.`,
    ];
  }

  groups(): readonly GroupTable[] {
    return [...this.#groups].map(([column, groups]) => ({
      label: this.#labelOf(column),
      sums: this.#beside.map((index) => this.#labelOf(index)),
      rows: groupRows(groups),
    }));
  }

  #labelOf(column: number): string {
    return this.#columns[column]?.label ?? '';
  }

  #addAmount(sums: Sums, value: OutputValue): void {
    const digits = digitsOf(value);
    if (digits === null) {
      sums.blanks += 1;
      if (typeof value !== 'string' || value.trim() === '') return;
      if (sums.texts === 0) sums.firstText = copyOf(value.slice(0, longestShown));
      sums.texts += 1;
      return;
    }
    if (typeof value === 'string') this.#textAmounts += 1;
    sums.all.add(digits);
    if (!digits.startsWith('-')) return;
    sums.negatives += 1;
    sums.negative.add(digits);
  }
}

/** The digits of an amount, also of one that stands as text because it is too long for a number. */
function digitsOf(value: OutputValue): string | null {
  const digits = textOfCell(value);
  return /^-?\d+(\.\d+)?$/.test(digits) ? digits : null;
}

function groupName(value: OutputValue): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return textOfCell(value) || noName;
}

function groupRows(groups: ReadonlyMap<string, Group>): readonly GroupRow[] {
  const size = ({ count, sums }: Group) => Number(sums[0]?.digits ?? count);
  const named = [...groups].filter(([name]) => name !== allOthers);
  named.sort(([name, a], [other, b]) => size(b) - size(a) || name.localeCompare(other));
  const rest = [...named.slice(mostGroupsShown).map(([, group]) => group), groups.get(allOthers) ?? []].flat();
  const shown = named.slice(0, mostGroupsShown);
  if (rest.length > 0) {
    const others: Group = { count: 0, sums: rest[0]?.sums.map(() => new ExactSum()) ?? [] };
    for (const { count, sums } of rest) {
      others.count += count;
      for (const [index, sum] of sums.entries()) others.sums[index]?.add(sum.digits);
    }
    shown.push([allOthers, others]);
  }
  const main = shown.map(([, { sums }]) => Number(sums[0]?.digits ?? 0));
  const whole = main.reduce((total, each) => total + each, 0);
  return shown.map(([name, { count, sums }], index) => ({
    name,
    count,
    sums: sums.map(({ digits }) => digits),
    share: whole > 0 ? ((main[index] ?? 0) / whole) * 100 : null,
  }));
}
