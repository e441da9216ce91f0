/**
 * Rows that say the sum of the rows above them, or a first row of those below: sent, a total would be a payment that nobody made. Its one rule: a row is
 * taken for a total by nothing less than the exact sum, together with what it says or leaves blank. Without that sum, it gets a note.
 */
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { type FieldColumn, isTyped } from '../../mapping/column.ts';
import { cellsThatCount } from '../../mapping/mapping-file/joined-amounts.ts';
import { type FilledCell, isBlank, shownText } from '../../mapping/reading.ts';
import { type Remark, remark } from '../../mapping/remark.ts';
import { problemOfValue, type RowProblem } from '../../mapping/row-problem.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { fieldColumnOf, originsOf, type PlannedSheet } from '../source/planned-sheet.ts';
import { amountOf } from './judged-row.ts';
import { type Amount, type SumSaid, SumsAbove } from './sums-above.ts';
import { TotalFirst } from './total-first.ts';
import { isLabelOfTotal, saysTotal, type WordsFinder } from './words-for-ids.ts';

/** Finds the totals of one sheet. */
export interface TotalFinder {
  /** Looks at a row, once in each reading, in their order. */
  look(row: CheckedRow, source: SheetRow): void;
  /** What is wrong with a row that was looked at: nothing, unless it is a total. */
  problemsOf(row: CheckedRow): readonly RowProblem[];
  /** Whether the rows below have made a total of the first one: then all are to be looked at once more. */
  readonly isTotalFirst: boolean;
  /** Before the rows are looked at anew. */
  forget(): void;
}

const nothing: TotalFinder = { look: () => {}, problemsOf: () => [], isTotalFirst: false, forget: () => {} };

/** @param words  has looked at each row before */
export function totalFinder(sheet: PlannedSheet, words: WordsFinder): TotalFinder {
  const amount = fieldColumnOf(sheet, sheet.kind.amount);
  return amount === null ? nothing : new TotalRows(sheet, amount, words);
}

/** Of one row above, each row with the same amount would be the sum: then only one that both says so and leaves blanks is. */
const fewestSummed = 2;
/** One row in so many may leave blank what all others fill. */
const rowsToOneBlank = 20;
/** A row that says its deal and its amount alone leaves much blank where others fill so many cells beside the amount. */
const fewestBesideParent = 3;

class TotalRows implements TotalFinder {
  readonly #sheet: PlannedSheet;
  readonly #label: string;
  /** The columns of the source that hold the amount (debit and credit may be two), all others, and of those the ones with words. */
  readonly #amountColumns: readonly number[];
  readonly #columns: readonly number[];
  readonly #wordColumns: readonly number[];
  readonly #words: WordsFinder;
  #sums = new SumsAbove();
  #rows = 0;
  #rowsWithParent = 0;
  /** Rows whose amount cannot be read: they are in no sum. */
  #unreadable = 0;
  #filled: number[] = [];
  readonly #first = new TotalFirst();
  readonly #found = new Map<number, RowProblem>();

