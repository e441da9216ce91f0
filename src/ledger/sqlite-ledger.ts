/** The ledger in a file of SQLite. Its one rule: what can wait a moment shares a commit; what is asked for once is written at once. */
import { hostname } from 'node:os';
import type { RecordKindName } from '../contract/record-kind.ts';
import type { Database } from '../disk/database.ts';
import { DealsheetError } from '../errors.ts';
import { CommitQueue } from './commit-queue.ts';
import { type Lease, Leases } from './leases.ts';
import {
  type Appearance,
  type Candidate,
  type Intent,
  IntentRefused,
  type Ledger,
  type LogicalRow,
  type Note,
  type Outcome,
  type Place,
  type Registration,
  type Resolution,
  type RowId,
  type Run,
  type RunCounts,
  type RunDescription,
  type RunEntry,
  type RunRecord,
} from './ledger.ts';
import { backUp } from './ledger-backup.ts';
import type { LedgerDatabase } from './ledger-database.ts';
import { closedTooEarly, openingFailed } from './ledger-errors.ts';
import { digestWith } from './ledger-key.ts';
import { refuseMoved } from './moved.ts';
import { deleteRows, deleteRuns, pruning } from './pruning.ts';
import { RowReads } from './row-reads.ts';
import { noDoubtAnyMore, notUnderWay, Resolutions, RowWrites } from './row-writes.ts';
import { type BegunRun, RunRecords } from './run-records.ts';

export class SqliteLedger implements Ledger {
  readonly path: string;
  readonly files: string;
  readonly isNew: boolean;
  readonly #database: LedgerDatabase;
  readonly #now: () => Date;
  readonly #queue: CommitQueue;
  readonly #records: RunRecords;
  readonly #reads: RowReads;
  readonly #writes: RowWrites;
  readonly #resolutions: Resolutions;
  readonly #leases: Leases;
  readonly #runs = new Set<SqliteRun>();
  #isClosed = false;

  constructor(path: string, database: LedgerDatabase, now: () => Date) {
    const { db, file, isNew } = database;
    this.path = path;
    this.files = path;
    this.isNew = isNew;
    this.#database = database;
    this.#now = now;
    this.#queue = new CommitQueue(database, path);
    this.#records = new RunRecords(db);
    this.#reads = new RowReads(db);
    this.#writes = new RowWrites(db);
    this.#resolutions = new Resolutions(db);
    this.#leases = new Leases(db, file);
  }

  /** A ledger on a full disk can still be read, so that what it knows can be reported: then the writing waits for the next time. */
  settleLeftBehind(): void {
    for (const service of this.#leases.servicesOfRunningRuns()) {
      try {
        this.#write('settle-left-behind', () => this.#leases.settleLeftBehind(service, this.#time()));
      } catch (error) {
        if (!(error instanceof DealsheetError) || error.code !== 'ledger-failed') throw error;
        this.#records.tellAsStopped(this.#leases.runsLeftBehind(service));
      }
    }
  }

