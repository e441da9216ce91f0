/** The exact sum of decimal numbers: hundredths in whole numbers as long as they fit, big.js for all others. */
import Big from 'big.js';

const hundred = 100;
/** Far below 2^53, so that one more addition stays exact. */
const fullAt = 2 ** 52;
const fewDecimals = /^-?\d{1,12}(?:\.\d{1,2})?$/;

export class ExactSum {
  #big = new Big(0);
  #hundredths = 0;
  /** Whether nothing of the sum stands in `#big`. */
  #isOnlyHundredths = true;

  add(digits: string): void {
    if (!fewDecimals.test(digits)) {
      this.#isOnlyHundredths = false;
      this.#big = this.#big.plus(digits);
      return;
    }
    this.#hundredths += Math.round(Number(digits) * hundred);
    if (Math.abs(this.#hundredths) >= fullAt) this.#carry();
  }

  copy(): ExactSum {
    const copy = new ExactSum();
    copy.#big = this.#big;
    copy.#hundredths = this.#hundredths;
    copy.#isOnlyHundredths = this.#isOnlyHundredths;
    return copy;
  }

  /** The sum in plain digits, such as `9007199254741.23`. */
  get digits(): string {
    this.#carry();
    return this.#big.toFixed();
  }

  /** Whether the sum is this number. */
  is(digits: string): boolean {
    if (this.#isOnlyHundredths && fewDecimals.test(digits))
      return this.#hundredths === Math.round(Number(digits) * hundred);
    this.#carry();
    return this.#big.eq(digits);
  }

  /** Whether the sum is this number, or less than `apart` away from it. */
  isNear(digits: string, apart: number): boolean {
    this.#carry();
    return this.#big.minus(digits).abs().lt(apart);
  }

  #carry(): void {
    this.#isOnlyHundredths = false;
    this.#big = this.#big.plus(new Big(this.#hundredths).div(hundred));
    this.#hundredths = 0;
  }
}
