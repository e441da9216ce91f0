/**
 * The data file of the sandbox, and every statement on it. Many requests share one commit, and a write is answered only
 * after its commit is on disk. A job reads and judges before it writes, so one that is refused leaves nothing behind.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EndpointName, RecordKindName } from '../contract/record-kind.ts';
import { Database, isBusy } from '../disk/database.ts';
import { DealsheetError, usageError } from '../errors.ts';
import { folderOwnerOnly, ownerOnly } from '../file-modes.ts';
import { Problem } from './problem.ts';

/** Written into the data file; another number means that another version made it. */
const schemaVersion = 3;

/** `accepted` is the log and holds every body as it was sent; `record` holds what is known now; `link` leads to children. */
const schema = `
CREATE TABLE accepted (
  sequence INTEGER PRIMARY KEY, endpoint TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE TABLE record (
  kind TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, changed INTEGER NOT NULL,
  paid INTEGER NOT NULL, charged INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE UNIQUE INDEX record_by_number ON record (kind, number);
CREATE TABLE link (
  parent TEXT NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (parent, kind, number)
) WITHOUT ROWID;
CREATE TABLE idempotency (
  endpoint TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (endpoint, key)
) WITHOUT ROWID;
CREATE TABLE token (digest TEXT PRIMARY KEY, expires INTEGER) WITHOUT ROWID;
PRAGMA user_version = ${schemaVersion};
`;

export interface AcceptedEntry {
  /** Counts up from 1, in the order of acceptance. */
  readonly sequence: number;
  readonly endpoint: EndpointName;
  readonly id: string;
  readonly at: number;
  /** The JSON text that was sent: of one row for a batch; name, size and digest of the file for a form. */
  readonly body: string;
}

/** What a record does to the balance of its deal, in cents. */
export interface BalanceEffect {
  readonly paid: number;
  readonly charged: number;
}

export interface StoredRecord extends BalanceEffect {
  readonly number: number;
  readonly at: number;
  readonly changed: number;
  /** JSON, as far as the contract knows it. */
  readonly body: string;
}

type Value = string | number | null;
export type Tables = ReturnType<typeof openTables>;

function openTables(database: Database) {
  const run = (sql: string) => {
    const statement = database.prepare(sql);
    return (...values: Value[]) => void statement.run(values);
  };
  const many = <Row>(sql: string) => {
    const statement = database.prepare(sql);
    return (...values: Value[]) => statement.all(values) as Row[];
  };
  const one = <Row>(sql: string) => {
    const rows = many<Row>(sql);
    return (...values: Value[]) => rows(...values)[0];
  };
  const ofParent = 'link JOIN record USING (kind, number) WHERE parent = ? AND kind = ?';
  const last = one<{ number: number }>('SELECT max(number) AS number FROM record WHERE kind = ?');
  const record = one<StoredRecord>('SELECT * FROM record WHERE kind = ? AND number = ?');
  const listed = many<StoredRecord>('SELECT * FROM record WHERE kind = ? AND number <= ? ORDER BY number DESC LIMIT ?');
  const insert = run('INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)');
  const link = run('INSERT OR IGNORE INTO link VALUES (?, ?, ?)');
  /** How many records of a kind there are. Nothing is ever removed, so the highest number tells. */
  const count = (kind: RecordKindName) => last(kind)?.number ?? 0;
  return {
    count,
    record: (kind: RecordKindName, number: number) => record(kind, number),
    list: (kind: RecordKindName, offset: number, limit: number) => listed(kind, count(kind) - offset, limit),
    /** The records of a kind that name a parent, the newest first: parent, kind, limit. */
    children: many<StoredRecord>(`SELECT * FROM ${ofParent} ORDER BY number DESC LIMIT ?`),
    /** What all records of a kind do to the balance of their parent: parent, kind. */
    effects: one<BalanceEffect>(`SELECT total(paid) AS paid, total(charged) AS charged FROM ${ofParent}`),
    /** Adds a record and gives its number. The entry of the log is the caller's. */
    add(kind: RecordKindName, values: Omit<StoredRecord, 'number' | 'changed'>, parents: readonly string[]): number {
      const number = count(kind) + 1;
      const { at, paid, charged, body } = values;
      insert(kind, number, at, at, paid, charged, body);
      for (const parent of parents) link(parent, kind, number);
      return number;
    },
    /** Moment, body, kind, number. */
    change: run('UPDATE record SET changed = ?, body = ? WHERE kind = ? AND number = ?'),
    /** Endpoint, id, moment, body. */
    log: run('INSERT INTO accepted VALUES (NULL, ?, ?, ?, ?)'),
    /** Entries of the log, the oldest first: after which sequence, limit. */
    accepted: many<AcceptedEntry>('SELECT * FROM accepted WHERE sequence > ? ORDER BY sequence LIMIT ?'),
    /** Endpoint, key. */
    answer: one<{ digest: string; answer: string }>('SELECT * FROM idempotency WHERE endpoint = ? AND key = ?'),
    /** Endpoint, key, digest, answer. */
    keepAnswer: run('INSERT INTO idempotency VALUES (?, ?, ?, ?)'),
    token: one<{ expires: number | null }>('SELECT * FROM token WHERE digest = ?'),
    /** Digest; end in milliseconds since 1970, or `null` for none. */
    addToken: run('INSERT INTO token VALUES (?, ?)'),
    removeTokens: run('DELETE FROM token'),
  };
}

