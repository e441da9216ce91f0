/** How all that asks and writes comes to the ledger's file. Its one rule: nothing touches a database that was closed. */
import type { Database } from '../disk/database.ts';
import { DealsheetError } from '../errors.ts';
import type { Catalogue } from './catalogue.ts';
import type { CommitCount } from './commit-count.ts';
import type { CommitQueue } from './commit-queue.ts';
import { openingFailed } from './ledger-errors.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

export interface AccessParts {
  /** Of the ledger's file, for a person to read. */
  readonly path: string;
  readonly db: Database;
  readonly log: WriteAheadLog;
  readonly count: CommitCount;
  readonly queue: CommitQueue;
  readonly catalogue: Catalogue;
}

export class LedgerAccess {
  readonly #parts: AccessParts;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /** See {@link CommitQueue.writeNow}. */
  write<Result>(name: string, write: () => Result): Result {
    this.#needOpen();
    return this.#parts.queue.writeNow(name, write);
  }

  /** @throws DealsheetError for a file that cannot be read; see {@link openingFailed} */
  read<Result>(read: () => Result): Result {
    this.#needOpen();
    try {
      return read();
    } catch (error) {
      throw openingFailed(error, this.#parts.path);
    }
  }

  /** The same of what a service has; `nothing` where nothing was ever loaded into it. */
  readOf<Result>(service: string, nothing: Result, read: (number: number) => Result): Result {
    return this.read(() => {
      const number = this.#parts.catalogue.service(service);
      return number === null ? nothing : read(number);
    });
  }

  /** The same of rows that are read one after another. */
  *readEach<Row>(rows: Iterable<Row>): IterableIterator<Row> {
    this.#needOpen();
    try {
      yield* rows;
    } catch (error) {
      throw openingFailed(error, this.#parts.path);
    }
  }

  #needOpen(): void {
    if (this.#parts.db.isOpen) return;
    throw new DealsheetError(
      'usage',
      `The ledger ${this.#parts.path} was closed, and is needed still.`,
      'Close it when all that works with it is done: await the load first.',
    );
  }

  /** @param endRuns  called once what waits is written, while the database is open still */
  close(endRuns: () => void): void {
    const { db, log, count, queue } = this.#parts;
    if (!db.isOpen) return;
    queue.flush();
    endRuns();
    gatherInOneFile(db);
    log.close();
    count.close();
    db.close();
  }
}

/** Copies the log into the ledger, so that a copy of the one file is a whole backup. Others at work in it may prevent that. */
function gatherInOneFile(db: Database): void {
  try {
    db.exec('PRAGMA busy_timeout = 0');
    db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
  } catch {
    // The log stays beside the ledger, and whoever opens it next reads both.
  }
}
