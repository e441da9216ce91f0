/** The exact sum of decimal numbers: hundredths in whole numbers as long as they fit, big.js for all others. */
import Big from 'big.js';

const hundred = 100;
/** Far below 2^53, so that one more addition stays exact. */
const fullAt = 2 ** 52;
const fewDecimals = /^-?\d{1,12}(?:\.\d{1,2})?$/;

export class ExactSum {
  #big = new Big(0);
  #hundredths = 0;

  add(digits: string): void {
    if (!fewDecimals.test(digits)) {
      this.#big = this.#big.plus(digits);
      return;
    }
    this.#hundredths += Math.round(Number(digits) * hundred);
    if (Math.abs(this.#hundredths) >= fullAt) this.#carry();
  }

  /** The sum in plain digits, such as `9007199254741.23`. */
  get digits(): string {
    this.#carry();
    return this.#big.toFixed();
  }

  #carry(): void {
    this.#big = this.#big.plus(new Big(this.#hundredths).div(hundred));
    this.#hundredths = 0;
  }
}
