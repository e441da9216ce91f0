/** Finds the first row of a file with the same content, by short digests. */
import { hash } from 'node:crypto';

/** A slot holds two halves of the digest, the sheet and the row. Row 0 means the slot is empty. */
const width = 4;
/** The initial number of slots. The table doubles when it is full, up to 20 MB. */
const fewestSlots = 1_250;
const mostFilled = 0.8;
/** Above this many different rows, new ones are not stored, so their duplicates are not found. */
const mostRemembered = 1_000_000;

/** A table of 16 bytes a row. A Map of texts would need some 150 MB for a million rows. */
export class FirstRows {
  #table = new Int32Array(fewestSlots * width);
  #used = 0;
  readonly #sheets: string[] = [];

  placeOf(digest: Digest, sheet: string, row: number): string | null {
    const here = this.#numberOf(sheet);
    const at = this.#slotOf(digest);
    const [firstSheet = 0, firstRow = 0] = [this.#table[at + 2], this.#table[at + 3]];
    if (firstRow === 0) {
      if (this.#used < mostRemembered) {
        this.#table.set([digest.high, digest.low, here, row], at);
        this.#used += 1;
        if (this.#used * width > this.#table.length * mostFilled) this.#grow();
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

  /** The slot of the digest, or the empty slot for it. */
  #slotOf({ high, low }: Digest): number {
    const table = this.#table;
    let at = (((high ^ low) >>> 0) * width) % table.length;
    while (table[at + 3] !== 0 && (table[at] !== high || table[at + 1] !== low)) at = (at + width) % table.length;
    return at;
  }

  /** A table of full size from the start would make V8 collect garbage on every load. */
  #grow(): void {
    const before = this.#table;
    this.#table = new Int32Array(2 * before.length);
    for (let at = 0; at < before.length; at += width) {
      const [high = 0, low = 0, sheet = 0, row = 0] = before.subarray(at, at + width);
      if (row !== 0) this.#table.set([high, low, sheet, row], this.#slotOf({ high, low }));
    }
  }
}

export interface Digest {
  readonly high: number;
  readonly low: number;
}

/** 64 bits are enough for a warning. Read from text: a Buffer for each takes longer than the hash. */
export function shortDigest(text: string): Digest {
  const digits = hash('sha256', text);
  return { high: Number.parseInt(digits.slice(0, 8), 16) | 0, low: Number.parseInt(digits.slice(8, 16), 16) | 0 };
}
