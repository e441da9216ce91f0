/**
 * The sandbox's data file and all its SQL. Many requests share one commit, and a write is answered only after its commit is on
 * disk. A job checks everything before it writes, so that a refused one leaves nothing behind.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EndpointName, RecordKindName } from '../contract/record-kind.ts';
import { Database, isBusy } from '../disk/database.ts';
import { folderOwnerOnly, ownerOnly } from '../disk/new-file.ts';
import { isDealsheetError } from '../errors.ts';
import { errorOf } from '../messages/text.ts';
import { Problem } from './problem.ts';

/** Stored in the data file. Another number means another version of the sandbox. */
const schemaVersion = 3;

/** `accepted` is the log and keeps every body as sent; `record` is the current state; `link` leads to children. */
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
  /** Starts at 1, in order of acceptance. */
  readonly sequence: number;
  readonly endpoint: EndpointName;
  readonly id: string;
  readonly at: number;
  /** The JSON that was sent: one row of a batch, or name, size and digest of a form's file. */
  readonly body: string;
}

/** What a record adds to the balance of its deal, in cents. */
export interface BalanceEffect {
  readonly paid: number;
  readonly charged: number;
}

export interface StoredRecord extends BalanceEffect {
  readonly number: number;
  readonly at: number;
  readonly changed: number;
  /** JSON of the fields that the contract knows. */
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
  /** The highest number is the count, because nothing is ever removed. */
  const count = (kind: RecordKindName) => last(kind)?.number ?? 0;
  return {
    count,
    record: (kind: RecordKindName, number: number) => record(kind, number),
    list: (kind: RecordKindName, offset: number, limit: number) => listed(kind, count(kind) - offset, limit),
    /** The children of a parent, newest first. Parameters: parent, kind, limit. */
    children: many<StoredRecord>(`SELECT * FROM ${ofParent} ORDER BY number DESC LIMIT ?`),
    /** The summed effect of all records of a kind on their parent's balance. Parameters: parent, kind. */
    effects: one<BalanceEffect>(`SELECT total(paid) AS paid, total(charged) AS charged FROM ${ofParent}`),
    /** Adds a record and returns its number. The caller writes the log entry. */
    add(kind: RecordKindName, values: Omit<StoredRecord, 'number' | 'changed'>, parents: readonly string[]): number {
      const number = count(kind) + 1;
      const { at, paid, charged, body } = values;
      insert(kind, number, at, at, paid, charged, body);
      for (const parent of parents) link(parent, kind, number);
      return number;
    },
    /** Parameters: moment, body, kind, number. */
    change: run('UPDATE record SET changed = ?, body = ? WHERE kind = ? AND number = ?'),
    /** Parameters: endpoint, id, moment, body. */
    log: run('INSERT INTO accepted VALUES (NULL, ?, ?, ?, ?)'),
    /** Log entries, oldest first. Parameters: the sequence to start after, limit. */
    accepted: many<AcceptedEntry>('SELECT * FROM accepted WHERE sequence > ? ORDER BY sequence LIMIT ?'),
    /** Parameters: endpoint, key. */
    answer: one<{ digest: string; answer: string }>('SELECT * FROM idempotency WHERE endpoint = ? AND key = ?'),
    /** Parameters: endpoint, key, digest, answer. */
    keepAnswer: run('INSERT INTO idempotency VALUES (?, ?, ?, ?)'),
    token: one<{ expires: number | null }>('SELECT * FROM token WHERE digest = ?'),
    /** Parameters: digest; expiry in milliseconds since 1970, or `null` for none. */
    addToken: run('INSERT INTO token VALUES (?, ?)'),
    removeTokens: run('DELETE FROM token'),
  };
}

export interface Store {
  readonly tables: Tables;
  /** Runs a job in the next shared commit. Resolves after that commit; rejects when the job or the commit fails. */
  write<Result>(job: (tables: Tables) => Result): Promise<Result>;
  close(): void;
}

interface Waiting {
  readonly job: (tables: Tables) => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** How long to wait for another process that is committing to the same file. */
const busyMilliseconds = 5000;
const largestBatch = 256;

/**
 * Opens a data file. Creates it and its folder when missing, readable by the owner only, because records hold personal data.
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

/** A problem rejects only its own job; any other error rolls back the whole batch. */
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
    // A file of another program or version is left unchanged.
    if (tables > 0 && version !== schemaVersion)
      throw errorOf('sandbox-data-of-other', { path: dataFile, version, known: schemaVersion });
    database.exec(tables === 0 ? `${schema} COMMIT` : 'COMMIT');
    return database;
  } catch (cause) {
    database?.close();
    if (isDealsheetError(cause)) throw cause;
    throw errorOf('sandbox-data-unusable', { path: dataFile, folder: dirname(dataFile) }, cause);
  }
}
