/** Counts and exact sums of what is written, row by row: over all records, and by the values of some columns. */
import Big from 'big.js';
import { excelDigits } from '../sheets/excel-digits.ts';
import type { OutputValue } from '../sheets/sheet-writer.ts';
import type { ExportColumn, ExportRow } from '../workbooks/export-column.ts';
import { balanceColumn } from '../workbooks/export-sheet.ts';
import type { ColumnTotal, GroupRow, GroupTable } from '../workbooks/export-summary.ts';
import { ExactSum } from './exact-sum.ts';

const mostGroupsShown = 25;
const mostGroupsHeld = 20_000;
const mostSumsBeside = 3;
const longestShown = 40;
const noName = '(blank)';

interface Sums {
  readonly all: ExactSum;
  readonly negative: ExactSum;
  negatives: number;
  blanks: number;
  /** Values that are no amounts, and are in no sum. */
  texts: number;
  firstText: string;
}

interface Group {
  count: number;
  readonly sums: readonly ExactSum[];
}

export class ExportTally {
  /** Amounts with more digits than a number in a spreadsheet holds: they stand as text, and are in no formula. */
  #textAmounts = 0;
  readonly #columns: readonly ExportColumn[];
  readonly #summed: readonly number[];
  readonly #sums: readonly Sums[];
  readonly #beside: readonly number[];
  readonly #groups: readonly { readonly column: number; readonly byName: Map<string, Group> }[];

  /** @param groupBy  the places of the columns by whose values it counts */
  constructor(columns: readonly ExportColumn[], groupBy: readonly number[]) {
    this.#columns = columns;
    this.#summed = columns.flatMap((column, index) => (column.isSummed ? [index] : []));
    this.#sums = this.#summed.map(() => ({
      all: new ExactSum(),
      negative: new ExactSum(),
      negatives: 0,
      blanks: 0,
      texts: 0,
      firstText: '',
    }));
    this.#beside = besideColumns(columns, this.#summed);
    this.#groups = groupBy.map((column) => ({ column, byName: new Map() }));
  }

  add(row: ExportRow): void {
    this.#summed.forEach((column, index) => {
      const sums = this.#sums[index];
      if (sums !== undefined) this.#addAmount(sums, row[column] ?? null);
    });
    for (const { column, byName } of this.#groups) this.#addToGroup(byName, nameOf(row[column] ?? null), row);
  }

  /** The exact sum of a column in plain digits. */
  totalOf(column: number): string {
    return this.#sums[this.#summed.indexOf(column)]?.all.digits ?? '0';
  }

  totals(): readonly ColumnTotal[] {
    return this.#summed.flatMap((column, index) => {
      const sums = this.#sums[index];
      if (sums === undefined) return [];
      const { all, negative, negatives, blanks } = sums;
      return [{ column, sum: all.digits, negatives, negativeSum: negative.digits, blanks }];
    });
  }

  /** What a person should know of the sums, as whole sentences. */
  notices(): readonly string[] {
    const noAmounts = this.#sums.flatMap(({ texts, firstText }, index) => {
      const { label } = this.#columns[this.#summed[index] ?? 0] ?? { label: '' };
      return texts === 0
        ? []
        : [`${texts} of the values of ${label} are no amounts, the first of them "${firstText}": they are in no sum.`];
    });
    if (this.#textAmounts === 0) return noAmounts;
    return [
      ...noAmounts,
      `${this.#textAmounts} amounts have more than ${excelDigits} digits, which a number in a spreadsheet cannot hold: they stand as text, and the formulas leave them out. The sums told here count them.`,
    ];
  }

  groups(): readonly GroupTable[] {
    return this.#groups.map(({ column, byName }) => ({
      label: this.#columns[column]?.label ?? '',
      sums: this.#beside.map((index) => this.#columns[index]?.label ?? ''),
      rows: groupRows(byName),
    }));
  }

  #addAmount(sums: Sums, value: OutputValue): void {
    const digits = digitsOf(value);
    if (digits === null) {
      sums.blanks += 1;
      if (typeof value === 'string' && value.trim() !== '') this.#addText(sums, value);
      return;
    }
    if (typeof value === 'string') this.#textAmounts += 1;
    sums.all.add(digits);
    if (!digits.startsWith('-')) return;
    sums.negatives += 1;
    sums.negative.add(digits);
  }

  #addText(sums: Sums, text: string): void {
    // A copy: the text would else hold on to the piece of the answer that it was cut from.
    if (sums.texts === 0) sums.firstText = Buffer.from(text.slice(0, longestShown)).toString();
    sums.texts += 1;
  }

  #addToGroup(byName: Map<string, Group>, name: string, row: ExportRow): void {
    let group = byName.get(name);
    if (group === undefined) {
      if (byName.size >= mostGroupsHeld) return;
      group = { count: 0, sums: this.#beside.map(() => new ExactSum()) };
      // A copy: the name would else hold on to the piece of the answer that it was cut from.
      byName.set(Buffer.from(name).toString(), group);
    }
    group.count += 1;
    for (const [index, column] of this.#beside.entries()) {
      const digits = digitsOf(row[column] ?? null);
      if (digits !== null) group.sums[index]?.add(digits);
    }
  }
}

/** The balance first, then what is overdue, then other amounts. */
function besideColumns(columns: readonly ExportColumn[], summed: readonly number[]): readonly number[] {
  const main = balanceColumn(columns);
  const overdue = summed.filter((index) => columns[index]?.meaning === 'overdue');
  const all = [...(main === null ? [] : [main]), ...overdue, ...summed];
  return [...new Set(all)].slice(0, mostSumsBeside);
}

/** The digits of an amount, also of one that stands as text because it is too long for a number. */
function digitsOf(value: OutputValue): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return /^-?\d+(\.\d+)?$/.test(value) ? value : null;
  return value !== null && typeof value === 'object' && 'digits' in value ? value.digits : null;
}

function nameOf(value: OutputValue): string {
  if (value === null || value === '') return noName;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'object') return String(value);
  if ('day' in value) return value.day;
  return 'digits' in value ? value.digits : value.text;
}

function groupRows(byName: ReadonlyMap<string, Group>): readonly GroupRow[] {
  const all = [...byName].map(([name, { count, sums }]) => ({ name, count, sums: sums.map(({ digits }) => digits) }));
  const size = ({ count, sums }: { count: number; sums: readonly string[] }) => Number(sums[0] ?? count);
  all.sort((a, b) => size(b) - size(a) || a.name.localeCompare(b.name));
  const shown = all.slice(0, mostGroupsShown);
  const rest = all.slice(mostGroupsShown);
  if (rest.length > 0) {
    const width = shown[0]?.sums.length ?? 0;
    const sums = Array.from({ length: width }, (_, index) => sumOf(rest.map((row) => row.sums[index] ?? '0')));
    const count = rest.reduce((total, row) => total + row.count, 0);
    shown.push({ name: `${rest.length} others`, count, sums });
  }
  const whole = Number(sumOf(shown.map((row) => row.sums[0] ?? '0')));
  return shown.map((row) => ({ ...row, share: whole > 0 ? (Number(row.sums[0]) / whole) * 100 : null }));
}

function sumOf(digits: readonly string[]): string {
  return digits.reduce((total, each) => total.plus(each), new Big(0)).toFixed();
}
