/**
 * The interface between the ledger and its database. Its one rule: each statement has one text for SQLite and PostgreSQL; only the
 * stores know where the two differ.
 */
import type { KeyObject } from 'node:crypto';
import type { Ledger, RunDescription, RunLease } from './ledger.ts';

export type Row = readonly unknown[];
export type ColumnType = 'int' | 'text' | 'blob';

export interface Statement {
  /**
   * The first value is `?1`. The rows of `q` are in a table `q` that the store puts in front, so such a statement starts with its verb, or
   * with a comma and further CTEs. SQLite locks the whole file, so its store skips a `LOCK`, and a `q` statement that ends with
   * `FOR UPDATE`.
   */
  readonly sql: string;
  readonly values?: readonly unknown[];
  readonly q?: Asked;
}

/** The rows of a statement, with blobs in hexadecimal. The table `q` has one more column, `nr`: the row number, from 1. */
export interface Asked {
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  readonly rows: readonly Row[];
}

/** @param columns  the type and the reader of each column, by its name in the statement */
export function aboutMany<Item>(
  sql: string,
  columns: Readonly<Record<string, readonly [type: ColumnType, read: (item: Item) => unknown]>>,
): (items: readonly Item[], ...values: readonly unknown[]) => Statement {
  const all = Object.entries(columns);
  const typed = all.map(([name, [type]]) => [name, type] as const);
  const readers = all.map(([, [, read]]) => read);
  const rowOf = (item: Item) => readers.map((read) => read(item));
  return (items, ...values) => ({ sql, values, q: { columns: typed, rows: items.map(rowOf) } });
}

/** The steps of one transaction. Each receives the rows of the one before; of a list of statements, those of the first. */
export type Steps<Result> = Generator<Statement | readonly Statement[], Result, readonly Row[]>;

export interface BegunRun {
  readonly id: string;
  readonly run: number;
  readonly service: number;
}

/** The lease of a service and the run that holds it. */
export interface Holding {
  readonly begun: BegunRun;
  /** Grows with each load into the service. A load with an older fence can write no more intents. */
  readonly fence: number;
  readonly lease: RunLease | null;
  /** Marks the lease as lost: another load has taken the service over, or an outcome could not be written. */
  lose(reason: LeaseLoss): void;
  /**
   * Releases the lease once these last statements are durable. With `null` the run is not ended: the next opening of the ledger stops it.
   */
  giveBack(last: readonly Statement[] | null): Promise<void>;
}

export type LeaseLoss = 'lease-taken-over' | 'lease-without-outcomes';

export interface Store extends Pick<Ledger, 'path' | 'files' | 'rowsAtOnce' | 'takeOver' | 'backUp' | 'close'> {
  readonly key: KeyObject;
  /** Runs whose process is gone, but that could not be marked as stopped in the database. */
  readonly leftBehind: ReadonlySet<number>;
  /** Reads for how many more seconds the request of a row may arrive after its load was cut off; `null` where all loads are local. */
  readonly stillUnderWay: ((row: number) => Statement) | null;

  read(statement: Statement): Promise<readonly Row[]>;
  transaction<Result>(name: string, steps: () => Steps<Result>): Promise<Result>;
  /**
   * Writes for a load, in order, all or nothing. Resolves with the rows read once the writes are durable.
   * @param names  of its stopping points
   */
  write(names: readonly string[], statements: readonly Statement[]): Promise<ReadonlyMap<Statement, readonly Row[]>>;
  /** @throws DealsheetError `ledger-refused` while another load into the service is running */
  hold(description: RunDescription, begin: (service: number) => Steps<BegunRun>): Promise<Holding>;
}
