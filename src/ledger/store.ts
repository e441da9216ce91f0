/**
 * What a ledger asks of the database that keeps it. Its one rule: a statement has one text in SQLite and in PostgreSQL. What these two
 * say differently is known to their stores alone.
 */
import type { KeyObject } from 'node:crypto';
import type { Ledger, RowId, RunDescription, RunLease } from './ledger.ts';

export type Row = readonly unknown[];
export type ColumnType = 'int' | 'text' | 'blob';

export interface Statement {
  /**
   * With `?1` for the first value. One about many rows finds them in the table `q`, which stands in front of it: it begins with its
   * verb, or with a comma and tables of its own. Where a transaction has the database to itself,
   * one about many rows that ends with `FOR UPDATE` need not be asked.
   */
  readonly sql: string;
  readonly values?: readonly unknown[];
  readonly q?: Asked;
}

/** The rows that a statement is about, bytes in hexadecimal. In `q` each has its number besides, `nr`, from 1. */
export interface Asked {
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  readonly rows: readonly Row[];
}

/** @param columns  the type and the value of each, by its name within the statement */
export function aboutMany<Item>(
  sql: string,
  columns: Readonly<Record<string, readonly [type: ColumnType, read: (item: Item) => unknown]>>,
): (items: readonly Item[], ...values: readonly unknown[]) => Statement {
  const all = Object.entries(columns);
  const typed = all.map(([name, [type]]) => [name, type] as const);
  const rowOf = (item: Item) => all.map(([, [, read]]) => read(item));
  return (items, ...values) => ({ sql, values, q: { columns: typed, rows: items.map(rowOf) } });
}

/** What one transaction does, step by step, each with what the one before has read; of several at once, what the first has. */
export type Steps<Result> = Generator<Statement | readonly Statement[], Result, readonly Row[]>;

export interface BegunRun {
  readonly id: string;
  readonly startedAt: string;
  readonly run: number;
  readonly service: number;
}

export type Read = ReadonlyMap<Statement, readonly Row[]>;

/** The right to load into a service, with the run that has it. */
export interface Holding {
  readonly begun: BegunRun;
  /** Grows with each load into the service: an owner of an older one can intend nothing more. */
  readonly fence: number;
  readonly lease: RunLease | null;
  /** To be told when another load has the service by now, or what came of rows could not be written. */
  lose(why: string): void;
  /** Lets the next load in, once the last steps of the run are kept. Without any, whoever opens the ledger next takes it for stopped. */
  giveBack(last: readonly Statement[] | null): Promise<void>;
}

export interface Store {
  readonly path: string;
  readonly files: string;
  readonly isNew: boolean;
  readonly key: KeyObject;
  /** Runs of processes that are gone, of which that could not be written. */
  readonly leftBehind: ReadonlySet<number>;
  /** Keeps other writers out until the end of the transaction, where it does not do so by itself. */
  readonly keepAlone: Statement | null;
  /** Reads for how many seconds the request of a row may still arrive whose load was cut off, where that load may be elsewhere. */
  readonly stillUnderWay: ((row: number) => Statement) | null;

  read(statement: Statement): Promise<readonly Row[]>;
  transaction<Result>(name: string, steps: Steps<Result>): Promise<Result>;
  /**
   * Writes for a load: all of these or none, in their order. Gives what they have read once they are kept.
   * @param names  of its stopping points
   * @param undo  what is to be written where the disk may not have kept it
   */
  write(
    names: readonly string[],
    statements: readonly Statement[],
    undo?: (read: Read) => readonly Statement[],
  ): Promise<Read>;
  /** See {@link Ledger.rowsAtOnce}. */
  readonly rowsAtOnce: number;
  readonly writesAtOnce: number;
  newRowIds(count: number): Promise<readonly RowId[]>;
  /** @throws DealsheetError `ledger-refused` when a load into the service goes on */
  hold(description: RunDescription, begin: (service: number) => Steps<BegunRun>): Promise<Holding>;
  takeOver(run: string): Promise<number>;
  backUp(folder: string): Promise<string>;
  close(): Promise<void>;
}
