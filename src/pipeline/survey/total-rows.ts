/**
 * Rows that say the sum of the rows above them: sent, a total would be a payment that nobody made. Its one rule: a row is
 * taken for a total by nothing less than the exact sum, together with what it says or leaves blank.
 */
import { segmentsOf, valueAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { type Column, isTyped } from '../../mapping/column.ts';
import { isBlank } from '../../mapping/header-words.ts';
import { type FilledCell, shownText } from '../../mapping/reading.ts';
import { type Remark, remark } from '../../mapping/remark.ts';
import { problemOfValue, type RowProblem } from '../../mapping/row-problem.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { ExactSum } from '../rows/exact-sum.ts';
import { originOf, type PlannedSheet } from '../source/planned-sheet.ts';
import { amountOf } from './judged-row.ts';

/** Finds the totals of one sheet. */
export interface TotalFinder {
  /** Looks at a row, once in each reading, in their order. */
  look(row: CheckedRow, source: SheetRow): void;
  /** What is wrong with a row that was looked at: nothing, unless it is a total. */
  problemsOf(row: CheckedRow): readonly RowProblem[];
  /** Before the rows are looked at anew. */
  forget(): void;
}

const nothing: TotalFinder = { look: () => {}, problemsOf: () => [], forget: () => {} };

export function totalFinder(sheet: PlannedSheet): TotalFinder {
  const column = sheet.columns.find((one) => one.use === 'field' && one.field.path === sheet.kind.amount);
  return column?.use === 'field' ? new TotalRows(sheet, column) : nothing;
}

/** Of one row above, each row with the same amount would be the sum: then only one that both says so and leaves blanks is. */
const fewestSummed = 2;
/** One row in so many may leave blank what all others fill. */
const rowsToOneBlank = 20;

const totalWords = /\b(?:sub-?)?totals?\b|\bsum\b|\bbalance\b/i;

class TotalRows implements TotalFinder {
  readonly #sheet: PlannedSheet;
  readonly #label: string;
  /** The columns of the source that hold the amount and words; amounts and dates of a total may be sums and days. */
  readonly #amountColumn: number | null;
  readonly #wordColumns: readonly number[];
  readonly #parents: readonly ReturnType<typeof segmentsOf>[];
  #all = new Sum();
  #sinceTotal = new Sum();
  /** Of the amounts that are no text: a formula leaves those out. */
  #numbers = new Sum();
  #rows = 0;
  #rowsWithParent = 0;
  /** Rows whose amount cannot be read: they are in no sum. */
  #unreadable = 0;
  #filled: number[] = [];
  readonly #totals = new Map<number, RowProblem>();

  constructor(sheet: PlannedSheet, amount: Column & { use: 'field' }) {
    const typed = new Set(sheet.columns.filter(isTyped).map((column) => originOf(sheet, column)));
    this.#sheet = sheet;
    this.#label = amount.field.label;
    this.#amountColumn = originOf(sheet, amount);
    this.#wordColumns = sheet.header.headers.flatMap((name, index) =>
      name === null || index < sheet.ownColumns || typed.has(index) ? [] : [index],
    );
    this.#parents = sheet.kind.references.map(({ fills }) => segmentsOf(fills));
  }

  look(row: CheckedRow, source: SheetRow): void {
    const amount = amountOf(row);
    if (amount === null) {
      if (this.#amountCell(source) !== null) this.#unreadable += 1;
      return;
    }
    const namesParent = this.#parents.some((segments) => valueAt(row.body, segments) !== undefined);
    const digits = String(amount);
    const said = this.#saidOfTotal(digits, source, namesParent);
    if (said !== null) {
      this.#totals.set(row.row, this.#problemOf(source, said));
      this.#sinceTotal = new Sum();
      return;
    }
    this.#all.add(digits);
    this.#sinceTotal.add(digits);
    if (isTypedCell(this.#amountCell(source))) this.#numbers.add(digits);
    this.#rows += 1;
    if (namesParent) this.#rowsWithParent += 1;
    for (const index of this.#wordColumns) {
      if (!isBlank(source.cells[index])) this.#filled[index] = (this.#filled[index] ?? 0) + 1;
    }
  }

  problemsOf({ row }: CheckedRow): readonly RowProblem[] {
    const problem = this.#totals.get(row);
    return problem === undefined ? [] : [problem];
  }

  forget(): void {
    [this.#all, this.#sinceTotal, this.#numbers] = [new Sum(), new Sum(), new Sum()];
    [this.#rows, this.#rowsWithParent, this.#unreadable, this.#filled] = [0, 0, 0, []];
    this.#totals.clear();
  }

  /** What is to be said of a row if it is a total, or `null`. */
  #saidOfTotal(digits: string, source: SheetRow, namesParent: boolean): Remark | null {
    const sum = [this.#sinceTotal, this.#all, this.#numbers].find((candidate) => candidate.isSaidBy(digits));
    if (sum === undefined && this.#unreadable === 0) return null;
    const saysSo = this.#saysTotal(source);
    const leavesBlanks = this.#leavesBlanks(source, namesParent);
    if (sum === undefined) return saysSo && leavesBlanks ? ofUnreadable(this.#unreadable) : null;
    const isTotal = sum.rowsThatCount >= fewestSummed ? saysSo || leavesBlanks : saysSo && leavesBlanks;
    if (!isTotal) return null;
    return sum === this.#numbers ? ofNumbers : ofRows(sum.rows);
  }

  #saysTotal({ cells }: SheetRow): boolean {
    return cells.slice(this.#sheet.ownColumns).some((cell) => typeof cell === 'string' && totalWords.test(cell));
  }

  /** Whether a row names no record where the others do, or fills one cell at most beside amounts and dates. */
  #leavesBlanks({ cells }: SheetRow, namesParent: boolean): boolean {
    if (namesParent) return false;
    if (this.#isUsual(this.#rowsWithParent)) return true;
    const usual = this.#wordColumns.filter((index) => this.#isUsual(this.#filled[index] ?? 0));
    const filled = this.#wordColumns.filter((index) => !isBlank(cells[index]));
    return filled.length <= 1 && filled.length < usual.length;
  }

  #isUsual(rows: number): boolean {
    return this.#rows > 0 && rows >= this.#rows - Math.floor(this.#rows / rowsToOneBlank);
  }

  #amountCell({ cells }: SheetRow): FilledCell | null {
    const cell = this.#amountColumn === null ? null : (cells[this.#amountColumn] ?? null);
    return cell === null || isBlank(cell) ? null : cell;
  }

  #problemOf(source: SheetRow, found: Remark): RowProblem {
    const cell = this.#amountCell(source);
    const said = remark`${found} a total is no ${this.#sheet.kind.singular}. Take the row out; if it is one all the same, move it above those rows.`;
    const subject = { label: this.#label, sensitive: false };
    const value = cell === null ? '' : shownText(cell).trim();
    return problemOfValue('error', this.#amountColumn, subject, { value, said });
  }
}

function ofRows(rows: number): Remark {
  return rows === 1 ? remark`is the amount of the row above it:` : remark`is the sum of the ${rows} rows above it:`;
}

const ofNumbers = remark`is the sum of the amounts above it that are no text:`;

function ofUnreadable(rows: number): Remark {
  const amounts = rows === 1 ? remark`1 amount` : remark`${rows} amounts`;
  return remark`stands in a row that says a total, and ${amounts} above it cannot be read, so that it may be their sum:`;
}

/** The exact sum of amounts. */
class Sum {
  rows = 0;
  /** Those that are not zero. */
  rowsThatCount = 0;
  readonly #sum = new ExactSum();

  add(digits: string): void {
    this.rows += 1;
    if (digits === '0') return;
    this.rowsThatCount += 1;
    this.#sum.add(digits);
  }

  isSaidBy(digits: string): boolean {
    return this.rowsThatCount > 0 && this.#sum.is(digits);
  }
}

function isTypedCell(cell: FilledCell | null): boolean {
  return cell !== null && typeof cell !== 'string';
}
