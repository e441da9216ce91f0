/** Which row of a file said a thing first, known by short digests of what it says. */
import { hash } from 'node:crypto';

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

export interface Digest {
  readonly high: number;
  readonly low: number;
}

/** 64 bits are enough for what is worth a warning. */
export function shortDigest(text: string): Digest {
  const bytes = hash('sha256', text, 'buffer');
  return { high: bytes.readInt32LE(0), low: bytes.readInt32LE(4) };
}
