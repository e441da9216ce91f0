/**
 * The lock that lets one load at a time go into a service: a file beside the ledger, locked by the operating system for
 * as long as its process lives.
 * Its one rule: whether a lock is held is asked of the operating system, not of a process id that was written down. So it
 * goes with its process however that ends, and neither a reused process id nor another container or host is misread.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import Database from 'libsql';
import { isBusy } from './ledger-errors.ts';

const ownerOnly = 0o600;

export class ServiceLock {
  readonly #db: Database.Database;

  private constructor(db: Database.Database) {
    this.#db = db;
  }

  /**
   * Takes the lock of a service, or gives `null` when this or another process holds it.
   * To be called inside a write transaction on the ledger: who finds the lock held finds its holder written there too.
   */
  static take(ledgerPath: string, service: number): ServiceLock | null {
    const path = `${ledgerPath}.lock-${service}`;
    makeFile(path);
    const db = new Database(path);
    try {
      db.exec('PRAGMA journal_mode = MEMORY');
      db.exec('BEGIN EXCLUSIVE');
      return new ServiceLock(db);
    } catch (error) {
      db.close();
      if (isBusy(error)) return null;
      throw error;
    }
  }

  release(): void {
    if (!this.#db.open) return;
    this.#db.exec('ROLLBACK');
    this.#db.close();
  }
}

/** Only when it is not there yet: opening and closing it besides SQLite would drop a lock that this process holds. */
function makeFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', ownerOnly));
}
