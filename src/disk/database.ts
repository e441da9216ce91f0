/**
 * The one door to SQLite: the ledger, its locks, staging and the sandbox's data file are opened here. The package has the
 * interface of `node:sqlite`, which replaces it once every supported Node has a safe SQLite: before 3.51.3, two processes that write and
 * checkpoint at the same moment can lose commits (https://sqlite.org/wal.html#walresetbug).
 */
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';

export type SqlValue = string | number | bigint | null | Uint8Array;

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

  run(values: readonly SqlValue[] = []): void {
    this.#statement.run(...bindable(values));
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
      // If SQLite has rolled back the transaction by itself, nothing more may be run for it.
      const isOver = wasWithin && !this.#db.isTransaction;
      throw (isOver ? null : this.#failureWithCode(bindable(values))) ?? error;
    }
  }

  /** The package omits the result code when `all` fails. `get` has it, and counting the rows finds an error in a later one. */
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

export class Database {
  readonly #db: Connection;

  /** @param path  of the file, created if missing; `:memory:` for none */
  constructor(path: string) {
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
   * Reads the first row without a prepared statement. SQLite closes the file only once a prepared statement is garbage-collected,
   * and until then it does not notice that its log was removed or restored.
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

/** The extended result code of an SQLite error, or 0 for any other error. */
export function resultCodeOf(error: unknown): number {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) return 0;
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : genericError;
}

/** The low byte of a result code is the primary code; the rest is detail. */
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

/** `undefined`, from a caller without types, would fail the whole write. */
function bindable(values: readonly SqlValue[]): SqlValue[] {
  return values.map((value) => value ?? null);
}

function makeBuffers(row: unknown[]): void {
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at];
    if (value instanceof Uint8Array) row[at] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}
