/**
 * Rows that say the sum of the rows above them, or a first row of those below: sent, a total would be a payment that nobody made.
 * Its one rule: a row is taken for a total by the sum together with what it says or leaves blank, or by nothing but its label. By
 * less, it gets a note.
 */
import type { CheckedRow } from '../../mapping/checked-row.ts';
import type { FieldColumn } from '../../mapping/column.ts';
import { cellsThatCount } from '../../mapping/mapping-file/joined-amounts.ts';
import { type FilledCell, isBlank, shownText } from '../../mapping/reading.ts';
import { type Remark, remark, saidOfValue } from '../../mapping/remark.ts';
import type { Finding } from '../../messages/finding.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { fieldColumnOf, type MatchedSheet, originsOf } from '../source/matched-sheet.ts';
import { byLabel, type FoundTotal, type LabelOfRow, perhapsOfUnreadable, sumOfAbove } from './found-total.ts';
import { amountOf } from './judged-row.ts';
import { type Amount, type SumSaid, SumsAbove } from './sums-above.ts';
import { TotalFirst } from './total-first.ts';
import { TotalSigns } from './total-signs.ts';
import type { WordsFinder } from './words-for-ids.ts';

/** Finds the totals of one sheet. */
export interface TotalFinder {
  /** Looks at a row, once in each reading, in their order. */
  look(row: CheckedRow, source: SheetRow): void;
  /** What is wrong with a row that was looked at: nothing, unless it is a total. */
  problemsOf(row: CheckedRow): readonly Finding[];
  /** Whether the rows below have made a total of the first one: then all are to be looked at once more. */
  readonly isTotalFirst: boolean;
  /** Before the rows are looked at anew. */
  forget(): void;
}

const nothing: TotalFinder = { look: () => {}, problemsOf: () => [], isTotalFirst: false, forget: () => {} };

/** @param words  has looked at each row before */
export function totalFinder(sheet: MatchedSheet, words: WordsFinder): TotalFinder {
  const amount = fieldColumnOf(sheet, sheet.kind.amount);
  return amount === null ? nothing : new TotalRows(sheet, amount, words);
}

/** Of one row above, each row with the same amount would be the sum: then only one that both says so and leaves blanks is. */
const fewestSummed = 2;

/** What is known of a row, beside its amount. */
interface LookedAt {
  readonly source: SheetRow;
  /** Whether it names a record that it belongs to. */
  readonly namesParent: boolean;
  /** Whether any text has a word for a total in it, or is one for a count or the like. */
  readonly hasWord: boolean;
  /** The same of a total alone: no average is a sum of the rows above it. */
  readonly saysTotal: boolean;
}

class TotalRows implements TotalFinder {
  readonly #sheet: MatchedSheet;
  readonly #label: string;
  /** The columns of the source that hold the amount: debit and credit may be two. */
  readonly #amountColumns: readonly number[];
  readonly #signs: TotalSigns;
  #sums = new SumsAbove();
  /** Rows whose amount cannot be read: they are in no sum. */
  #unreadable = 0;
  readonly #first = new TotalFirst();
  readonly #found = new Map<number, Finding>();

  constructor(sheet: MatchedSheet, amount: FieldColumn, words: WordsFinder) {
    this.#sheet = sheet;
    this.#label = amount.field.label;
    this.#amountColumns = originsOf(sheet, amount);
    this.#signs = new TotalSigns(sheet, this.#amountColumns, words);
  }

  get isTotalFirst(): boolean {
    return this.#first.found !== null;
  }

