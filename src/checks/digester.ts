/** Short digests of what rows say. */
const fnvBasis = 0x811c9dc5 | 0;
const fnvPrime = 0x01000193;
/** The multiplications are those of MurmurHash. */
const otherBasis = fnvPrime ^ 0x5bd1e995;
const otherFactor = 0x85ebca6b;
const otherShift = 15;

export interface Digest {
  readonly high: number;
  readonly low: number;
}

/** Two 32-bit digests side by side, FNV-1a and one of other numbers: for what is worth a warning, not for what decides. */
export class Digester implements Digest {
  high = fnvBasis;
  low = otherBasis;

  /** Two code units at a time. */
  text(text: string): this {
    const { length } = text;
    for (let index = 0; index + 1 < length; index += 2)
      this.#unit(text.charCodeAt(index) | (text.charCodeAt(index + 1) << bitsOfUnit));
    if (length % 2 === 1) this.#unit(text.charCodeAt(length - 1));
    this.#unit(separator);
    return this;
  }

  /** A value of JSON with everything in it. */
  value(value: unknown): this {
    if (typeof value !== 'object' || value === null) return this.text(String(value));
    // Pairs of names and values would be made for every row, 2 KB of them.
    for (const name in value) this.text(name).value((value as Readonly<Record<string, unknown>>)[name]);
    this.#unit(separator);
    return this;
  }

  #unit(unit: number): void {
    this.high = Math.imul(this.high ^ unit, fnvPrime);
    this.low = Math.imul(this.low ^ unit, otherFactor) ^ (this.low >>> otherShift);
  }
}

const bitsOfUnit = 16;
/** A code unit that no cell holds. */
const separator = 0xffff;
