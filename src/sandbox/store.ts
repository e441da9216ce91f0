/** The sandbox's data file and all its SQL. Each write is one transaction, and is answered after its commit. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EndpointName, RecordKindName } from '../contract/record-kind.ts';
import { Database, isBusy } from '../disk/database.ts';
import { folderOwnerOnly, ownerOnly } from '../disk/new-file.ts';
import { isDealsheetError } from '../errors.ts';
import { errorOf } from '../messages/text.ts';
import { Problem } from './problem.ts';

/** Stored in the data file. Another number means another version of the sandbox. */
const schemaVersion = 4;

/** `accepted` is the log and keeps every body as sent; `record` is the current state; `link` leads to children. */
const schema = `
CREATE TABLE accepted (
  sequence INTEGER PRIMARY KEY, endpoint TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE TABLE record (
  kind TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, changed INTEGER NOT NULL, cents INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE UNIQUE INDEX record_by_number ON record (kind, number);
CREATE TABLE link (
  parent TEXT NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (parent, kind, number)
) WITHOUT ROWID;
CREATE TABLE idempotency (
  endpoint TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (endpoint, key)
) WITHOUT ROWID;
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

export interface StoredRecord {
  readonly number: number;
  readonly at: number;
  readonly changed: number;
  /** What a loan adds to the debt of its deal, or a transaction pays back. */
  readonly cents: number;
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
  const insert = run('INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)');
  const link = run('INSERT OR IGNORE INTO link VALUES (?, ?, ?)');
  /** The highest number is the count, because nothing is ever removed. */
  const count = (kind: RecordKindName) => last(kind)?.number ?? 0;
  return {
    count,
    record: (kind: RecordKindName, number: number) => record(kind, number),
    list: (kind: RecordKindName, offset: number, limit: number) => listed(kind, count(kind) - offset, limit),
    /** The children of a parent, newest first. Parameters: parent, kind, limit. */
    children: many<StoredRecord>(`SELECT * FROM ${ofParent} ORDER BY number DESC LIMIT ?`),
    /** Parameters: parent, kind. */
    sum: one<{ cents: number }>(`SELECT total(cents) AS cents FROM ${ofParent}`),
    /** Adds a record and returns its number. The caller writes the log entry. */
    add(kind: RecordKindName, values: Omit<StoredRecord, 'number' | 'changed'>, parents: readonly string[]): number {
      const number = count(kind) + 1;
      const { at, cents, body } = values;
      insert(kind, number, at, at, cents, body);
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
  };
}

export type Store = ReturnType<typeof openStore>;

/** How long to wait for another process that is committing to the same file. */
const busyMilliseconds = 5000;

/**
 * Opens a data file. Creates it and its folder when missing, readable by the owner only, because records hold personal data.
 *
 * @param dataFile  a path, or `null` for memory
 * @throws DealsheetError `usage` when the file is not a data file of this version or cannot be opened
 */
export function openStore(dataFile: string | null) {
  const database = dataFile === null ? new Database(':memory:') : openFile(dataFile);
  if (dataFile === null) database.exec(schema);
  const detail = 'Another process is writing to the data file. Nothing was made; send the request again.';
  return {
    tables: openTables(database),
    /** Nothing is left of a job that throws. */
    write<Result>(job: () => Result): Result {
      try {
        database.exec('BEGIN IMMEDIATE');
        const result = job();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw isBusy(error) ? new Problem('store-busy', { detail, headers: { 'retry-after': '1' } }) : error;
      }
    },
    close: () => database.isOpen && database.close(),
  };
}

function openFile(dataFile: string): Database {
  let database: Database | null = null;
  try {
    mkdirSync(dirname(dataFile), { recursive: true, mode: folderOwnerOnly });
    closeSync(openSync(dataFile, 'a', ownerOnly));
    database = new Database(dataFile);
    database.exec(`PRAGMA busy_timeout = ${busyMilliseconds}`);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE');
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
