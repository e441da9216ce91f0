/** A total in the first row of a sheet, which the rows below it tell: known once all of them were read, so they are read twice. */
import { type Remark, remark } from '../../mapping/remark.ts';
import { ExactSum } from '../rows/exact-sum.ts';

/** Of one row below, the first would be the sum when both say the same. */
const fewestBelow = 2;

export class TotalFirst {
  #first: { readonly row: number; readonly digits: string; readonly isSaid: () => boolean } | null = null;
  #below = new ExactSum();
  #rowsBelow = 0;
  #rowsThatCount = 0;
  /** What is to be said of it, once all rows were looked at. */
  #decided: Remark | null | undefined;

  /**
   * Takes an amount of a row that no row above makes a total, in their order.
   * @param isSaid - whether the row is told to be a total, by what it leaves blank beside the rows below: asked after those
   * @returns whether it is the first one and says a total, so that it may be that of the rows below
   */
  look(row: number, digits: string, saysTotal: boolean, isSaid: () => boolean): boolean {
    if (this.#decided !== undefined) return this.#first?.row === row;
    if (this.#first === null) {
      if (saysTotal) this.#first = { row, digits, isSaid };
      else this.#decided = null;
      return saysTotal;
    }
    this.#rowsBelow += 1;
    if (digits === '0') return false;
    this.#rowsThatCount += 1;
    this.#below.add(digits);
    return false;
  }

  /** Continues a sentence that begins with the amount of the first row, or `null` where that is no total. */
  get said(): Remark | null {
    if (this.#decided !== undefined) return this.#decided;
    if (this.#first === null || this.#rowsThatCount < fewestBelow) return null;
    const isTotal = this.#below.is(this.#first.digits) && this.#first.isSaid();
    return isTotal ? remark`is the sum of the ${this.#rowsBelow} rows below it:` : null;
  }

  /** Before the rows are looked at anew: what was found stays. */
  decide(): void {
    this.#decided = this.said;
  }

  isAt(row: number): boolean {
    return this.#first?.row === row && this.#decided !== undefined && this.#decided !== null;
  }
}
