/**
 * Shares one commit among all writes of a turn of the event loop: a commit waits for the disk, and a row is sent and
 * settled with two of them.
 * Its one rule: a write is reported as done only after its commit came back, and after one failure nothing is written any more.
 */
import type Database from 'libsql';
import type { DealsheetError } from '../errors.ts';
import { isDatabaseError, loadWritingFailed, writingFailed } from './ledger-errors.ts';
import { stoppingPoint } from './stopping-points.ts';

/** What a write is for: the name of its stopping points. */
export type WriteName = 'intent' | 'settle' | 'record' | 'end';

/** One call's writes, within a transaction that is open. Gives why the caller's wish was not met, or `null`; throws when the database does. */
export type Write = () => Error | null;

interface Waiting {
  readonly name: WriteName;
  readonly write: Write;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

export class CommitQueue {
  readonly #db: Database.Database;
  readonly #path: string;
  readonly #onRolledBack: () => void;
  #waiting: Waiting[] = [];
  #failure: DealsheetError | null = null;

  /** @param onRolledBack  told when what was written is not there after all */
  constructor(db: Database.Database, path: string, onRolledBack: () => void) {
    this.#db = db;
    this.#path = path;
    this.#onRolledBack = onRolledBack;
  }

  /** Why nothing is written any more, or `null`. */
  get failure(): DealsheetError | null {
    return this.#failure;
  }

  /** Resolves once the write is on the disk. */
  add(name: WriteName, write: Write): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        reject(this.#failure);
        return;
      }
      if (this.#waiting.length === 0) setImmediate(() => this.flush());
      this.#waiting.push({ name, write, resolve, reject });
    });
  }

  /** Commits what waits, in the order in which it came. */
  flush(): void {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    let refusals: (Error | null)[];
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      refusals = batch.map(({ write }) => write());
      passBy(batch, 'before-commit');
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#fail(error, batch);
      return;
    }
    passBy(batch, 'after-commit');
    batch.forEach(({ resolve, reject }, index) => {
      const refusal = refusals[index] ?? null;
      if (refusal === null) resolve();
      else reject(refusal);
    });
  }

  /**
   * Writes at once, for the few steps that are not worth waiting for.
   * @throws DealsheetError `ledger-failed`, and whatever `write` throws as one
   */
  writeNow<Result>(name: string, write: () => Result): Result {
    if (this.#failure !== null) throw this.#failure;
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      const result = write();
      stoppingPoint(`${name}-before-commit`);
      this.#db.exec('COMMIT');
      stoppingPoint(`${name}-after-commit`);
      return result;
    } catch (error) {
      this.#rollBack();
      throw isDatabaseError(error) ? writingFailed(error, this.#path) : error;
    }
  }

  #fail(error: unknown, batch: readonly Waiting[]): void {
    const failure = loadWritingFailed(error, this.#path);
    this.#failure = failure;
    this.#rollBack();
    for (const { reject } of batch) reject(failure);
  }

  /** SQLite has rolled back by itself after some failures, and may be unable to after others. */
  #rollBack(): void {
    this.#onRolledBack();
    try {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The first failure is the one that is reported; the next process to open the ledger rolls back what is left.
    }
  }
}

function passBy(batch: readonly Waiting[], place: 'before-commit' | 'after-commit'): void {
  for (const name of new Set(batch.map((waiting) => waiting.name))) stoppingPoint(`${name}-${place}`);
}
