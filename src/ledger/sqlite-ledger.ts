/** The ledger in a file of SQLite. Its one rule: what can wait a moment shares a commit; what is asked for once is written at once. */
import { createHmac } from 'node:crypto';
import { hostname } from 'node:os';
import type { RecordKindName } from '../contract/record-kind.ts';
import { DealsheetError } from '../errors.ts';
import { Catalogue, type RunNumbers } from './catalogue.ts';
import { CommitQueue } from './commit-queue.ts';
import { IntentRefused } from './intent-refused.ts';
import { type Lease, Leases } from './leases.ts';
import type {
  Appearance,
  Candidate,
  Intent,
  Ledger,
  LogicalRow,
  Note,
  Outcome,
  Place,
  Registration,
  Resolution,
  RowId,
  Run,
  RunCounts,
  RunDescription,
  RunEntry,
  RunRecord,
} from './ledger.ts';
import { LedgerAccess } from './ledger-access.ts';
import { backUp } from './ledger-backup.ts';
import type { LedgerDatabase } from './ledger-database.ts';
import { Pruning } from './pruning.ts';
import { RowReads } from './row-reads.ts';
import { Resolutions, RowWrites } from './row-writes.ts';
import { RunRecords } from './run-records.ts';

/** HMAC-SHA-256 may be cut to its half; that keeps the index of digests small. */
const digestBytes = 16;

export class SqliteLedger implements Ledger {
  readonly path: string;
  readonly isNew: boolean;
  readonly #database: LedgerDatabase;
  readonly #now: () => Date;
  readonly #catalogue: Catalogue;
  readonly #queue: CommitQueue;
  readonly #access: LedgerAccess;
  readonly #records: RunRecords;
  readonly #reads: RowReads;
  readonly #writes: RowWrites;
  readonly #resolutions: Resolutions;
  readonly #leases: Leases;
  readonly #pruning: Pruning;
  readonly #runs = new Set<SqliteRun>();

  constructor(path: string, database: LedgerDatabase, now: () => Date) {
    const { db, file, log, count, isNew } = database;
    this.path = path;
    this.isNew = isNew;
    this.#database = database;
    this.#now = now;
    this.#catalogue = new Catalogue(db);
    this.#queue = new CommitQueue(db, log, count, path, () => this.#catalogue.forget());
    this.#access = new LedgerAccess({ path, db, log, count, queue: this.#queue, catalogue: this.#catalogue });
    this.#records = new RunRecords(db, this.#catalogue);
    this.#reads = new RowReads(db);
    this.#writes = new RowWrites(db);
    this.#resolutions = new Resolutions(db);
    this.#leases = new Leases(db, file);
    this.#pruning = new Pruning(db);
  }

  /** A ledger on a full disk can still be read, so that what it knows can be reported: then the writing waits for the next time. */
  settleLeftBehind(): void {
    for (const service of this.#leases.servicesOfRunningRuns()) {
      try {
        this.#access.write('settle-left-behind', () => this.#leases.settleLeftBehind(service, this.#time()));
      } catch (error) {
        if (!(error instanceof DealsheetError) || error.code !== 'ledger-failed') throw error;
        this.#records.tellAsStopped(this.#leases.runsLeftBehind(service));
      }
    }
  }

  digest(text: string): Buffer {
    return createHmac('sha256', this.#database.key).update(text).digest().subarray(0, digestBytes);
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
    return this.#access.read(() => this.#records.all());
  }

  async run(id: string): Promise<RunRecord | null> {
    return this.#access.read(() => this.#records.one(id));
  }

  async lookup(service: string, digests: readonly Buffer[]): Promise<ReadonlyMap<string, readonly Candidate[]>> {
    return this.#access.readOf(service, new Map(), (number) => {
      const found = digests.map((digest) => [digest.toString('hex'), this.#reads.candidates(number, digest)] as const);
      return new Map(found.filter(([, candidates]) => candidates.length > 0));
    });
  }

  async lookupRows(ids: readonly RowId[]): Promise<ReadonlyMap<RowId, LogicalRow>> {
    return this.#access.read(() => {
      const found = ids.map((id) => this.#reads.byId(id));
      return new Map(found.flatMap((row) => (row === null ? [] : [[row.id, row] as const])));
    });
  }

  async lookupFields(ids: readonly RowId[]): Promise<ReadonlyMap<RowId, Buffer>> {
    return this.#access.read(() => {
      const found = ids.map((id) => [id, this.#reads.fieldsOf(id)] as const);
      return new Map(found.filter((one): one is [RowId, Buffer] => one[1] !== null));
    });
  }

  async lookupPlaces(places: readonly Place[]): Promise<readonly (Appearance | null)[]> {
    return this.#access.read(() => places.map((place) => this.#reads.at(place)));
  }

