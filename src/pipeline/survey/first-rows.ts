/**
 * Which row of a source said a thing first. It keeps 64 bits of a digest and the place in typed arrays (16 bytes a slot):
 * a Map of texts would need some 150 MB for a million rows.
 */

const initialSlots = 1 << 10;
const fullShare = 0.8;
/** Doubled, the slots were the highest of a check's memory at the moment when they grew. */
const growth = 1.25;
/** What is remembered takes 21 MB at most; of what is said first after that, no repetition is found. */
const mostRemembered = 1_000_000;

/** A place in a source: the number of its sheet, from 0, and Excel's row number. */
export interface FirstRow {
  readonly sheet: number;
  readonly row: number;
}

export class FirstRows {
  #high = new Int32Array(initialSlots);
  #low = new Int32Array(initialSlots);
  #sheets = new Uint32Array(initialSlots);
  /** 0 in an empty slot: rows count from 1. */
  #rows = new Uint32Array(initialSlots);
  #used = 0;

  /** Whether anything that is said from now on may have been said before. */
  get isFull(): boolean {
    return this.#used >= mostRemembered;
  }

  /** The row that first said this: the given one, when none did before. */
  firstOf(digest: Digest, sheet: number, row: number): FirstRow {
    if (this.#used > this.#rows.length * fullShare) this.#grow();
    const slot = this.#slotOf(digest.high, digest.low);
    if (this.#rows[slot] === 0) {
      if (this.#used >= mostRemembered) return { sheet, row };
      this.#put(slot, digest.high, digest.low, sheet, row);
      this.#used += 1;
    }
    return { sheet: this.#sheets[slot] ?? 0, row: this.#rows[slot] ?? 0 };
  }

  /** Gives the room back, once every row was looked at. */
  clear(): void {
    this.#high = new Int32Array(initialSlots);
    this.#low = new Int32Array(initialSlots);
    this.#sheets = new Uint32Array(initialSlots);
    this.#rows = new Uint32Array(initialSlots);
    this.#used = 0;
  }

  #put(slot: number, high: number, low: number, sheet: number, row: number): void {
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#sheets[slot] = sheet;
    this.#rows[slot] = row;
  }

  #slotOf(high: number, low: number): number {
    const { length } = this.#rows;
    let slot = ((high ^ low) >>> 0) % length;
    while (this.#rows[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low)) slot = (slot + 1) % length;
    return slot;
  }

  #grow(): void {
    const [high, low, sheets, rows] = [this.#high, this.#low, this.#sheets, this.#rows];
    const size = Math.floor(rows.length * growth);
    this.#high = new Int32Array(size);
    this.#low = new Int32Array(size);
    this.#sheets = new Uint32Array(size);
    this.#rows = new Uint32Array(size);
    rows.forEach((row, old) => {
      const [digestHigh, digestLow] = [high[old] ?? 0, low[old] ?? 0];
      if (row !== 0) this.#put(this.#slotOf(digestHigh, digestLow), digestHigh, digestLow, sheets[old] ?? 0, row);
    });
  }
}

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
