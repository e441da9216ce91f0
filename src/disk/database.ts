/**
 * The one door to SQLite: the ledger, its locks and the sandbox's data file are opened here.
 * The package has the interface of `node:sqlite`, which takes its place once every supported Node has a safe SQLite.
 */
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { DealsheetError } from '../errors.ts';

/**
 * The first SQLite without the WAL-reset bug: before it, two processes that write and checkpoint at the same moment can lose
 * what was committed.
 * @see https://sqlite.org/wal.html#walresetbug
 */
const oldestEngine = '3.51.3';

export type SqlValue = string | number | bigint | null | Uint8Array;

export interface Changes {
  readonly changes: number;
  readonly lastInsertRowid: number | bigint;
}

type Connection = InstanceType<typeof DatabaseSync>;

export class Statement {
  readonly #db: Connection;
  readonly #statement: StatementSyncInstance;

  constructor(db: Connection, sql: string) {
    this.#db = db;
    this.#statement = db.prepare(sql);
  }

  raw(): this {
    this.#statement.setReturnArrays(true);
    return this;
  }

  run(values: readonly SqlValue[] = []): Changes {
    return this.#statement.run(...bindable(values));
  }

  get(values: readonly SqlValue[] = []): unknown {
    const row: unknown = this.#statement.get(...bindable(values));
    if (Array.isArray(row)) makeBuffers(row);
    return row;
  }

  all(values: readonly SqlValue[] = []): unknown[] {
    const wasWithin = this.#db.isTransaction;
    try {
      const rows: unknown[] = this.#statement.all(...bindable(values));
      for (const row of rows) if (Array.isArray(row)) makeBuffers(row);
      return rows;
    } catch (error) {
      // Where SQLite has taken back the transaction by itself, nothing more may be written for it.
      const isOver = wasWithin && !this.#db.isTransaction;
      throw (isOver ? null : this.#failureWithCode(bindable(values))) ?? error;
    }
  }

  /** The package leaves the result code out where `all` fails. `get` tells it, and of a later row once it counts them. */
  #failureWithCode(values: SqlValue[]): unknown {
    const sql = this.#statement.sourceSQL;
    for (const asked of [sql, `SELECT count(*) FROM (${sql})`]) {
      try {
        this.#db.prepare(asked).get(...values);
      } catch (error) {
        if (resultKindOf(error) > genericError) return error;
      }
    }
    return null;
  }
}

/** Asked once: it stays the same as long as the process lives. */
let version: string | undefined;

export class Database {
  readonly #db: Connection;

  /**
   * @param path  of the file, made when it is not there; `:memory:` for none
   * @throws DealsheetError `ledger-refused` when the SQLite of this installation is too old to be trusted
   */
  constructor(path: string) {
    version ??= engineVersion();
    needSafeEngine(version);
    this.#db = new DatabaseSync(path);
  }

  get isOpen(): boolean {
    return this.#db.isOpen;
  }

  get isTransaction(): boolean {
    return this.#db.isTransaction;
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  prepare(sql: string): Statement {
    return new Statement(this.#db, sql);
  }

  /**
   * The first row, without a prepared statement: until the garbage of that is collected, the file is not closed, and its log, taken
   * away or put back meanwhile, is not looked at again.
   */
  first<Row extends readonly unknown[]>(columns: string, from: string): Row | undefined {
    let row: unknown[] | undefined;
    this.#db.function('take', { varargs: true }, (...values: unknown[]) => {
      row ??= values;
      return null;
    });
    this.#db.exec(`SELECT take(${columns}) FROM ${from}`);
    if (row !== undefined) makeBuffers(row);
    return row as Row | undefined;
  }

  close(): void {
    this.#db.close();
  }
}

export function engineVersion(): string {
  const db = new DatabaseSync(':memory:');
  try {
    return (db.prepare('SELECT sqlite_version() AS version').get() as { version: string }).version;
  } finally {
    db.close();
  }
}

/** @throws DealsheetError `ledger-refused` for a version before {@link oldestEngine} */
export function needSafeEngine(version: string): void {
  if (rankOf(version) >= rankOf(oldestEngine)) return;
  throw new DealsheetError(
    'ledger-refused',
    `SQLite ${version} is in use here, which can lose what is written when two programs use a file at once. Dealsheet needs ${oldestEngine} or newer.`,
    'Install dealsheet again, so that it has the SQLite that comes with it.',
  );
}

/** `3.51.3` to 3051003, which is how SQLite counts its versions. */
function rankOf(version: string): number {
  return version.split('.').reduce((rank, part) => rank * 1000 + Number(part), 0);
}

/** SQLite's extended result code of an error, or 0 for an error that is not its own. */
export function resultCodeOf(error: unknown): number {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) return 0;
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : genericError;
}

/** The first byte of a result code is the kind of the error; the rest tells it more closely. */
const kindMask = 0xff;
const genericError = 1;
const busy = 5;
const locked = 6;

export function resultKindOf(error: unknown): number {
  return resultCodeOf(error) & kindMask;
}

export function isBusy(error: unknown): boolean {
  const kind = resultKindOf(error);
  return kind === busy || kind === locked;
}

const full = 13;

export function isFull(error: unknown): boolean {
  return resultKindOf(error) === full;
}

/** A value that a caller without types left out would stop the whole write. */
function bindable(values: readonly SqlValue[]): SqlValue[] {
  return values.map((value) => value ?? null);
}

function makeBuffers(row: unknown[]): void {
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at];
    if (value instanceof Uint8Array) row[at] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}
