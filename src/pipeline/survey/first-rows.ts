/** Which row of a source said a thing first, known by digests of what it says. */
import type { Digest } from './digester.ts';
import { type FirstRow, RowTable } from './row-table.ts';

/** Tables grow one by one: all in one, its old slots and its new ones were the highest of a check's memory, 38 MB that ended at 21. */
const bitsOfTable = 4;
const bitsOfDigest = 32;
/** What is remembered takes 21 MB at most; of what is said first after that, no repetition is found. */
const mostRemembered = 1_000_000;

export class FirstRows {
  #tables = newTables();
  #used = 0;

  /** Whether anything that is said from now on may have been said before. */
  get isFull(): boolean {
    return this.#used >= mostRemembered;
  }

  /** The row that first said this: the given one, when none did before. */
  firstOf(digest: Digest, sheet: number, row: number): FirstRow {
    const table = this.#tables[digest.high >>> (bitsOfDigest - bitsOfTable)] as RowTable;
    const first = table.rowOf(digest);
    if (first !== null) return first;
    const given = { sheet, row };
    if (this.isFull) return given;
    table.add(digest, given);
    this.#used += 1;
    return given;
  }

  /** Gives the room back, once every row was looked at. */
  clear(): void {
    this.#tables = newTables();
    this.#used = 0;
  }
}

function newTables(): readonly RowTable[] {
  return Array.from({ length: 1 << bitsOfTable }, () => new RowTable());
}
