/**
 * The data file of the sandbox. Many requests share one commit, and a write is answered only after its commit is on disk.
 * A job of a batch reads and judges before it writes, so one that is refused leaves nothing behind.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { Database, isBusy } from '../../disk/database.ts';
import { DealsheetError } from '../../errors.ts';
import { folderOwnerOnly, ownerOnly } from '../../file-modes.ts';
import { Problem } from '../problem.ts';
import { schema, schemaVersion } from './schema.ts';
import { openTables, type Tables } from './tables.ts';

export interface Store {
  readonly tables: Tables;
  /** Runs a job inside the next shared commit. Resolves after that commit; rejects when the job or the commit failed. */
  write<Result>(job: (tables: Tables) => Result): Promise<Result>;
  /** Commits what is waiting and closes the file. */
  close(): void;
}

interface Waiting {
  run(): void;
  resolve(): void;
  reject(error: unknown): void;
}

/** How long one process waits for another that is committing to the same file. */
const busyMilliseconds = 5000;
const largestBatch = 256;
const retrySeconds = 1;

/**
 * Opens a data file, making it and its folder (for its owner's eyes alone: records hold personal data) when they are not there.
 *
 * @param dataFile  a path, or `null` for memory
 * @throws DealsheetError `usage` when the file is not a data file of this version or cannot be opened
 */
export function openStore(dataFile: string | null): Store {
  const database = dataFile === null ? openMemory() : openFile(dataFile);
  const tables = openTables(database);
  let queue: Waiting[] = [];
  let isScheduled = false;
  let isOpen = true;

  function flush(): void {
    isScheduled = false;
    const batch = queue.splice(0, largestBatch);
    if (queue.length > 0) schedule();
    if (batch.length > 0) commitTogether(database, batch);
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flush);
  }

  return {
    tables,
    write<Result>(job: (tables: Tables) => Result): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        if (!isOpen) {
          reject(new Problem('store-busy', { detail: 'The sandbox is stopping.' }));
          return;
        }
        let result: () => Result;
        queue.push({
          run: () => {
            result = outcomeOf(() => job(tables));
          },
          resolve: () => {
            try {
              resolve(result());
            } catch (refusal) {
              reject(refusal);
            }
          },
          reject,
        });
        schedule();
      });
    },
    close(): void {
      if (!isOpen) return;
      isOpen = false;
      while (queue.length > 0) flush();
      queue = [];
      database.close();
    },
  };
}

/** Keeps a refusal for the one who asked; anything else stops the whole batch. */
function outcomeOf<Result>(job: () => Result): () => Result {
  try {
    const result = job();
    return () => result;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return () => {
      throw error;
    };
  }
}

function commitTogether(database: Database, batch: readonly Waiting[]): void {
  try {
    database.exec('BEGIN IMMEDIATE');
    for (const waiting of batch) waiting.run();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    const reason = isBusy(error) ? busyProblem() : error;
    for (const waiting of batch) waiting.reject(reason);
    return;
  }
  for (const waiting of batch) waiting.resolve();
}

function busyProblem(): Problem {
  return new Problem('store-busy', {
    detail: 'Another process is writing to the data file. Nothing was made; send the request again.',
    headers: { 'retry-after': String(retrySeconds) },
  });
}

function openMemory(): Database {
  const database = new Database(':memory:');
  database.exec(schema);
  return database;
}

function openFile(dataFile: string): Database {
  try {
    mkdirSync(dirname(dataFile), { recursive: true, mode: folderOwnerOnly });
    closeSync(openSync(dataFile, 'a', ownerOnly));
    const database = new Database(dataFile);
    database.exec(`PRAGMA busy_timeout = ${busyMilliseconds}`);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    prepareSchema(database, dataFile);
    return database;
  } catch (error) {
    if (error instanceof DealsheetError) throw error;
    throw new DealsheetError(
      'usage',
      `The sandbox cannot use the data file ${dataFile}.`,
      `Name another file, or a file in a folder that can be written (${dirname(dataFile)}).`,
      { cause: error },
    );
  }
}

function prepareSchema(database: Database, dataFile: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = versionOf(database);
    if (version !== 0 && version !== schemaVersion) {
      throw new DealsheetError(
        'usage',
        `The data file ${dataFile} was made by another version of the sandbox (${version}; this one reads ${schemaVersion}).`,
        'Name another file, or remove this one to begin with an empty sandbox.',
      );
    }
    if (version === 0) {
      refuseForeignTables(database, dataFile);
      database.exec(schema);
      database.exec(`PRAGMA user_version = ${schemaVersion}`);
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    database.close();
    throw error;
  }
}

function versionOf(database: Database): number {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}

/** A SQLite file of somebody else is left as it is. */
function refuseForeignTables(database: Database, dataFile: string): void {
  const row = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
  if (row.tables === 0) return;
  throw new DealsheetError(
    'usage',
    `${dataFile} is a database that the sandbox did not make.`,
    'Name another file; the sandbox makes it when it is not there.',
  );
}