  constructor(sheet: PlannedSheet, amount: FieldColumn, words: WordsFinder) {
    const typed = new Set(sheet.columns.filter(isTyped).flatMap((column) => originsOf(sheet, column)));
    this.#sheet = sheet;
    this.#words = words;
    this.#label = amount.field.label;
    this.#amountColumns = originsOf(sheet, amount);
    this.#columns = sheet.header.headers.flatMap((name, index) =>
      name === null || index < sheet.ownColumns || this.#amountColumns.includes(index) ? [] : [index],
    );
    this.#wordColumns = this.#columns.filter((index) => !typed.has(index));
  }

  get isTotalFirst(): boolean {
    return this.#first.said !== null;
  }

  look(row: CheckedRow, source: SheetRow): void {
    if (this.#first.isAt(row.row) && this.#first.said !== null) {
      this.#found.set(row.row, this.#problemOf(source, this.#first.said, remark`below another row`));
      return;
    }
    const amount = this.#amountIn(row, source);
    if (amount === null) {
      if (this.#amountCell(source) !== null) this.#unreadable += 1;
      return;
    }
    const sum = this.#sums.saidBy(amount);
    const namesParent = this.#namesParent(row, source);
    const said = this.#saidOfTotal(sum, source, namesParent);
    if (said !== null) {
      this.#found.set(row.row, this.#problemOf(source, said, remark`above those rows`));
      this.#sums.beginPart();
      return;
    }
    const saysSo = someText(source, this.#sheet.ownColumns, saysTotal);
    const mayBeFirst = this.#first.look(row.row, amount.digits, saysSo, () => this.#isSaid(source));
    const doubt = sum === null && !saysSo ? null : this.#doubtOf(sum, saysSo, source, namesParent);
    if (doubt !== null) this.#found.set(row.row, this.#noteOf(source, doubt));
    this.#sums.add(amount);
    if (doubt !== null && sum !== null) this.#sums.beginPart();
    // What is usual is asked of the other rows.
    if (!mayBeFirst && doubt === null) this.#count(source, namesParent);
  }

  problemsOf({ row }: CheckedRow): readonly RowProblem[] {
    const problem = this.#found.get(row);
    return problem === undefined ? [] : [problem];
  }

  forget(): void {
    this.#first.decide();
    this.#sums = new SumsAbove();
    [this.#rows, this.#rowsWithParent, this.#unreadable, this.#filled] = [0, 0, 0, []];
    this.#found.clear();
  }

  #count({ cells }: SheetRow, namesParent: boolean): void {
    this.#rows += 1;
    if (namesParent) this.#rowsWithParent += 1;
    for (const index of this.#columns) {
      if (!isBlank(cells[index])) this.#filled[index] = (this.#filled[index] ?? 0) + 1;
    }
  }

  #amountIn(row: CheckedRow, source: SheetRow): Amount | null {
    const amount = amountOf(row);
    if (amount === null) return null;
    const column = this.#amountColumns.length > 1 ? this.#filledColumn(source) : null;
    const header = column === null ? null : (this.#sheet.header.headers[column] ?? null);
    return { digits: String(amount), header, isTyped: isTypedCell(this.#amountCell(source)) };
  }

  /** What is to be said of a row if it is a total, or `null`. */
  #saidOfTotal(sum: SumSaid | null, source: SheetRow, namesParent: boolean): Remark | null {
    if (sum === null && this.#unreadable === 0) return null;
    const saysSo = this.#isSaid(source);
    const leavesBlanks = this.#leavesBlanks(source, namesParent);
    if (sum === null) return saysSo && leavesBlanks ? ofUnreadable(this.#unreadable) : null;
    const isOfSeveral = sum.rowsThatCount >= fewestSummed;
    const isLabelled = this.#hasLabel(source) && this.#leavesDateBlank(source);
    const isTotal = isOfSeveral ? saysSo || leavesBlanks : (saysSo && leavesBlanks) || isLabelled;
    return isTotal ? sum.said : null;
  }

  /** What is to be told of a row that is sent, and may be a total. */
  #doubtOf(sum: SumSaid | null, saysSo: boolean, source: SheetRow, namesParent: boolean): Remark | null {
    const leavesDate = this.#leavesDateBlank(source);
    if (sum === null) {
      const isLabelled = leavesDate && this.#hasLabel(source);
      return isLabelled || (saysSo && this.#leavesBlanks(source, namesParent)) ? ofNoSum : null;
    }
    const fillsLess = this.#fillsLess(this.#columns, source, 1);
    const mayBe = sum.rowsThatCount >= fewestSummed ? saysSo || fillsLess : saysSo && leavesDate;
    return mayBe ? remark`${sum.said} it may be a total.` : null;
  }

  /** Whether a row names a record; a word among ids is no name where it stands in a row that leaves blank what others fill. */
  #namesParent(row: CheckedRow, source: SheetRow): boolean {
    const naming = this.#words.namingOf(row);
    return naming === 'named' || (naming === 'perhaps' && !this.#columns.some(this.#leavesBlank(source)));
  }

  /** Whether a row calls itself a total: by a label, or by a word in a row that leaves blank what others fill. */
  #isSaid(source: SheetRow): boolean {
    if (this.#hasLabel(source)) return true;
    const saysSo = someText(source, this.#sheet.ownColumns, saysTotal);
    return saysSo && this.#columns.some(this.#leavesBlank(source));
  }

  #hasLabel(source: SheetRow): boolean {
    return someText(source, this.#sheet.ownColumns, isLabelOfTotal);
  }

  #leavesBlank({ cells }: SheetRow): (index: number) => boolean {
    return (index) => isBlank(cells[index]) && this.#isUsuallyFilled(index);
  }

  #leavesDateBlank(source: SheetRow): boolean {
    return this.#columns.filter((index) => !this.#wordColumns.includes(index)).some(this.#leavesBlank(source));
  }

  /** Whether a row names no record where the others do, or fills one cell at most beside amounts (or dates), and others fill more. */
  #leavesBlanks(source: SheetRow, namesParent: boolean): boolean {
    if (namesParent) return this.#fillsLess(this.#columns, source, fewestBesideParent);
    if (this.#isUsual(this.#rowsWithParent)) return true;
    return this.#fillsLess(this.#wordColumns, source, 1) || this.#fillsLess(this.#columns, source, 1);
  }

  /** Whether a row fills one of the columns at most, and others fill more, and `fewest` of them at least. */
  #fillsLess(columns: readonly number[], { cells }: SheetRow, fewest: number): boolean {
    const filled = columns.filter((index) => !isBlank(cells[index])).length;
    const usual = columns.filter((index) => this.#isUsuallyFilled(index)).length;
    return filled <= 1 && filled < usual && usual >= fewest;
  }

  #isUsuallyFilled(index: number): boolean {
    return this.#rows === 0 || this.#isUsual(this.#filled[index] ?? 0);
  }

  #isUsual(rows: number): boolean {
    return this.#rows > 0 && rows >= this.#rows - Math.floor(this.#rows / rowsToOneBlank);
  }

  #amountCell(source: SheetRow): FilledCell | null {
    const column = this.#filledColumn(source);
    return column === null ? null : (source.cells[column] ?? null);
  }

  /** The column in which the amount stands, or `null` where there is none. */
  #filledColumn({ cells }: SheetRow): number | null {
    const [only, second] = this.#amountColumns;
    if (only === undefined) return null;
    if (second === undefined) return isBlank(cells[only]) ? null : only;
    const [first] = cellsThatCount(this.#amountColumns.map((column) => cells[column] ?? null));
    return first === undefined ? null : (this.#amountColumns[first] ?? null);
  }

  #problemOf(source: SheetRow, found: Remark, elsewhere: Remark): RowProblem {
    const said = remark`${found} a total is no ${this.#sheet.kind.singular}. Take the row out; if it is one all the same, move it ${elsewhere}.`;
    return this.#said('error', source, said);
  }

  #noteOf(source: SheetRow, doubt: Remark): RowProblem {
    const said = remark`${doubt} It is sent: take the row out if it is no ${this.#sheet.kind.singular}.`;
    return { ...this.#said('warning', source, said), isToldBefore: true, saysSent: true };
  }

  #said(severity: RowProblem['severity'], source: SheetRow, said: Remark): RowProblem {
    const cell = this.#amountCell(source);
    const subject = { label: this.#label, sensitive: false };
    const value = cell === null ? '' : shownText(cell).trim();
    return problemOfValue(severity, this.#filledColumn(source), subject, { value, said });
  }
}

const ofNoSum = remark`stands in a row that says a total, and is no sum of rows above it.`;

function ofUnreadable(rows: number): Remark {
  const amounts = rows === 1 ? remark`1 amount` : remark`${rows} amounts`;
  return remark`stands in a row that says a total, and ${amounts} above it cannot be read, so that it may be their sum:`;
}

function someText({ cells }: SheetRow, ownColumns: number, says: (text: string) => boolean): boolean {
  return cells.slice(ownColumns).some((cell) => typeof cell === 'string' && says(cell));
}

function isTypedCell(cell: FilledCell | null): boolean {
  return cell !== null && typeof cell !== 'string';
}
