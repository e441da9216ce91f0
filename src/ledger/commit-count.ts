/**
 * Counts the commits in the ledger, and notes behind its key how many of them the disk has kept. A ledger with fewer than its
 * key has noted lost some: it was copied without its log, or an older one was put in its place.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Database, Statement } from '../disk/database.ts';
import { countPlace, keyPathOf } from './ledger-key.ts';

const countBytes = 8;

export class CommitCount {
  readonly #add: Statement;
  readonly #file: number | null;
  readonly #bytes = Buffer.alloc(countBytes);
  #noted = 0;

  /** @param ledgerPath  of a ledger whose key is there */
  constructor(db: Database, ledgerPath: string) {
    this.#add = db.prepare('UPDATE commits SET count = count + 1 RETURNING count').raw();
    this.#file = openIfWritable(keyPathOf(ledgerPath));
  }

  /** Counts a commit, within its transaction, and gives the count. */
  add(): number {
    return (this.#add.get() as [number] | undefined)?.[0] ?? 0;
  }

  /** To be called once the disk has the commit: what is noted may be too few after a power cut, and never too many. */
  note(count: number): void {
    if (this.#file === null || count <= this.#noted) return;
    this.#noted = count;
    this.#bytes.writeBigUInt64BE(BigInt(count));
    try {
      writeSync(this.#file, this.#bytes, 0, countBytes, countPlace);
    } catch {
      // On a disk that fails the note stays behind: less is noticed later, and nothing is refused that is whole.
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }
}

function openIfWritable(path: string): number | null {
  try {
    return openSync(path, 'r+');
  } catch {
    return null;
  }
}
