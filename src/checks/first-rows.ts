/** Which row of a file said a thing first, known by short digests of what it says. */

/** Tables grow one by one: all in one, its old slots and its new ones were the highest of a check's memory, 38 MB that ended at 21. */
const bitsOfTable = 4;
const bitsOfDigest = 32;
/** What is remembered takes 21 MB at most; of what is said first after that, no repetition is found. */
const mostRemembered = 1_000_000;

export class FirstRows {
  #tables = newTables();
  #used = 0;
  readonly #sheets: string[] = [];

  placeOf(digest: Digest, sheet: string, row: number): string | null {
    const here = this.#numberOf(sheet);
    const table = this.#tables[digest.high >>> (bitsOfDigest - bitsOfTable)] as RowTable;
    const first = table.rowOf(digest);
    if (first === null) {
      if (this.#used >= mostRemembered) return null;
      table.add(digest, { sheet: here, row });
      this.#used += 1;
      return null;
    }
    if (first.sheet === here) return first.row === row ? null : `row ${first.row}`;
    return `${this.#sheets[first.sheet]} row ${first.row}`;
  }

  #numberOf(sheet: string): number {
    const known = this.#sheets.lastIndexOf(sheet);
    return known === -1 ? this.#sheets.push(sheet) - 1 : known;
  }
}

function newTables(): readonly RowTable[] {
  return Array.from({ length: 1 << bitsOfTable }, () => new RowTable());
}

interface FirstRow {
  readonly sheet: number;
  readonly row: number;
}

/** Of a slot: the two halves of the digest, the sheet, and the row, which is 0 where the slot is empty. */
const width = 4;
const initialSlots = 1 << 8;
const fullShare = 0.8;
const growth = 1.25;

/** Rows by digests of 64 bits, 16 bytes a slot: a Map of texts would need some 150 MB for a million rows. */
class RowTable {
  #slots = new Int32Array(initialSlots * width);
  #used = 0;

  rowOf(digest: Digest): FirstRow | null {
    const at = this.#placeOf(digest);
    const row = this.#slots[at + 3] ?? 0;
    return row === 0 ? null : { sheet: this.#slots[at + 2] ?? 0, row };
  }

  add(digest: Digest, { sheet, row }: FirstRow): void {
    if (this.#used * width > this.#slots.length * fullShare) this.#grow();
    this.#slots.set([digest.high, digest.low, sheet, row], this.#placeOf(digest));
    this.#used += 1;
  }

  #placeOf({ high, low }: Digest): number {
    const slots = this.#slots;
    let at = (((high ^ low) >>> 0) % (slots.length / width)) * width;
    while (slots[at + 3] !== 0 && (slots[at] !== high || slots[at + 1] !== low)) at = (at + width) % slots.length;
    return at;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(Math.floor((old.length / width) * growth) * width);
    for (let at = 0; at < old.length; at += width) {
      const [high = 0, low = 0, , row] = old.subarray(at, at + width);
      if (row !== 0) this.#slots.set(old.subarray(at, at + width), this.#placeOf({ high, low }));
    }
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