  async lookupRecords(
    service: string,
    kind: RecordKindName,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, LogicalRow>> {
    return this.#access.readOf(service, new Map(), (number) => {
      const found = ids.map((id) => [id, this.#reads.withRecord(number, kind, id)] as const);
      return new Map(found.filter((one): one is [string, LogicalRow] => one[1] !== null));
    });
  }

  async lookupPairs(pairs: readonly (readonly [RowId, RowId])[]): Promise<readonly boolean[]> {
    return this.#access.read(() => pairs.map(([one, other]) => this.#reads.areTwo(one, other)));
  }

  async entries(run: string, sheet: string, after: number, limit: number): Promise<readonly RunEntry[]> {
    return this.#access.read(() => {
      const number = this.#catalogue.sheetOf(run, sheet);
      return number === null ? [] : this.#reads.entries(number, sheet, after, limit);
    });
  }

  async sheets(run: string): Promise<readonly string[]> {
    return this.#access.read(() => this.#reads.sheets(this.#catalogue.run(run)?.run ?? 0));
  }

  async counts(run: string): Promise<RunCounts> {
    return this.#access.read(() => this.#reads.counts(this.#catalogue.run(run)?.run ?? 0) as RunCounts);
  }

  async backUp(folder: string): Promise<string> {
    return this.#access.read(() => backUp(this.#database.db, this.path, folder));
  }

  async resolve(resolutions: readonly Resolution[]): Promise<void> {
    const now = this.#time();
    this.#access.write('resolve', () => {
      for (const resolution of resolutions) {
        if (!this.#resolutions.resolve(resolution, now))
          throw new DealsheetError(
            'usage',
            'The row is not in doubt any more.',
            'dealsheet runs RUN lists the rows in doubt.',
          );
      }
    });
  }

  async prune(before: string): Promise<{ readonly runs: number; readonly rows: number }> {
    const pruned = this.#access.write('prune', () => this.#pruning.prune(before));
    this.#catalogue.forget();
    return pruned;
  }

  async close(): Promise<void> {
    this.#access.close(() => {
      for (const run of this.#runs) run.abandon();
    });
  }

  /** Takes the lease of a service for a run, and writes that it is held, as one step. */
  #hold(name: string, { service, serviceUrl, person }: RunDescription, begin: () => BegunRun): Run {
    let lease: Lease | null = null;
    try {
      return this.#access.write(name, () => {
        const number = this.#catalogue.ensureService(service);
        lease = this.#leases.take(number, serviceUrl, this.#time());
        const begun = begin();
        this.#leases.write(lease, { run: begun.id, person, now: this.#time() });
        const run = new SqliteRun(begun, lease, {
          queue: this.#queue,
          writes: this.#writes,
          leases: this.#leases,
          records: this.#records,
          sheetOf: (sheet) => this.#catalogue.ensureSheet(begun.run, sheet),
          write: (what, write) => this.#access.write(what, write),
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

interface BegunRun extends RunNumbers {
  readonly id: string;
  readonly startedAt: string;
}

interface RunParts {
  readonly queue: CommitQueue;
  readonly writes: RowWrites;
  readonly leases: Leases;
  readonly records: RunRecords;
  readonly sheetOf: (name: string) => number;
  readonly write: <Result>(name: string, write: () => Result) => Result;
  readonly now: () => string;
}

class SqliteRun implements Run {
  readonly id: string;
  readonly startedAt: string;
  readonly #numbers: RunNumbers;
  readonly #lease: Lease;
  readonly #parts: RunParts;
  #isEnded = false;

  constructor(begun: BegunRun, lease: Lease, parts: RunParts) {
    this.id = begun.id;
    this.startedAt = begun.startedAt;
    this.#numbers = begun;
    this.#lease = lease;
    this.#parts = parts;
  }

  async register(rows: readonly Registration[]): Promise<readonly RowId[]> {
    this.#needRunning();
    const { write, writes, sheetOf } = this.#parts;
    return write('register', () => writes.register(this.#numbers, sheetOf, rows));
  }

  async intend(intents: readonly Intent[]): Promise<void> {
    this.#needRunning();
    const { queue, writes, leases, sheetOf } = this.#parts;
    const write = (): Error | null => {
      if (!leases.holds(this.#lease)) return new IntentRefused(intents);
      const refused = writes.intend(sheetOf, intents);
      return refused.length === 0 ? null : new IntentRefused(refused);
    };
    await queue.add('intent', write, () => writes.takeBack(intents));
  }

  async record(outcomes: readonly (Outcome & { readonly id: RowId })[]): Promise<void> {
    this.#needRunning();
    await this.#parts.queue.add('settle', () => {
      const strays = this.#parts.writes.settle(outcomes);
      return strays.length === 0
        ? null
        : new Error(`No outcome was written for rows that are not under way: ${strays}.`);
    });
  }

  async note(rows: readonly Note[]): Promise<void> {
    this.#needRunning();
    await this.#parts.queue.add('record', () => {
      this.#parts.writes.note(this.#parts.sheetOf, rows);
      return null;
    });
  }

  async end(state: 'stopped' | 'ended'): Promise<void> {
    this.#needRunning();
    this.#isEnded = true;
    const { queue, records, leases, now } = this.#parts;
    try {
      await queue.add('end', () => {
        leases.settleSending(this.#numbers.run);
        records.setState(this.#numbers.run, state, now());
        leases.giveBack(this.#lease);
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
