/**
 * Shares one commit among all writes that come while the disk keeps the commit before: a row is sent and settled with two
 * of them.
 * Its one rule: a write is reported as done only once the disk has its commit, and after one failure nothing is written any more.
 */
import type { Database } from '../disk/database.ts';
import type { DealsheetError } from '../errors.ts';
import type { LedgerDatabase } from './ledger-database.ts';
import { isDatabaseError, loadWritingFailed, writingFailed } from './ledger-errors.ts';
import { stoppingPoint } from './stopping-points.ts';

/** What a write is for: the name of its stopping points. */
export type WriteName = 'intent' | 'settle' | 'record' | 'end';

/** One call's writes, within a transaction that is open. Gives why the caller's wish was not met, or `null`; throws when the database does. */
export type Write = () => Error | null;

interface Waiting {
  readonly name: WriteName;
  readonly write: Write;
  readonly takeBack: () => void;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

export class CommitQueue {
  readonly #db: Database;
  readonly #log: LedgerDatabase['log'];
  readonly #count: LedgerDatabase['count'];
  readonly #path: string;
  #waiting: Waiting[] = [];
  /** Whether a commit is to come, or is not kept yet. */
  #isAtWork = false;
  #failure: DealsheetError | null = null;

  /** @param path  of the ledger, for a person to read */
  constructor({ db, log, count }: Pick<LedgerDatabase, 'db' | 'log' | 'count'>, path: string) {
    this.#db = db;
    this.#log = log;
    this.#count = count;
    this.#path = path;
  }

  /** Why nothing is written any more, or `null`. */
  get failure(): DealsheetError | null {
    return this.#failure;
  }

  /**
   * Resolves once the write is on the disk.
   * @param takeBack  writes that what was committed is not done after all: it is called where the disk may not have kept it
   */
  add(name: WriteName, write: Write, takeBack: () => void = () => {}): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        reject(this.#failure);
        return;
      }
      this.#waiting.push({ name, write, takeBack, resolve, reject });
      this.#commitSoon();
    });
  }

  /** Writes what waits, in the order in which it came, and has the disk keep it before anything else happens. */
  flush(): void {
    const committed = this.#commit();
    if (committed === null) return;
    try {
      this.#log.keepNow();
    } catch (error) {
      this.#takeBack(committed);
      this.#fail(error, committed.batch);
      return;
    }
    this.#report(committed);
  }

  /** One commit at a time: those that come meanwhile share the next one. */
  #commitSoon(): void {
    if (this.#isAtWork || this.#waiting.length === 0) return;
    this.#isAtWork = true;
    // What was reported goes on first, and what that brings shares the commit.
    setImmediate(() => {
      const committed = this.#commit();
      if (committed === null) this.#isAtWork = false;
      else this.#log.keep((failure) => this.#kept(committed, failure));
    });
  }

  #kept(committed: Committed, failure: Error | null): void {
    this.#isAtWork = false;
    if (failure !== null) {
      this.#takeBack(committed);
      this.#fail(failure, committed.batch);
      return;
    }
    this.#report(committed);
    this.#commitSoon();
  }

  /** `null` when nothing waits, or when it could not be written. */
  #commit(): Committed | null {
    const batch = this.#waiting;
    if (batch.length === 0) return null;
    this.#waiting = [];
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      const refusals = batch.map(({ write }) => write());
      const count = this.#count.add();
      passBy(batch, 'before-commit');
      this.#db.exec('COMMIT');
      passBy(batch, 'before-sync');
      return { batch, refusals, count };
    } catch (error) {
      this.#fail(error, batch);
      return null;
    }
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
      const count = this.#count.add();
      stoppingPoint(`${name}-before-commit`);
      this.#db.exec('COMMIT');
      this.#log.keepNow();
      this.#count.note(count);
      stoppingPoint(`${name}-after-commit`);
      return result;
    } catch (error) {
      this.#rollBack();
      throw isDatabaseError(error) ? writingFailed(error, this.#path) : error;
    }
  }

  #report({ batch, refusals, count }: Committed): void {
    this.#count.note(count);
    passBy(batch, 'after-commit');
    batch.forEach(({ resolve, reject }, index) => {
      const refusal = refusals[index] ?? null;
      if (refusal === null) resolve();
      else reject(refusal);
    });
  }

  /** Whoever reads the ledger next finds the commit there, most likely. Where this is not kept either, it stays as it is. */
  #takeBack({ batch, refusals }: Committed): void {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      batch.forEach(({ takeBack }, index) => {
        if (refusals[index] === null) takeBack();
      });
      this.#db.exec('COMMIT');
    } catch {
      // What has failed before is what is reported.
    }
  }

  #fail(error: unknown, batch: readonly Waiting[]): void {
    const failure = this.#failure ?? loadWritingFailed(error, this.#path);
    this.#failure = failure;
    this.#rollBack();
    const unwritten = [...batch, ...this.#waiting];
    this.#waiting = [];
    for (const { reject } of unwritten) reject(failure);
  }

  /** SQLite has rolled back by itself after some failures, and may be unable to after others. */
  #rollBack(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The first failure is the one that is reported; the next process to open the ledger rolls back what is left.
    }
  }
}

/** What is committed, and not reported yet. */
interface Committed {
  readonly batch: readonly Waiting[];
  readonly refusals: readonly (Error | null)[];
  readonly count: number;
}

function passBy(batch: readonly Waiting[], place: 'before-commit' | 'before-sync' | 'after-commit'): void {
  for (const name of new Set(batch.map((waiting) => waiting.name))) stoppingPoint(`${name}-${place}`);
}
