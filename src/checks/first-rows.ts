/** Which row of a file said a thing first, known by digests of what it says. */
import type { Digest } from './digester.ts';
import { RowTable } from './row-table.ts';

/** Tables grow one by one: all in one, its old slots and its new ones were the highest of a check's memory, 38 MB that ended at 21. */
const bitsOfTable = 4;
const bitsOfDigest = 32;
/** What is remembered takes 21 MB at most; of what is said first after that, no repetition is found. */
const mostRemembered = 1_000_000;

export class FirstRows {
  #tables = newTables();
  #used = 0;
  readonly #sheets: string[] = [];

  /** Whether anything that is said from now on may have been said before. */
  get isFull(): boolean {
    return this.#used >= mostRemembered;
  }

  /** Where an earlier row said this, in words (`row 20`, or `Deals row 20` of another sheet); `null` when none did. */
  placeOf(digest: Digest, sheet: string, row: number): string | null {
    const here = this.#numberOf(sheet);
    const table = this.#tables[digest.high >>> (bitsOfDigest - bitsOfTable)] as RowTable;
    const first = table.rowOf(digest);
    if (first === null) {
      if (this.isFull) return null;
      table.add(digest, { sheet: here, row });
      this.#used += 1;
      return null;
    }
    if (first.sheet === here) return first.row === row ? null : `row ${first.row}`;
    return `${this.#sheets[first.sheet]} row ${first.row}`;
  }

  /** Gives the room back, once every row was looked at. */
  clear(): void {
    this.#tables = newTables();
    this.#used = 0;
  }

  #numberOf(sheet: string): number {
    const known = this.#sheets.lastIndexOf(sheet);
    return known === -1 ? this.#sheets.push(sheet) - 1 : known;
  }
}

function newTables(): readonly RowTable[] {
  return Array.from({ length: 1 << bitsOfTable }, () => new RowTable());
}
