/** The sums that a row of a sheet may say of the amounts above it: of all, of a part of them, of what came in or went out. */
import { type Remark, remark } from '../../mapping/remark.ts';
import { ExactSum } from '../rows/exact-sum.ts';

/** An amount as digits, and how it stands in its row. */
export interface Amount {
  readonly digits: string;
  /** The header of the column that it stands in, where an amount may stand in several; `null` otherwise. */
  readonly header: string | null;
  /** Whether its cell is no text. */
  readonly isTyped: boolean;
  readonly isHidden: boolean;
}

/** A sum that a row says. */
export interface SumSaid {
  /** The amounts in it that are not zero. */
  readonly rowsThatCount: number;
  /** Continues a sentence that begins with the amount: `is the sum of …:` */
  readonly said: Remark;
}

/** Amounts as a formula gives them have more digits than the total that shows their cents. */
const lessThanACent = 0.005;

export class SumsAbove {
  #all = new Sum();
  #sinceTotal = new Sum();
  /** Of the rows below one that has a word for a total or a balance, and may be none; `null` where there is no such row. */
  #sinceWord: Sum | null = null;
  /** Of rows that are not hidden: a total below a filter leaves those out; `null` as long as none is. */
  #shown: Sum | null = null;
  #shownSinceTotal: Sum | null = null;
  /** Of the amounts that are no text: a formula leaves those out. */
  #numbers = new Sum();
  /** Money in and money out, where one column holds both. */
  #aboveZero = new Sum();
  #belowZero = new Sum();
  readonly #ofHeader = new Map<string, Sum>();

  add({ digits, header, isTyped, isHidden }: Amount): void {
    if (isHidden) {
      this.#shown ??= this.#all.copy();
      this.#shownSinceTotal ??= this.#sinceTotal.copy();
    } else {
      this.#shown?.add(digits);
      this.#shownSinceTotal?.add(digits);
    }
    this.#all.add(digits);
    this.#sinceTotal.add(digits);
    this.#sinceWord?.add(digits);
    if (isTyped) this.#numbers.add(digits);
    (isBelowZero(digits) ? this.#belowZero : this.#aboveZero).add(digits);
    if (header !== null) this.#addOfHeader(header, digits);
  }

  /** After a total: the next one may sum what stands between them. */
  beginPart(): void {
    this.#sinceTotal = new Sum();
    this.#sinceWord = null;
    this.#shownSinceTotal = null;
  }

  /** After a row that may be a total or a balance by its words. */
  beginBelowWord(): void {
    this.#sinceWord = new Sum();
  }

  /** The sum that an amount says, or `null` for none. */
  saidBy(amount: Amount): SumSaid | null {
    return this.#said(amount, (sum, digits) => sum.is(digits));
  }

  /** The same of an amount that is a sum but for fractions of a cent. */
  nearlySaidBy(amount: Amount): SumSaid | null {
    return this.#said(amount, (sum, digits) => sum.isNear(digits));
  }

  #said({ digits, header }: Amount, isSum: (sum: Sum, digits: string) => boolean): SumSaid | null {
    for (const sum of [this.#sinceTotal, this.#all, this.#sinceWord])
      if (sum !== null && isSum(sum, digits)) return saidOf(sum, ofRows(sum.rows));
    if (isSum(this.#numbers, digits)) return saidOf(this.#numbers, ofNumbers);
    for (const sum of [this.#shownSinceTotal, this.#shown])
      if (sum !== null && isSum(sum, digits)) return saidOf(sum, ofShown(sum.rows));
    const own = header === null ? undefined : this.#ofHeader.get(header);
    if (header !== null && own !== undefined && isSum(own, digits)) return saidOf(own, ofColumn(own.rows, header));
    if (isSum(this.#aboveZero, digits)) return saidOf(this.#aboveZero, ofSide(this.#aboveZero.rows, aboveZero));
    const isOut = isSum(this.#belowZero, isBelowZero(digits) ? digits : `-${digits}`);
    return isOut ? saidOf(this.#belowZero, ofSide(this.#belowZero.rows, belowZero)) : null;
  }

  #addOfHeader(header: string, digits: string): void {
    const sum = this.#ofHeader.get(header) ?? new Sum();
    this.#ofHeader.set(header, sum);
    sum.add(digits);
  }
}

/** The exact sum of amounts. */
class Sum {
  rows = 0;
  /** Those that are not zero. */
  rowsThatCount = 0;
  #sum = new ExactSum();

  add(digits: string): void {
    this.rows += 1;
    if (digits === '0') return;
    this.rowsThatCount += 1;
    this.#sum.add(digits);
  }

  copy(): Sum {
    const copy = new Sum();
    copy.rows = this.rows;
    copy.rowsThatCount = this.rowsThatCount;
    copy.#sum = this.#sum.copy();
    return copy;
  }

  is(digits: string): boolean {
    return this.rowsThatCount > 0 && this.#sum.is(digits);
  }

  isNear(digits: string): boolean {
    return this.rowsThatCount > 0 && this.#sum.isNear(digits, lessThanACent);
  }
}

function saidOf({ rowsThatCount }: Sum, said: Remark): SumSaid {
  return { rowsThatCount, said };
}

function isBelowZero(digits: string): boolean {
  return digits.startsWith('-');
}

function ofRows(rows: number): Remark {
  return rows === 1 ? remark`is the amount of the row above it:` : remark`is the sum of the ${rows} rows above it:`;
}

const ofNumbers = remark`is the sum of the amounts above it that are no text:`;

function ofShown(rows: number): Remark {
  return rows === 1
    ? remark`is the amount of the one row above it that is not hidden:`
    : remark`is the sum of the ${rows} rows above it that are not hidden:`;
}

function ofColumn(rows: number, header: string): Remark {
  return rows === 1
    ? remark`is the amount of the row above it that fills "${header}":`
    : remark`is the sum of the ${rows} rows above it that fill "${header}":`;
}

const aboveZero = remark`above zero`;
const belowZero = remark`below zero`;

function ofSide(rows: number, side: Remark): Remark {
  return rows === 1
    ? remark`is the one amount above it that is ${side}:`
    : remark`is the sum of the ${rows} amounts above it that are ${side}:`;
}
