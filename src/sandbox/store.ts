/**
 * The data file of the sandbox, and every statement on it. Many requests share one commit, and a write is answered only
 * after its commit is on disk. A job reads and judges before it writes, so one that is refused leaves nothing behind.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import type { EndpointName } from '../contract/endpoints.ts';
import type { RecordKindName } from '../contract/record-kind.ts';
import { DealsheetError } from '../errors.ts';
import { folderOwnerOnly, ownerOnly } from '../file-modes.ts';
import { Problem } from './problem.ts';

/** Written into the data file; another number means that another version made it. */
const schemaVersion = 2;

/** `accepted` is the log and holds every body as it was sent; `record` holds what is known now; `link` leads to children. */
const schema = `
CREATE TABLE accepted (
  sequence INTEGER PRIMARY KEY, endpoint TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE TABLE record (
  kind TEXT NOT NULL, number INTEGER NOT NULL, search TEXT NOT NULL, at INTEGER NOT NULL, changed INTEGER NOT NULL,
  paid INTEGER NOT NULL, charged INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE UNIQUE INDEX record_by_number ON record (kind, number, search);
CREATE TABLE link (
  parent TEXT NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (parent, kind, number)
) WITHOUT ROWID;
CREATE TABLE idempotency (
  endpoint TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (endpoint, key)
) WITHOUT ROWID;
CREATE TABLE token (digest TEXT PRIMARY KEY, expires INTEGER) WITHOUT ROWID;
PRAGMA user_version = ${schemaVersion};
`;

/** One entry of the log: a record that was made or changed. */
export interface AcceptedEntry {
  /** Counts up from 1, in the order of acceptance. */
  readonly sequence: number;
  readonly endpoint: EndpointName;
  readonly id: string;
  /** Milliseconds since 1970. */
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

/** Which part of a list, the newest record first. */
interface ListWindow {
  /** Text that the record's search text must contain, whatever the case; empty for all. */
  readonly search: string;
  readonly offset: number;
  readonly limit: number;
}

export type Tables = ReturnType<typeof openTables>;

function openTables(database: Database.Database) {
  const run = (sql: string) => {
    const statement = database.prepare<unknown[]>(sql);
    return (...values: unknown[]) => void statement.run(...values);
  };
  const one = <Row>(sql: string) => {
    const statement = database.prepare<unknown[]>(sql);
    return (...values: unknown[]) => statement.get(...values) as Row | undefined;
  };
  const many = <Row>(sql: string) => {
    const statement = database.prepare<unknown[]>(sql);
    return (...values: unknown[]) => statement.all(...values) as Row[];
  };
  const select = 'SELECT number, at, changed, paid, charged, body FROM';
  const last = one<{ number: number }>('SELECT ifnull(max(number), 0) AS number FROM record WHERE kind = ?');
  const record = one<StoredRecord>(`${select} record WHERE kind = ? AND number = ?`);
  const listed = many<StoredRecord>(`${select} record WHERE kind = ? AND number <= ? ORDER BY number DESC LIMIT ?`);
  const found = many<{ number: number }>(
    'SELECT number FROM record WHERE kind = ? AND instr(search, ?) ORDER BY number DESC LIMIT ? OFFSET ?',
  );
  const children = many<StoredRecord>(
    `${select} link JOIN record USING (kind, number) WHERE parent = ? AND kind = ? ORDER BY number DESC LIMIT ?`,
  );
  const effects = one<BalanceEffect>(
    `SELECT ifnull(sum(paid), 0) AS paid, ifnull(sum(charged), 0) AS charged
     FROM link JOIN record USING (kind, number) WHERE parent = ? AND kind = ?`,
  );
  const insert = run(
    'INSERT INTO record (kind, number, search, at, changed, paid, charged, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const update = run('UPDATE record SET search = ?, changed = ?, body = ? WHERE kind = ? AND number = ?');
  const link = run('INSERT OR IGNORE INTO link (parent, kind, number) VALUES (?, ?, ?)');
  const log = run('INSERT INTO accepted (endpoint, id, at, body) VALUES (?, ?, ?, ?)');
  const accepted = many<AcceptedEntry>(
    'SELECT sequence, endpoint, id, at, body FROM accepted WHERE sequence > ? ORDER BY sequence LIMIT ?',
  );
  const answer = one<{ digest: string; answer: string }>(
    'SELECT digest, answer FROM idempotency WHERE endpoint = ? AND key = ?',
  );
  const keepAnswer = run('INSERT INTO idempotency (endpoint, key, digest, answer) VALUES (?, ?, ?, ?)');
  const token = one<{ expires: number | null }>('SELECT expires FROM token WHERE digest = ?');
  const addToken = run('INSERT OR REPLACE INTO token (digest, expires) VALUES (?, ?)');
  const removeTokens = run('DELETE FROM token');

  const count = (kind: RecordKindName) => last(kind)?.number ?? 0;
  return {
    /** How many records of a kind there are. Nothing is ever removed, so the highest number tells. */
    count,
    record: (kind: RecordKindName, number: number) => record(kind, number),

    list(kind: RecordKindName, { search, offset, limit }: ListWindow): StoredRecord[] {
      if (search === '') return listed(kind, count(kind) - offset, limit);
      return found(kind, search.toLowerCase(), limit, offset).flatMap(({ number }) => record(kind, number) ?? []);
    },

    /** The records of a kind that name a parent, the newest first. */
    children: (parent: string, kind: RecordKindName, limit: number) => children(parent, kind, limit),
    /** What all records of a kind do to the balance of their parent. */
    effects: (parent: string, kind: RecordKindName) => effects(parent, kind) ?? { paid: 0, charged: 0 },

    /** Adds a record and gives its number. The entry of the log is the caller's. */
    add(
      kind: RecordKindName,
      values: Omit<StoredRecord, 'number' | 'changed'> & { readonly search: string },
      parents: readonly string[],
    ): number {
      const number = count(kind) + 1;
      const { search, at, paid, charged, body } = values;
      insert(kind, number, search, at, at, paid, charged, body);
      for (const parent of parents) link(parent, kind, number);
      return number;
    },

    change(kind: RecordKindName, number: number, values: { search: string; at: number; body: string }): void {
      update(values.search, values.at, values.body, kind, number);
    },

    log: (endpoint: EndpointName, id: string, at: number, body: string) => log(endpoint, id, at, body),
    /** Entries of the log after a sequence, the oldest first. */
    accepted: (after: number, limit: number) => accepted(after, limit),
    answer: (endpoint: EndpointName, key: string) => answer(endpoint, key),
    keepAnswer: (endpoint: EndpointName, key: string, digest: string, text: string) =>
      keepAnswer(endpoint, key, digest, text),
    token: (digest: string) => token(digest),
    /** `expires` is in milliseconds since 1970, or `null` for a token without an end. */
    addToken: (digest: string, expires: number | null) => addToken(digest, expires),
    removeTokens: () => removeTokens(),
  };
}

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

  function flush(): void {
    const batch = queue.splice(0, largestBatch);
    if (queue.length > 0) setImmediate(flush);
    if (batch.length > 0) commitTogether(database, batch);
  }

  return {
    tables,
    write<Result>(job: (tables: Tables) => Result): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        if (!isOpen) {
          reject(new Problem('store-busy', { detail: 'The sandbox is stopping.' }));
          return;
        }
        let settle: () => void;
        const run = () => {
          settle = outcomeOf(() => job(tables), resolve, reject);
        };
        if (queue.length === 0) setImmediate(flush);
        queue.push({ run, resolve: () => settle(), reject });
      });
    },
    close(): void {
      if (!isOpen) return;
      isOpen = false;
      while (queue.length > 0) flush();
      database.close();
    },
  };
}