  digest(text: string): Buffer {
    return digestWith(this.#database.key, text);
  }

  async begin(description: RunDescription): Promise<Run> {
    return this.#hold('begin', description, () => this.#records.begin(description, hostname(), this.#time()));
  }

  async resume(id: string): Promise<Run> {
    const record = await this.run(id);
    if (record === null)
      throw new DealsheetError('usage', `There is no run ${id} in this ledger.`, 'dealsheet runs lists the runs.');
    return this.#hold('resume', record, () => this.#records.takeUp(record));
  }

  async runs(): Promise<readonly RunRecord[]> {
    return this.#read(() => this.#records.all());
  }

  async run(id: string): Promise<RunRecord | null> {
    return this.#read(() => this.#records.one(id));
  }

  async lookup(service: string, digests: readonly Buffer[]): Promise<ReadonlyMap<string, readonly Candidate[]>> {
    const found = this.#read(() => digests.map((digest) => this.#reads.candidates(service, digest)));
    const named = digests.map((digest, at) => [digest.toString('hex'), found[at] ?? []] as const);
    return new Map(named.filter(([, candidates]) => candidates.length > 0));
  }

  async lookupRows(ids: readonly RowId[]): Promise<ReadonlyMap<RowId, LogicalRow>> {
    return this.#found(ids, (id) => this.#reads.byId(id));
  }

  async lookupPlaces(places: readonly Place[]): Promise<readonly (Appearance | null)[]> {
    return this.#read(() => places.map((place) => this.#reads.at(place)));
  }

  async lookupRecords(
    service: string,
    kind: RecordKindName,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, LogicalRow>> {
    return this.#found(ids, (id) => this.#reads.withRecord(service, kind, id));
  }

  async lookupPairs(pairs: readonly (readonly [RowId, RowId])[]): Promise<readonly boolean[]> {
    return this.#read(() => pairs.map(([one, other]) => this.#reads.areTwo(one, other)));
  }

  async entries(run: string, sheet: string, after: number, limit: number): Promise<readonly RunEntry[]> {
    return this.#read(() => this.#reads.entries(run, sheet, after, limit));
  }

  async sheets(run: string): Promise<readonly string[]> {
    return this.#read(() => this.#reads.sheets(run));
  }

  async counts(run: string): Promise<RunCounts> {
    return this.#read(() => this.#reads.counts(run) as RunCounts);
  }

  async backUp(folder: string): Promise<string> {
    return this.#read(() => backUp(this.#database.db, this.path, folder));
  }

  async takeOver(run: string): Promise<never> {
    throw new DealsheetError(
      'usage',
      `The run ${run} goes on in a process of this computer.`,
      'Wait until it is done, or end that process.',
    );
  }

  async resolve(resolutions: readonly Resolution[]): Promise<void> {
    const now = this.#time();
    this.#write('resolve', () => {
      for (const resolution of resolutions) {
        if (!this.#resolutions.resolve(resolution, now)) throw noDoubtAnyMore();
      }
    });
  }

  async prune(before: string): Promise<{ readonly runs: number; readonly rows: number }> {
    return this.#write('prune', () => {
      const done = pruning.map(({ sql, ofRuns }) => {
        const { changes } = this.#database.db.prepare(sql).run(ofRuns ? [before] : []);
        return [sql, changes] as const;
      });
      const changes = new Map(done);
      return { runs: changes.get(deleteRuns) ?? 0, rows: changes.get(deleteRows) ?? 0 };
    });
  }

  async close(): Promise<void> {
    const { db, log, count } = this.#database;
    if (this.#isClosed) return;
    this.#queue.flush();
    this.#isClosed = true;
    for (const run of this.#runs) run.abandon();
    gatherInOneFile(db);
    log.close();
    count.close();
    db.close();
  }

  /** @throws DealsheetError for a file that cannot be read; see {@link openingFailed} */
  #read<Result>(read: () => Result): Result {
    this.#needOpen();
    try {
      return read();
    } catch (error) {
      throw openingFailed(error, this.path);
    }
  }

  #found<Key>(keys: readonly Key[], find: (key: Key) => LogicalRow | null): ReadonlyMap<Key, LogicalRow> {
    const found = this.#read(() => keys.map((key) => [key, find(key)] as const));
    return new Map(found.filter((one): one is readonly [Key, LogicalRow] => one[1] !== null));
  }

  /** See {@link CommitQueue.writeNow}. */
  #write<Result>(name: string, write: () => Result): Result {
    this.#needOpen();
    return this.#queue.writeNow(name, write);
  }

  #needOpen(): void {
    if (this.#isClosed) throw closedTooEarly(this.path);
  }

  /** Takes the lease of a service for a run, and writes that it is held, as one step. */
  #hold(name: string, { service, serviceUrl, person }: RunDescription, begin: () => BegunRun): Run {
    let lease: Lease | null = null;
    try {
      return this.#write(name, () => {
        refuseMoved(this.#database.db, this.path);
        lease = this.#leases.take(this.#records.serviceNumber(service), serviceUrl, this.#time());
        const begun = begin();
        this.#leases.write(lease, { run: begun.id, person, now: this.#time() });
        const run = new SqliteRun(begun, lease, {
          queue: this.#queue,
          writes: this.#writes,
          leases: this.#leases,
          records: this.#records,
          write: (what, write) => this.#write(what, write),
          now: () => this.#time(),
        });
        this.#runs.add(run);
        return run;
      });
    } catch (error) {
      (lease as Lease | null)?.lock.release();
      throw error;
    }
  }

  #time(): string {
    return this.#now().toISOString();
  }
}