export interface Store {
  readonly tables: Tables;
  /** Runs a job inside the next shared commit. Resolves after that commit; rejects when the job or the commit failed. */
  write<Result>(job: (tables: Tables) => Result): Promise<Result>;
  close(): void;
}

interface Waiting {
  readonly job: (tables: Tables) => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** How long one process waits for another that is committing to the same file. */
const busyMilliseconds = 5000;
const largestBatch = 256;

/**
 * Opens a data file, making it and its folder (for its owner alone: records hold personal data) when they are not there.
 *
 * @param dataFile  a path, or `null` for memory
 * @throws DealsheetError `usage` when the file is not a data file of this version or cannot be opened
 */
export function openStore(dataFile: string | null): Store {
  const database = dataFile === null ? new Database(':memory:') : openFile(dataFile);
  if (dataFile === null) database.exec(schema);
  const tables = openTables(database);
  const queue: Waiting[] = [];
  let isOpen = true;
  const flush = () => {
    const batch = queue.splice(0, largestBatch);
    if (queue.length > 0) setImmediate(flush);
    if (batch.length > 0) commitTogether(database, tables, batch);
  };
  return {
    tables,
    write: (job) =>
      new Promise((resolve, reject) => {
        if (!isOpen) throw new Problem('store-busy', { detail: 'The sandbox is stopping.' });
        if (queue.length === 0) setImmediate(flush);
        queue.push({ job, resolve, reject });
      }),
    close() {
      if (!isOpen) return;
      isOpen = false;
      while (queue.length > 0) flush();
      database.close();
    },
  };
}

/** A refusal is for the one who asked; anything else stops the whole batch. */
function commitTogether(database: Database, tables: Tables, batch: readonly Waiting[]): void {
  const settlements: (() => void)[] = [];
  try {
    database.exec('BEGIN IMMEDIATE');
    for (const { job, resolve, reject } of batch) {
      try {
        const result = job(tables) as never;
        settlements.push(() => resolve(result));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        settlements.push(() => reject(error));
      }
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    const detail = 'Another process is writing to the data file. Nothing was made; send the request again.';
    const reason = isBusy(error) ? new Problem('store-busy', { detail, headers: { 'retry-after': '1' } }) : error;
    for (const { reject } of batch) reject(reason);
    return;
  }
  for (const settle of settlements) settle();
}

function openFile(dataFile: string): Database {
  let database: Database | null = null;
  try {
    mkdirSync(dirname(dataFile), { recursive: true, mode: folderOwnerOnly });
    closeSync(openSync(dataFile, 'a', ownerOnly));
    database = new Database(dataFile);
    database.exec(`PRAGMA busy_timeout = ${busyMilliseconds}`);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
    if (tables > 0 && version !== schemaVersion) {
      // A file of somebody else, or of another version, is left as it is.
      const maker =
        version === 0 ? 'not by the sandbox' : `by another version of the sandbox (${version}, not ${schemaVersion})`;
      const remedy = 'Name another file; the sandbox makes it when it is not there.';
      throw usageError(`${dataFile} was made ${maker}.`, remedy);
    }
    database.exec(tables === 0 ? `${schema} COMMIT` : 'COMMIT');
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof DealsheetError) throw cause;
    const remedy = `Name another file, or a file in a folder that can be written (${dirname(dataFile)}).`;
    throw usageError(`The sandbox cannot use the data file ${dataFile}.`, remedy, cause);
  }
}