/** Keeps a refusal for the one who asked; anything else stops the whole batch. */
function outcomeOf<Result>(job: () => Result, resolve: (r: Result) => void, reject: (e: unknown) => void): () => void {
  try {
    const result = job();
    return () => resolve(result);
  } catch (error) {
    if (error instanceof Problem) return () => reject(error);
    throw error;
  }
}

function commitTogether(database: Database.Database, batch: readonly Waiting[]): void {
  try {
    database.exec('BEGIN IMMEDIATE');
    for (const waiting of batch) waiting.run();
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    const isBusy = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
    const detail = 'Another process is writing to the data file. Nothing was made; send the request again.';
    const reason = isBusy ? new Problem('store-busy', { detail, headers: { 'retry-after': '1' } }) : error;
    for (const waiting of batch) waiting.reject(reason);
    return;
  }
  for (const waiting of batch) waiting.resolve();
}

function openFile(dataFile: string): Database.Database {
  try {
    mkdirSync(dirname(dataFile), { recursive: true, mode: folderOwnerOnly });
    closeSync(openSync(dataFile, 'a', ownerOnly));
    const database = new Database(dataFile, { timeout: busyMilliseconds });
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

function prepareSchema(database: Database.Database, dataFile: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
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
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    database.close();
    throw error;
  }
}

/** A SQLite file of somebody else is left as it is. */
function refuseForeignTables(database: Database.Database, dataFile: string): void {
  const row = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
  if (row.tables === 0) return;
  throw new DealsheetError(
    'usage',
    `${dataFile} is a database that the sandbox did not make.`,
    'Name another file; the sandbox makes it when it is not there.',
  );
}
