/** A total in the first row of a sheet, which the rows below it tell: known once all of them were read, so they are read twice. */
import { type Remark, remark } from '../../mapping/remark.ts';
import { ExactSum } from '../rows/exact-sum.ts';

/** Of one row below, the first would be the sum when both say the same. */
const fewestBelow = 2;

export class TotalFirst {
  #first: { readonly row: number; readonly digits: string } | null = null;
  #below = new ExactSum();
  #rowsBelow = 0;
  #rowsThatCount = 0;
  #isDecided = false;

  /** Takes an amount of a row that no row above makes a total, in their order. */
  look(row: number, digits: string, saysTotal: boolean): void {
    if (this.#isDecided) return;
    if (this.#first === null) {
      this.#first = { row, digits };
      if (!saysTotal) this.#isDecided = true;
      return;
    }
    this.#rowsBelow += 1;
    if (digits === '0') return;
    this.#rowsThatCount += 1;
    this.#below.add(digits);
  }

  /** Continues a sentence that begins with the amount of the first row, or `null` where that is no total. */
  get said(): Remark | null {
    const isSum = this.#first !== null && this.#rowsThatCount >= fewestBelow && this.#below.is(this.#first.digits);
    return isSum ? remark`is the sum of the ${this.#rowsBelow} rows below it:` : null;
  }

  /** Before the rows are looked at anew: what was found stays. */
  decide(): void {
    this.#isDecided = true;
  }

  isAt(row: number): boolean {
    return this.#isDecided && this.#first?.row === row && this.said !== null;
  }
}