  look(row: CheckedRow, source: SheetRow): void {
    if (this.#first.isAt(row.row) && this.#first.found !== null) {
      this.#found.set(row.row, this.#problemOf(source, this.#first.found));
      return;
    }
    const amount = this.#amountIn(row, source);
    if (amount === null) {
      if (this.#amountCell(source) !== null) this.#unreadable += 1;
      return;
    }
    const looked = this.#lookedAt(row, source);
    const sum = this.#sums.saidBy(amount) ?? (looked.saysTotal ? this.#sums.nearlySaidBy(amount) : null);
    const total = this.#totalBySum(sum, looked) ?? (looked.hasWord ? this.#totalByLabel(looked) : null);
    if (total === null) this.#takeForRecord(row, amount, sum, looked);
    else {
      this.#found.set(row.row, this.#problemOf(source, total));
      this.#sums.beginPart();
    }
  }

  problemsOf({ row }: CheckedRow): readonly Finding[] {
    const problem = this.#found.get(row);
    return problem === undefined ? [] : [problem];
  }

  forget(): void {
    this.#first.decide();
    this.#sums = new SumsAbove();
    this.#unreadable = 0;
    this.#signs.forget();
    this.#found.clear();
  }

  #lookedAt(row: CheckedRow, source: SheetRow): LookedAt {
    const hasWord = this.#signs.hasWord(source);
    const saysTotal = hasWord && this.#signs.saysTotal(source);
    return { source, namesParent: this.#signs.namesParent(row, source), hasWord, saysTotal };
  }

  /** Adds a row to the sums for those below it, with a note where it may be a total all the same. */
  #takeForRecord({ row }: CheckedRow, amount: Amount, sum: SumSaid | null, looked: LookedAt): void {
    const { source, namesParent, hasWord, saysTotal } = looked;
    const told = { isSaid: () => this.#signs.isSaid(source), byItsLabel: () => this.#totalByLabel(looked) };
    const mayBeFirst = this.#first.look(row, amount.digits, hasWord, told);
    const mayBeTotal = sum !== null || hasWord || this.#signs.saysNothing(source);
    const doubt = mayBeTotal ? this.#doubtOf(sum, looked) : null;
    if (doubt !== null) this.#found.set(row, this.#noteOf(source, doubt));
    this.#sums.add(amount);
    if (saysTotal) this.#sums.beginBelowWord();
    if (doubt !== null && sum !== null) this.#sums.beginPart();
    // What is usual is asked of the other rows.
    if (!mayBeFirst && doubt === null) this.#signs.count(source, namesParent);
  }

  #amountIn(row: CheckedRow, source: SheetRow): Amount | null {
    const amount = amountOf(row);
    if (amount === null) return null;
    const column = this.#amountColumns.length > 1 ? this.#filledColumn(source) : null;
    const header = column === null ? null : (this.#sheet.header.headers[column] ?? null);
    const isTyped = isTypedCell(this.#amountCell(source));
    return { digits: String(amount), header, isTyped, isHidden: source.hidden };
  }

  /** What a row is in place of a record by the sum that it says, or `null`. */
  #totalBySum(sum: SumSaid | null, { source, namesParent }: LookedAt): FoundTotal | null {
    if (sum === null && this.#unreadable === 0) return null;
    const isSaid = this.#signs.isSaid(source);
    const leavesBlanks = this.#signs.leavesBlanks(source, namesParent);
    if (sum === null) return isSaid && leavesBlanks ? perhapsOfUnreadable(this.#unreadable) : null;
    const isLabelled = this.#signs.hasLabel(source) && this.#signs.leavesDateBlank(source);
    const isTotal =
      sum.rowsThatCount >= fewestSummed
        ? isSaid || (leavesBlanks && this.#signs.isBare(source, namesParent))
        : (isSaid && leavesBlanks) || isLabelled;
    return isTotal ? sumOfAbove(sum.said) : null;
  }

  /** The same by its label alone, whatever its amount comes to: what a formula takes in is known to the sheet alone. */
  #totalByLabel({ source, namesParent }: LookedAt): FoundTotal | null {
    if (!this.#signs.leavesWhatOthersFill(source)) return null;
    const label = this.#signs.labelOf(source, namesParent);
    return label === null ? null : byLabel[label];
  }

  /** What is to be told of a row that is sent, and may be a total. */
  #doubtOf(sum: SumSaid | null, looked: LookedAt): Remark | null {
    const { source, namesParent, hasWord, saysTotal } = looked;
    const leavesDate = this.#signs.leavesDateBlank(source);
    const leavesBlanks = this.#signs.leavesBlanks(source, namesParent);
    if (sum === null) {
      const isLabelled = leavesDate && this.#signs.hasLabel(source);
      if (isLabelled || (hasWord && leavesBlanks)) return saysTotal ? ofNoSum : ofFigure;
      const label = this.#signs.labelOf(source, namesParent);
      if (label !== null) return doubtByLabel[label];
      return this.#signs.saysNothing(source) && this.#signs.leavesWhatOthersFill(source) ? ofAmountAlone : null;
    }
    const isOfSeveral = sum.rowsThatCount >= fewestSummed;
    const mayBe = isOfSeveral
      ? saysTotal || leavesBlanks || this.#signs.fillsOneAtMost(source)
      : saysTotal && leavesDate;
    if (mayBe) return remark`${sum.said} it may be a total.`;
    return hasWord && !saysTotal ? this.#doubtOf(null, looked) : null;
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

  #problemOf(source: SheetRow, { said, what, otherwise }: FoundTotal): Finding {
    const isNone = remark`${said} ${what} is no ${this.#sheet.kind.singular}.`;
    return this.#said('error', source, remark`${isNone} Take the row out; if it is one all the same, ${otherwise}.`);
  }

  #noteOf(source: SheetRow, doubt: Remark): Finding {
    const said = remark`${doubt} It is sent: take the row out if it is no ${this.#sheet.kind.singular}.`;
    return this.#said('warning', source, said, 'as-said-before-sent');
  }

  #said(severity: Finding['severity'], source: SheetRow, said: Remark, code?: 'as-said-before-sent'): Finding {
    const cell = this.#amountCell(source);
    const subject = { label: this.#label, sensitive: false };
    const value = cell === null ? '' : shownText(cell).trim();
    return saidOfValue(severity, this.#filledColumn(source), subject, { value, said }, code);
  }
}

const ofNoSum = remark`stands in a row that says a total, and is no sum of rows above it.`;
const ofAmountAlone = remark`stands in a row that says nothing besides, and others say more.`;
const ofBalance = remark`stands in a row that says the balance of an account.`;
const ofFigure = remark`stands in a row that says an average, a count or the like.`;
const doubtByLabel: Readonly<Record<LabelOfRow, Remark>> = { total: ofNoSum, balance: ofBalance, figure: ofFigure };

function isTypedCell(cell: FilledCell | null): boolean {
  return cell !== null && typeof cell !== 'string';
}
