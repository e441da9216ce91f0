/** Opens a ledger, and implements it with the statements that both databases share. */
import { resolve as resolvePath } from 'node:path';
import { errorOf } from '../messages/text.ts';
import type { Ledger, LogicalRow, RowId, RunDescription, RunRecord } from './ledger.ts';
import { openDatabase, refuseMoved } from './ledger-database.ts';
import { digestWith } from './ledger-key.ts';
import { prune, resolve } from './manual-changes.ts';
import type { TeamPlace } from './postgres/connections.ts';
import { postgresStore } from './postgres/postgres-store.ts';
import * as reads from './row-reads.ts';
import { allRuns, beginRun, markRunning, oneRun, personHere, recordOf, runMoved } from './run-records.ts';
import { type OpenRun, openRun } from './sql-run.ts';
import { sqliteStore } from './sqlite-store.ts';
import type { BegunRun, Row, Statement, Steps, Store } from './store.ts';

export interface LedgerOptions {
  /** The clock for times that people read. No decision depends on it. */
  readonly now?: () => Date;
  /** Whether a person has accepted a ledger that is gone, or lacks its last commits. */
  readonly isMeant?: boolean;
  /** The name of the person who uses it. */
  readonly person?: string | undefined;
}

/**
 * Opens or creates the ledger in a file, with its key beside it (`<path>.key`), and stops runs whose process is gone. Keep one
 * open for many loads: SQLite frees what it holds for a closed ledger only at the next garbage collection.
 *
 * @param place  the path of the file, or the address of a team ledger, which the first call connects to
 * @throws DealsheetError `ledger-refused` when the file is damaged, not a ledger, of another version, without its key, gone while
 * its key is there, or without its last commits
 */
export function openLedger(
  place: string | TeamPlace,
  { now = () => new Date(), isMeant = false, person }: LedgerOptions = {},
): Ledger {
  const time = () => now().toISOString();
  if (typeof place !== 'string') return sqlLedger(postgresStore(place, time), time, person);
  const path = resolvePath(place);
  const database = openDatabase(path, isMeant);
  try {
    refuseMoved(database.db, path);
    return sqlLedger(sqliteStore(path, database, time), time, person);
  } catch (error) {
    database.count.close();
    database.db.close();
    throw error;
  }
}

export function sqlLedger(store: Store, now: () => string, name?: string): Ledger {
  const { path, files, rowsAtOnce } = store;
  const person = name === undefined ? personHere() : `${name} (${personHere()})`;
  const begun = new Set<OpenRun>();
  let isClosed = false;
  const read = (sql: string, ...values: readonly unknown[]) => store.read({ sql, values });
  const hold = async (description: RunDescription, begin: (service: number) => Steps<BegunRun>) => {
    const run = openRun(store, await store.hold(description, begin), now);
    begun.add(run);
    return run;
  };
  const runOf = (row: Row): RunRecord => {
    const record = recordOf(row);
    return store.leftBehind.has(record.number) ? { ...record, state: 'stopped' } : record;
  };
  const lookupRows = async (ids: readonly RowId[]) => {
    const rows = (await store.read(reads.byId(ids))).map(reads.rowOf);
    return new Map(rows.map((row) => [row.id, row]));
  };
  /** What was found for each question, whose number is in the last column. */
  const inOrder = async <Found>(asked: readonly unknown[], about: Statement, readOne: (row: Row) => Found) => {
    const found = new Map((await store.read(about)).map((row) => [row.at(-1), readOne(row)]));
    return asked.map((_, at) => found.get(at + 1) ?? null);
  };
  const runNamed = async (id: string) => (await read(oneRun, id)).map(runOf)[0] ?? null;
  return {
    path,
    person,
    files,
    rowsAtOnce,
    digest: (text) => digestWith(store.key, text),
    begin: (description) => hold(description, (service) => beginRun(description, service, now())),
    async resume(id) {
      const record = await runNamed(id);
      if (record === null) throw errorOf('run-not-found', { run: id, ledger: path });
      return hold({ ...record, person }, function* (service) {
        yield markRunning(record.number);
        return { id, run: record.number, service };
      });
    },
    runs: async () => (await read(allRuns)).map(runOf),
    run: runNamed,
    moved: (run, places) => store.transaction('moved', () => runMoved(run, places)),
    async lookup(service, digests) {
      const asked = [...new Set(digests)];
      const found = new Map<string, LogicalRow[]>();
      const named = await store.read(reads.byDigest(asked, service));
      // Many digests belong to one row, which is read once.
      const rows = await lookupRows([...new Set(named.map(([id]) => Number(id)))]);
      for (const [id, ordinal, nr] of named) {
        const [digest = '', row] = [asked[Number(nr) - 1], rows.get(Number(id))];
        if (row === undefined) continue;
        const withDigest = found.get(digest) ?? [];
        withDigest.push({ ...row, isFirst: ordinal === 0 });
        found.set(digest, withDigest);
      }
      return found;
    },
    lookupRows,
    lookupPlaces: (places) => inOrder(places, reads.byPlace(places), reads.appearanceOf),
    lookupBeside: (steps) => inOrder(steps, reads.besideRows(steps), reads.rowOf),
    lookupRecords: (service, records) => inOrder(records, reads.byRecord(records, service), reads.rowOf),
    entries: async (run, sheet, after, limit) =>
      (await read(reads.entriesOfSheet, run, sheet, after, limit)).map(reads.entryOf),
    sheets: async (run) => (await read(reads.sheetsOfRun, run)).map(([name]) => String(name)),
    counts: async (run) => reads.countsIn((await read(reads.countsOfRun, run))[0] ?? []),
    async resolve(resolutions) {
      const at = now();
      const steps = function* () {
        for (const resolution of resolutions) yield* resolve(resolution, at, store.stillUnderWay);
      };
      await store.transaction('resolve', steps);
    },
    newestResolution: async () => Number((await read('SELECT max(number) FROM resolutions'))[0]?.[0] ?? 0),
    resolutionsOf: async (run) => (await read(reads.resolutionsOfRun, run)).map(reads.answeredOf),
    prune: (before) => store.transaction('prune', () => prune(before)),
    takeOver: (run) => store.takeOver(run),
    backUp: (folder) => store.backUp(folder),
    async close() {
      if (isClosed) return;
      isClosed = true;
      for (const run of begun) await run.abandon();
      await store.close();
    },
  };
}
