/** The ledger over a database: what it is asked, in the statements that every database has. */
import type { RecordKindName } from '../contract/record-kind.ts';
import { DealsheetError } from '../errors.ts';
import { prune, resolve } from './by-hand.ts';
import type {
  Appearance,
  Candidate,
  Ledger,
  LogicalRow,
  Place,
  Resolution,
  RowId,
  Run,
  RunCounts,
  RunDescription,
  RunEntry,
  RunRecord,
} from './ledger.ts';
import { digestWith } from './ledger-key.ts';
import * as reads from './row-reads.ts';
import { allRuns, beginRun, goOn, oneRun, recordOf } from './run-records.ts';
import { SqlRun } from './sql-run.ts';
import type { BegunRun, Row, Steps, Store } from './store.ts';

export class SqlLedger implements Ledger {
  readonly path: string;
  readonly files: string;
  readonly isNew: boolean;
  readonly rowsAtOnce: number;
  readonly #store: Store;
  readonly #now: () => string;
  readonly #runs = new Set<SqlRun>();
  #isClosed = false;

  constructor(store: Store, now: () => string) {
    this.path = store.path;
    this.files = store.files;
    this.isNew = store.isNew;
    this.rowsAtOnce = store.rowsAtOnce;
    this.#store = store;
    this.#now = now;
  }

  digest(text: string): Buffer {
    return digestWith(this.#store.key, text);
  }

  begin(description: RunDescription): Promise<Run> {
    return this.#hold(description, (service) => beginRun(description, service, this.#now()));
  }

  async resume(id: string): Promise<Run> {
    const record = await this.run(id);
    if (record === null)
      throw new DealsheetError('usage', `There is no run ${id} in this ledger.`, 'dealsheet runs lists the runs.');
    return this.#hold(record, function* (service) {
      yield goOn(record.number);
      return { id, startedAt: record.startedAt, run: record.number, service };
    });
  }

  async runs(): Promise<readonly RunRecord[]> {
    return (await this.#read(allRuns)).map((row) => this.#told(row));
  }

  async run(id: string): Promise<RunRecord | null> {
    return (await this.#read(oneRun, id)).map((row) => this.#told(row))[0] ?? null;
  }

  async lookup(service: string, digests: readonly Buffer[]): Promise<ReadonlyMap<string, readonly Candidate[]>> {
    const asked = [...new Map(digests.map((digest) => [digest.toString('hex'), digest]))];
    const found = new Map<string, Candidate[]>();
    const rows = await this.#store.read(
      reads.byDigest(
        asked.map(([, digest]) => digest),
        service,
      ),
    );
    const known = new Map<unknown, LogicalRow>();
    for (const row of rows) {
      const [digest = ''] = asked[Number(row.at(-1)) - 1] ?? [];
      // Many digests are of one row, and many rows are held at once.
      const one = known.get(row[0]) ?? reads.rowOf(row);
      known.set(row[0], one);
      const candidate = { row: one, isFirst: row.at(-2) === 0 };
      found.set(digest, [...(found.get(digest) ?? []), candidate]);
    }
    return found;
  }

  async lookupRows(ids: readonly RowId[]): Promise<ReadonlyMap<RowId, LogicalRow>> {
    const rows = (await this.#store.read(reads.byId(ids))).map(reads.rowOf);
    return new Map(rows.map((row) => [row.id, row]));
  }

  async lookupPlaces(places: readonly Place[]): Promise<readonly (Appearance | null)[]> {
    const rows = await this.#store.read(reads.byPlace(places));
    const found = new Map(rows.map((row) => [row.at(-1), reads.appearanceOf(row)]));
    return places.map((_, at) => found.get(at + 1) ?? null);
  }

  async lookupRecords(
    service: string,
    kind: RecordKindName,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, LogicalRow>> {
    const rows = (await this.#store.read(reads.byRecord(ids, service, kind))).map(reads.rowOf);
    return new Map(rows.map((row) => [row.record ?? '', row]));
  }

  async lookupPairs(pairs: readonly (readonly [RowId, RowId])[]): Promise<readonly boolean[]> {
    return (await this.#store.read(reads.areTwo(pairs))).map(([areTwo]) => areTwo === 1);
  }

  async entries(run: string, sheet: string, after: number, limit: number): Promise<readonly RunEntry[]> {
    return (await this.#read(reads.entriesOfSheet, run, sheet, after, limit)).map(reads.entryOf);
  }

  async sheets(run: string): Promise<readonly string[]> {
    return (await this.#read(reads.sheetsOfRun, run)).map(([name]) => String(name));
  }

  async counts(run: string): Promise<RunCounts> {
    return Object.fromEntries((await this.#read(reads.countsOfRun, run)) as [string, number][]);
  }

  async resolve(resolutions: readonly Resolution[]): Promise<void> {
    const [now, { stillUnderWay }] = [this.#now(), this.#store];
    await this.#store.transaction(
      'resolve',
      (function* () {
        for (const resolution of resolutions) yield* resolve(resolution, now, stillUnderWay);
      })(),
    );
  }

  async newestResolution(): Promise<number> {
    const [[newest] = []] = await this.#read('SELECT max(number) FROM resolutions');
    return Number(newest ?? 0);
  }

  async prune(before: string): Promise<{ readonly runs: number; readonly rows: number }> {
    return this.#store.transaction('prune', prune(before, this.#store.keepAlone));
  }

  takeOver(run: string): Promise<number> {
    return this.#store.takeOver(run);
  }

  backUp(folder: string): Promise<string> {
    return this.#store.backUp(folder);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const run of this.#runs) await run.abandon();
    await this.#store.close();
  }

  #read(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#store.read({ sql, values });
  }

  #told(row: Row): RunRecord {
    const record = recordOf(row);
    return this.#store.leftBehind.has(record.number) ? { ...record, state: 'stopped' } : record;
  }

  async #hold(description: RunDescription, begin: (service: number) => Steps<BegunRun>): Promise<Run> {
    const run = new SqlRun(this.#store, await this.#store.hold(description, begin), this.#now);
    this.#runs.add(run);
    return run;
  }
}
