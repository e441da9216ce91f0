/** Which row of a file said a thing first, known by short digests of what it says. */

/** Of a slot: the two halves of the digest, the sheet, and the row, which is 0 where the slot is empty. */
const width = 4;
/** 20 MB, of which the system gives none before it is written. */
const slots = 1_250_000;
/** Of what is said first after that, no repetition is found. */
const mostRemembered = 1_000_000;

/** A table of 16 bytes a row: a Map of texts would need some 150 MB for a million of them. */
export class FirstRows {
  readonly #table = new Int32Array(slots * width);
  #used = 0;
  readonly #sheets: string[] = [];

  placeOf(digest: Digest, sheet: string, row: number): string | null {
    const here = this.#numberOf(sheet);
    const at = this.#slotOf(digest);
    const [firstSheet = 0, firstRow = 0] = [this.#table[at + 2], this.#table[at + 3]];
    if (firstRow === 0) {
      if (this.#used < mostRemembered) {
        this.#table[at] = digest.high;
        this.#table[at + 1] = digest.low;
        this.#table[at + 2] = here;
        this.#table[at + 3] = row;
        this.#used += 1;
      }
      return null;
    }
    if (firstSheet === here) return firstRow === row ? null : `row ${firstRow}`;
    return `${this.#sheets[firstSheet]} row ${firstRow}`;
  }

  #numberOf(sheet: string): number {
    const known = this.#sheets.lastIndexOf(sheet);
    return known === -1 ? this.#sheets.push(sheet) - 1 : known;
  }

  /** That of the digest, or the empty one where it would stand. */
  #slotOf({ high, low }: Digest): number {
    const table = this.#table;
    let at = (((high ^ low) >>> 0) % slots) * width;
    while (table[at + 3] !== 0 && (table[at] !== high || table[at + 1] !== low)) at = (at + width) % table.length;
    return at;
  }
}

const fnvBasis = 0x811c9dc5 | 0;
const fnvPrime = 0x01000193;
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

  text(text: string): this {
    const { length } = text;
    for (let index = 0; index + 1 < length; index += 2)
      this.#unit(text.charCodeAt(index) | (text.charCodeAt(index + 1) << bitsOfUnit));
    if (length % 2 === 1) this.#unit(text.charCodeAt(length - 1));
    this.#unit(separator);
    return this;
  }

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
const separator = 0xffff;
