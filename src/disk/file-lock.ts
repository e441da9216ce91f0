/**
 * A lock that one process at a time holds: a file, locked by the operating system for as long as that process lives.
 * Its one rule: whether a lock is held is asked of the operating system, not of a process id that was written down. So it
 * goes with its process however that ends, and neither a reused process id nor another container or host is misread.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { ownerOnly } from '../file-modes.ts';
import { Database, isBusy } from './database.ts';

export class FileLock {
  readonly #db: Database;

  private constructor(db: Database) {
    this.#db = db;
  }

  /** Takes the lock, or gives `null` when this or another process holds it. */
  static take(path: string): FileLock | null {
    makeFile(path);
    const db = new Database(path);
    try {
      db.exec('PRAGMA journal_mode = MEMORY');
      db.exec('BEGIN EXCLUSIVE');
      return new FileLock(db);
    } catch (error) {
      db.close();
      if (isBusy(error)) return null;
      throw error;
    }
  }

  release(): void {
    if (!this.#db.isOpen) return;
    this.#db.exec('ROLLBACK');
    this.#db.close();
  }
}

/** Only when it is not there yet: opening and closing it besides SQLite would drop a lock that this process holds. */
function makeFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', ownerOnly));
}