/** Copies the log into the ledger, so that a copy of the one file is a whole backup. Others at work in it may prevent that. */
function gatherInOneFile(db: Database): void {
  try {
    db.exec('PRAGMA busy_timeout = 0');
    db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
  } catch {
    // The log stays beside the ledger, and whoever opens it next reads both.
  }
}

interface RunParts {
  readonly queue: CommitQueue;
  readonly writes: RowWrites;
  readonly leases: Leases;
  readonly records: RunRecords;
  readonly write: <Result>(name: string, write: () => Result) => Result;
  readonly now: () => string;
}

class SqliteRun implements Run {
  readonly id: string;
  readonly startedAt: string;
  readonly lease = null;
  readonly #begun: BegunRun;
  readonly #lease: Lease;
  readonly #parts: RunParts;
  readonly #sheetOf: (name: string) => number;
  #isEnded = false;

  constructor(begun: BegunRun, lease: Lease, parts: RunParts) {
    this.id = begun.id;
    this.startedAt = begun.startedAt;
    this.#begun = begun;
    this.#lease = lease;
    this.#parts = parts;
    this.#sheetOf = (name) => parts.records.sheetNumber(begun.run, name);
  }

  async register(rows: readonly Registration[]): Promise<readonly RowId[]> {
    this.#needRunning();
    const { write, writes } = this.#parts;
    return write('register', () => writes.register(this.#begun, this.#sheetOf, rows));
  }

  async intend(intents: readonly Intent[]): Promise<void> {
    this.#needRunning();
    const { queue, writes, leases } = this.#parts;
    const write = (): Error | null => {
      if (!leases.holds(this.#lease)) return new IntentRefused(intents);
      const refused = writes.intend(this.#sheetOf, intents);
      return refused.length === 0 ? null : new IntentRefused(refused);
    };
    await queue.add('intent', write, () => writes.takeBack(intents));
  }

  async record(outcomes: readonly (Outcome & { readonly id: RowId })[]): Promise<readonly RowId[]> {
    this.#needRunning();
    let taken: readonly RowId[] = [];
    await this.#parts.queue.add('settle', () => {
      const settled = this.#parts.writes.settle(outcomes);
      taken = settled.taken;
      return settled.strays.length === 0 ? null : notUnderWay(settled.strays);
    });
    return taken;
  }

  async note(rows: readonly Note[]): Promise<void> {
    this.#needRunning();
    await this.#parts.queue.add('record', () => {
      this.#parts.writes.note(this.#sheetOf, rows);
      return null;
    });
  }

  async end(state: 'stopped' | 'ended'): Promise<void> {
    this.#needRunning();
    this.#isEnded = true;
    const { queue, records, leases, now } = this.#parts;
    try {
      await queue.add('end', () => {
        leases.settleSending(this.#begun.run);
        records.setState(this.#begun.run, state, now());
        // Within the transaction, so that no load finds the service locked without a holder.
        this.#lease.lock.release();
        return null;
      });
    } finally {
      this.#lease.lock.release();
    }
  }

  /** Gives the lease back without a word in the ledger: the next to open it takes this run for stopped. */
  abandon(): void {
    this.#isEnded = true;
    this.#lease.lock.release();
  }

  #needRunning(): void {
    if (this.#isEnded) throw new Error(`The run ${this.id} is ended: nothing more is written for it.`);
  }
}
