/**
 * The ledger in an SQLite file. Its one rule: a write resolves only once its commit is on the disk, and after a failed write of a
 * load, nothing more is written.
 */
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Database, Statement as Prepared, SqlValue } from '../disk/database.ts';
import { type FileLock, takeLock } from '../disk/locked-file.ts';
import type { DealsheetError } from '../errors.ts';
import { errorOf } from '../messages/text.ts';
import { killPoint } from './kill-points.ts';
import { backUp, type LedgerDatabase, refuseMoved } from './ledger-database.ts';
import { isDatabaseError, openingFailed, writingFailed } from './ledger-errors.ts';
import { runningIn, serviceNumber, servicesOfRunning, stopLeftBehind } from './run-records.ts';
import type { Asked, BegunRun, Holding, Row, Statement, Steps, Store } from './store.ts';

export function sqliteStore(path: string, { db, file, count, key }: LedgerDatabase, now: () => string): Store {
  const leftBehind = new Set<number>();
  const prepared = new Map<string, Prepared>();
  let failure: DealsheetError | null = null;
  let isClosed = false;

  const needOpen = () => {
    if (isClosed) throw errorOf('ledger-closed', { path });
  };

  const ask = ({ sql, values = [], q }: Statement): readonly Row[] => {
    if (q?.rows.length === 0 || (q !== undefined && sql.endsWith(forUpdate)) || sql.startsWith('LOCK')) return [];
    const known = prepared.get(sql);
    const statement = known ?? db.prepare(q === undefined ? sql.replace(forUpdate, '') : aboutRows(q, sql)).raw();
    if (known === undefined) prepared.set(sql, statement);
    const bound = q === undefined ? values : [JSON.stringify(q.rows), ...values];
    return statement.all(bound as readonly SqlValue[]) as Row[];
  };

  const askAll = (statements: readonly Statement[]): readonly Row[] => statements.map(ask)[0] ?? [];

  const go = <Result>(steps: Steps<Result>): Result => {
    let step = steps.next();
    while (!step.done) step = steps.next(askAll([step.value].flat()));
    return step.value;
  };

  /** Returns once the disk has the commit. A log that somebody has removed is lost with this process, and what it holds. */
  const committed = <Result>(names: readonly string[], work: () => Result): Result => {
    try {
      db.exec('BEGIN IMMEDIATE');
      const result = work();
      const commits = count.add();
      passBy(names, 'before-commit');
      db.exec('COMMIT');
      statSync(`${file}-wal`);
      count.note(commits);
      passBy(names, 'after-commit');
      return result;
    } catch (error) {
      rollBack(db);
      throw error;
    }
  };

  /** Commits, unless an earlier write of a load has failed. @param of  what writes */
  const guarded = <Result>(names: readonly string[], of: 'load' | 'other', work: () => Result): Result => {
    needOpen();
    if (failure !== null) throw failure;
    try {
      return committed(names, work);
    } catch (error) {
      if (of === 'other') throw isDatabaseError(error) ? writingFailed(error, path, false) : error;
      failure = writingFailed(error, path, true);
      throw failure;
    }
  };

  /** Named after the path with symbolic links resolved, else two names of the file would have two locks. */
  const lockOf = (service: number) => takeLock(`${file}.lock-${service}`);

  const whileFree = (service: number, work: () => void) => {
    const lock = lockOf(service);
    try {
      if (lock !== null) work();
    } finally {
      lock?.release();
    }
  };

  const inUse = (number: number, service: string): DealsheetError => {
    const sql = 'SELECT process, host, person, run FROM leases WHERE service = ?1';
    const [holder = []] = ask({ sql, values: [number] });
    const [id = '', at = '', person = '', run = ''] = holder.map(String);
    const isUnknown = holder.length === 0;
    const host = isUnknown || at === hostname() ? null : at;
    const isOwn = host === null && id === String(process.pid);
    const isNear = !isUnknown && host === null && !isOwn;
    return errorOf('ledger-in-use', { service, host, person, process: id, run, isOwn, isNear, isUnknown });
  };

  const holding = (begun: BegunRun, fence: number, lock: FileLock): Holding => ({
    begun,
    fence,
    lease: null,
    lose: () => {},
    async giveBack(last) {
      try {
        // Released inside the transaction, so that no load finds the service locked without a holder.
        const end = () => {
          askAll(last ?? []);
          lock.release();
        };
        if (last !== null) guarded(['end'], 'load', end);
      } finally {
        lock.release();
      }
    },
  });

  // Runs whose process is gone are stopped. On a full disk, where the ledger can still be read, the write is left to the next opening.
  for (const [number] of ask({ sql: servicesOfRunning })) {
    const service = Number(number);
    try {
      committed(['settle-left-behind'], () => whileFree(service, () => askAll(stopLeftBehind(service, now()))));
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      whileFree(service, () => {
        for (const [run] of ask(runningIn(service))) leftBehind.add(Number(run));
      });
    }
  }

  return {
    path,
    files: path,
    key,
    stillUnderWay: null,
    rowsAtOnce: 64,
    leftBehind,

    async read(statement) {
      needOpen();
      try {
        return ask(statement);
      } catch (error) {
        throw openingFailed(error, path);
      }
    },

    transaction: async (name, steps) => guarded([name], 'other', () => go(steps())),
    write: async (names, statements) => guarded(names, 'load', () => new Map(statements.map((one) => [one, ask(one)]))),

    /** In one transaction: locks the service, stops runs that an earlier load left behind, and begins the run. */
    async hold({ service: name, serviceUrl, person }, beginRun) {
      let lock: FileLock | null = null;
      const begin = () => {
        refuseMoved(db, path);
        const service = go(serviceNumber(name));
        lock = lockOf(service);
        if (lock === null) throw inUse(service, serviceUrl);
        askAll(stopLeftBehind(service, now()));
        const begun = go(beginRun(service));
        leftBehind.delete(begun.run);
        const [[fence] = []] = ask({
          sql: `INSERT INTO leases (service, process, host, person, run, since, fence) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1)
            ON CONFLICT (service) DO UPDATE SET process = excluded.process, host = excluded.host, person = excluded.person,
              run = excluded.run, since = excluded.since, fence = leases.fence + 1 RETURNING fence`,
          values: [service, process.pid, hostname(), person, begun.id, now()],
        });
        return holding(begun, Number(fence), lock);
      };
      try {
        return guarded(['begin'], 'other', begin);
      } catch (error) {
        (lock as FileLock | null)?.release();
        throw error;
      }
    },

    async takeOver(run) {
      throw errorOf('run-on-this-computer', { run });
    },

    async backUp(folder) {
      needOpen();
      return backUp(db, path, folder);
    },

    async close() {
      isClosed = true;
      gatherInOneFile(db);
      count.close();
      db.close();
    },
  };
}

/** SQLite rolls back by itself after some failures, and cannot after others. */
function rollBack(db: Database): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
  } catch {
    // The first failure is the one to report. The next process to open the ledger rolls back the rest.
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
