/**
 * The ledger in an SQLite file. Its one rule: a write resolves only once its commit is on the disk, and after a failed write of a
 * load, nothing more is written.
 */
import type { KeyObject } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Database, Statement as Prepared, SqlValue } from '../disk/database.ts';
import { FileLock } from '../disk/locked-file.ts';
import type { DealsheetError } from '../errors.ts';
import { errorOf } from '../messages/text.ts';
import { killPoint } from './kill-points.ts';
import type { RunDescription } from './ledger.ts';
import { backUp, type LedgerDatabase, refuseMoved } from './ledger-database.ts';
import { isDatabaseError, openingFailed, writingFailed } from './ledger-errors.ts';
import { runningIn, serviceNumber, servicesOfRunning, stopLeftBehind } from './run-records.ts';
import type { Asked, BegunRun, Holding, Read, Row, Statement, Steps, Store } from './store.ts';

export class SqliteStore implements Store {
  readonly path: string;
  readonly files: string;
  readonly key: KeyObject;
  readonly stillUnderWay = null;
  readonly rowsAtOnce = 64;
  readonly leftBehind = new Set<number>();
  readonly #database: LedgerDatabase;
  readonly #db: Database;
  readonly #now: () => string;
  readonly #prepared = new Map<string, Prepared>();
  #failure: DealsheetError | null = null;
  #isClosed = false;

  constructor(path: string, database: LedgerDatabase, now: () => string) {
    this.path = path;
    this.files = path;
    this.key = database.key;
    this.#database = database;
    this.#db = database.db;
    this.#now = now;
  }

