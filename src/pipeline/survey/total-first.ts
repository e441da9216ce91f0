/** A total in the first row of a sheet, which the rows below it tell: known once all of them were read, so they are read twice. */
import { ExactSum } from '../rows/exact-sum.ts';
import { type FoundTotal, sumOfBelow } from './found-total.ts';

/** Of one row below, the first would be the sum when both say the same. */
const fewestBelow = 2;

/** What a first row tells of itself, by what it leaves blank beside the rows below: asked after those. */
export interface FirstTold {
  /** Whether it calls itself a total. */
  readonly isSaid: () => boolean;
  /** What it is by its label alone, or `null`. */
  readonly byItsLabel: () => FoundTotal | null;
}

export class TotalFirst {
  #first: { readonly row: number; readonly digits: string; readonly told: FirstTold } | null = null;
  #below = new ExactSum();
  #rowsBelow = 0;
  #rowsThatCount = 0;
  /** What is to be said of it, once all rows were looked at. */
  #decided: FoundTotal | null | undefined;

  /**
   * Takes an amount of a row that no row above makes a total, in their order.
   * @returns whether it is the first one and says a total, so that it may be that of the rows below
   */
  look(row: number, digits: string, saysTotal: boolean, told: FirstTold): boolean {
    if (this.#decided !== undefined) return this.#first?.row === row;
    if (this.#first === null) {
      if (saysTotal) this.#first = { row, digits, told };
      else this.#decided = null;
      return saysTotal;
    }
    this.#rowsBelow += 1;
    if (digits === '0') return false;
    this.#rowsThatCount += 1;
    this.#below.add(digits);
    return false;
  }

  /** What the first row is in place of a record, or `null` where it is one. */
  get found(): FoundTotal | null {
    if (this.#decided !== undefined) return this.#decided;
    if (this.#first === null) return null;
    const { digits, told } = this.#first;
    const isSum = this.#rowsThatCount >= fewestBelow && this.#below.is(digits) && told.isSaid();
    return isSum ? sumOfBelow(this.#rowsBelow) : told.byItsLabel();
  }

  /** Before the rows are looked at anew: what was found stays. */
  decide(): void {
    this.#decided = this.found;
  }

  isAt(row: number): boolean {
    return this.#first?.row === row && this.#decided !== undefined && this.#decided !== null;
  }
}