  /** Stops the runs whose process is gone. On a full disk, where the ledger can still be read, the write is left to the next opening. */
  settleLeftBehind(): void {
    for (const [number] of this.#ask({ sql: servicesOfRunning })) {
      const service = Number(number);
      try {
        const settle = () => this.#askAll(stopLeftBehind(service, this.#now()));
        this.#committed(['settle-left-behind'], () => this.#whileFree(service, settle));
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        this.#whileFree(service, () => {
          for (const [run] of this.#ask(runningIn(service))) this.leftBehind.add(Number(run));
        });
      }
    }
  }

  /** @throws DealsheetError as {@link openingFailed} */
  async read(statement: Statement): Promise<readonly Row[]> {
    this.#needOpen();
    try {
      return this.#ask(statement);
    } catch (error) {
      throw openingFailed(error, this.path);
    }
  }

  async transaction<Result>(name: string, steps: () => Steps<Result>): Promise<Result> {
    return this.#kept([name], () => this.#go(steps()), 'other');
  }

  async write(names: readonly string[], statements: readonly Statement[]): Promise<Read> {
    return this.#kept(names, () => new Map(statements.map((one) => [one, this.#ask(one)])), 'load');
  }

  /** In one transaction: locks the service, stops runs that an earlier load left behind, and begins the run. */
  async hold(
    { service: name, serviceUrl, person }: RunDescription,
    beginRun: (service: number) => Steps<BegunRun>,
  ): Promise<Holding> {
    let lock: FileLock | null = null;
    try {
      const begin = () => {
        refuseMoved(this.#db, this.path);
        const service = this.#go(serviceNumber(name));
        lock = this.#lock(service);
        if (lock === null) throw this.#inUse(service, serviceUrl);
        this.#askAll(stopLeftBehind(service, this.#now()));
        const begun = this.#go(beginRun(service));
        this.leftBehind.delete(begun.run);
        const [[fence] = []] = this.#ask({
          sql: `INSERT INTO leases (service, process, host, person, run, since, fence) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1)
            ON CONFLICT (service) DO UPDATE SET process = excluded.process, host = excluded.host, person = excluded.person,
              run = excluded.run, since = excluded.since, fence = leases.fence + 1 RETURNING fence`,
          values: [service, process.pid, hostname(), person, begun.id, this.#now()],
        });
        return this.#holding(begun, Number(fence), lock);
      };
      return await this.#kept(['begin'], begin, 'other');
    } catch (error) {
      (lock as FileLock | null)?.release();
      throw error;
    }
  }

  async takeOver(run: string): Promise<never> {
    throw errorOf('run-on-this-computer', { run });
  }

  async backUp(folder: string): Promise<string> {
    this.#needOpen();
    return backUp(this.#db, this.path, folder);
  }

  async close(): Promise<void> {
    const { db, count } = this.#database;
    this.#isClosed = true;
    gatherInOneFile(db);
    count.close();
    db.close();
  }

  #holding(begun: BegunRun, fence: number, lock: FileLock): Holding {
    const giveBack = async (last: readonly Statement[] | null) => {
      try {
        // Released inside the transaction, so that no load finds the service locked without a holder.
        const end = () => {
          this.#askAll(last ?? []);
          lock.release();
        };
        if (last !== null) await this.#kept(['end'], end, 'load');
      } finally {
        lock.release();
      }
    };
    return { begun, fence, lease: null, lose: () => {}, giveBack };
  }

  #whileFree(service: number, work: () => void): void {
    const lock = this.#lock(service);
    if (lock === null) return;
    try {
      work();
    } finally {
      lock.release();
    }
  }

  /** Named after the path with symbolic links resolved, else two names of the file would have two locks. */
  #lock(service: number): FileLock | null {
    return FileLock.take(`${this.#database.file}.lock-${service}`);
  }

  #inUse(number: number, service: string): DealsheetError {
    const sql = 'SELECT process, host, person, run FROM leases WHERE service = ?1';
    const [holder = []] = this.#ask({ sql, values: [number] });
    const [id = '', at = '', person = '', run = ''] = holder.map(String);
    const isUnknown = holder.length === 0;
    const host = isUnknown || at === hostname() ? null : at;
    const isOwn = host === null && id === String(process.pid);
    const isNear = !isUnknown && host === null && !isOwn;
    return errorOf('ledger-in-use', { service, host, person, process: id, run, isOwn, isNear, isUnknown });
  }

  /** @param of  what writes. After a failed write of a load, nothing more is written */
  async #kept<Result>(names: readonly string[], work: () => Result, of: 'load' | 'other'): Promise<Result> {
    this.#needOpen();
    if (this.#failure !== null) throw this.#failure;
    try {
      return this.#committed(names, work);
    } catch (error) {
      if (of === 'other') throw isDatabaseError(error) ? writingFailed(error, this.path, false) : error;
      this.#failure = writingFailed(error, this.path, true);
      throw this.#failure;
    }
  }

  /** Returns once the disk has the commit. A log that somebody has removed is lost with this process, and what it holds. */
  #committed<Result>(names: readonly string[], work: () => Result): Result {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      const result = work();
      const count = this.#database.count.add();
      passBy(names, 'before-commit');
      this.#db.exec('COMMIT');
      statSync(`${this.#database.file}-wal`);
      this.#database.count.note(count);
      passBy(names, 'after-commit');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** SQLite rolls back by itself after some failures, and cannot after others. */
  #rollBack(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The first failure is the one to report. The next process to open the ledger rolls back the rest.
    }
  }

  #go<Result>(steps: Steps<Result>): Result {
    let step = steps.next();
    while (!step.done) step = steps.next(this.#askAll([step.value].flat()));
    return step.value;
  }

  #askAll(statements: readonly Statement[]): readonly Row[] {
    return statements.map((one) => this.#ask(one))[0] ?? [];
  }

  #ask({ sql, values = [], q }: Statement): readonly Row[] {
    if (q?.rows.length === 0 || (q !== undefined && sql.endsWith(forUpdate)) || sql.startsWith('LOCK')) return [];
    const known = this.#prepared.get(sql);
    const prepared = known ?? this.#db.prepare(q === undefined ? sql.replace(forUpdate, '') : aboutRows(q, sql)).raw();
    if (known === undefined) this.#prepared.set(sql, prepared);
    const bound = q === undefined ? values : [JSON.stringify(q.rows), ...values];
    return prepared.all(bound as readonly SqlValue[]) as Row[];
  }

  #needOpen(): void {
    if (this.#isClosed) throw errorOf('ledger-closed', { path: this.path });
  }
}

/** Not needed: a transaction locks the whole file. */
const forUpdate = ' FOR UPDATE';

/** The rows are passed as one JSON text: with one placeholder per value, SQLite takes seconds to prepare thousands of rows. */
function aboutRows({ columns }: Asked, sql: string): string {
  const names = columns.map(([name]) => name).join(', ');
  const read = columns
    .map(([, type], at) => (type === 'blob' ? `unhex(value ->> ${at})` : `value ->> ${at}`))
    .join(', ');
  const behind = sql.replace(/\?(\d+)/g, (_, number) => `?${Number(number) + 1}`);
  return `WITH q (nr, ${names}) AS MATERIALIZED (SELECT key + 1, ${read} FROM jsonb_each(?1)) ${behind}`;
}

function passBy(names: readonly string[], place: 'before-commit' | 'after-commit'): void {
  for (const name of names) killPoint(`${name}-${place}`);
}

/** Copies the log into the ledger file, so that a copy of that one file is complete. Fails while others use the ledger. */
function gatherInOneFile(db: Database): void {
  try {
    db.exec('PRAGMA busy_timeout = 0');
    db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
  } catch {
    // The log stays beside the ledger, and the next opening reads both.
  }
}
