/**
 * Makes the ledger of a file: puts its parts together.
 * Its one rule: what can wait a moment shares a commit; what is asked for once is written at once.
 */

import { createHmac, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import type { RecordKindName } from '../contract/record-kind.ts';
import type { FileLock } from '../disk/file-lock.ts';
import { DealsheetError } from '../errors.ts';
import { commandText } from '../messages/commands.ts';
import { Catalogue } from './catalogue.ts';
import { CommitQueue } from './commit-queue.ts';
import { Corrections } from './corrections.ts';
import { Doubts } from './doubts.ts';
import { EntryReads } from './entry-reads.ts';
import { EntryWrites } from './entry-writes.ts';
import { Holders } from './holders.ts';
import type {
  CorrectedRow,
  EarlierEntry,
  Entry,
  EntryCounts,
  EntryState,
  IdOfKind,
  Ledger,
  Pruned,
  RowPosition,
  RowWithRefInUse,
  Run,
  RunDescription,
  RunRecord,
  RunRow,
  SaidByHand,
  SettledByHand,
} from './ledger.ts';
import { LedgerAccess } from './ledger-access.ts';
import { backUp } from './ledger-backup.ts';
import { type LedgerDatabase, openDatabase } from './ledger-database.ts';
import { type BegunRun, LedgerRun, type RunParts } from './ledger-run.ts';
import { Pruning } from './pruning.ts';
import { RefReads } from './ref-reads.ts';
import { RowChains } from './row-chains.ts';
import { RunRecords } from './run-records.ts';

export interface LedgerOptions {
  /** Gives the times that a person reads. Nothing is decided by them. */
  readonly now?: () => Date;
  /** A person's word that a ledger which is gone, or lacks what was written last, is to be gone on with as it is. */
  readonly isMeant?: boolean;
}

/** HMAC-SHA-256 may be cut to its half; that keeps the index of fingerprints small. */
const fingerprintBytes = 16;

/**
 * Opens the ledger in a file, or makes it there with its key beside it (`<path>.key`), and settles what loads left behind
 * whose process is gone. Keep one open for many loads: what SQLite holds of a closed one (two files, some memory) goes with
 * the next garbage collection.
 *
 * @throws DealsheetError `ledger-refused` when the file is damaged, no ledger, from a newer version, without its own key,
 * gone while its key is there, or without what was written to it last
 */
export function openLedger(path: string, options: LedgerOptions = {}): Ledger {
  const place = resolve(path);
  const ledger = new OpenLedger(
    place,
    openDatabase(place, options.isMeant === true),
    options.now ?? (() => new Date()),
  );
  ledger.settleLeftBehind();
  return ledger;
}

class OpenLedger implements Ledger {
  readonly path: string;
  readonly isNew: boolean;
  readonly #key: KeyObject;
  readonly #now: () => Date;
  readonly #access: LedgerAccess;
  readonly #catalogue: Catalogue;
  readonly #records: RunRecords;
  readonly #reads: EntryReads;
  readonly #chains: RowChains;
  readonly #refs: RefReads;
  readonly #holders: Holders;
  readonly #doubts: Doubts;
  readonly #corrections: Corrections;
  readonly #pruning: Pruning;
  readonly #runParts: RunParts;
  readonly #backUp: (folder: string) => string;
  readonly #runs = new Set<LedgerRun>();

  constructor(path: string, { db, file, log, count, key, isNew }: LedgerDatabase, now: () => Date) {
    this.path = path;
    this.isNew = isNew;
    this.#key = key;
    this.#now = now;
    this.#catalogue = new Catalogue(db);
    const queue = new CommitQueue(db, log, count, path, () => this.#catalogue.forget());
    this.#access = new LedgerAccess({ path, db, log, count, queue, catalogue: this.#catalogue });
    this.#records = new RunRecords(db, this.#catalogue);
    this.#reads = new EntryReads(db, this.#catalogue);
    this.#chains = new RowChains(db, this.#catalogue, this.#reads);
    this.#refs = new RefReads(db, this.#catalogue, this.#reads, this.#chains);
    this.#holders = new Holders(db, file);
    this.#doubts = new Doubts(db, this.#catalogue);
    this.#corrections = new Corrections(db, this.#catalogue, this.#reads, this.#chains);
    this.#pruning = new Pruning(db);
    this.#backUp = (folder) => backUp(db, path, folder);
    this.#runParts = {
      queue,
      writes: new EntryWrites(db, this.#catalogue, this.#reads),
      records: this.#records,
      holders: this.#holders,
      now: () => this.#time(),
    };
  }

  /** A ledger on a full disk can still be read, so that what it knows can be reported: then the writing waits for the next time. */
  settleLeftBehind(): void {
    for (const service of this.#holders.servicesOfRunningRuns()) {
      try {
        this.#access.write('settle-left-behind', () => this.#holders.settleLeftBehind(service, this.#time()));
      } catch (error) {
        if (!(error instanceof DealsheetError) || error.code !== 'ledger-failed') throw error;
        this.#records.tellAsStopped(this.#holders.runsLeftBehind(service));
      }
    }
  }

  fingerprint(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest().subarray(0, fingerprintBytes);
  }

  beginRun(description: RunDescription): Run {
    return this.#hold(
      'begin',
      () => ({ service: this.#catalogue.ensureService(description.service), serviceUrl: description.serviceUrl }),
      (now) => ({ ...this.#records.begin(description, now), startedAt: now }),
    );
  }

  resumeRun(id: string): Run {
    const numbers = this.#access.read(() => this.#catalogue.run(id));
    const record = this.run(id);
    if (numbers === null || record === null) throw unknownRun(id);
    return this.#hold(
      'resume',
      () => ({ service: numbers.service, serviceUrl: record.serviceUrl }),
      () => {
        this.#holders.settleSending(numbers.run);
        this.#records.setState(numbers.run, 'running', null);
        return { ...numbers, id, startedAt: record.startedAt };
      },
    );
  }

  runs(): readonly RunRecord[] {
    return this.#access.read(() => this.#records.all());
  }

  run(id: string): RunRecord | null {
    return this.#access.read(() => this.#records.one(id));
  }

  countsOf(run: string): EntryCounts {
    return this.#access.read(() => this.#records.countsOf(run));
  }

  newestRunOf(service: string, sourceDigest: string): RunRecord | null {
    return this.#access.read(() => this.#records.newestOf(service, sourceDigest));
  }

  entriesOf(run: string, sheet: string): IterableIterator<Entry> {
    return this.#access.readEach(this.#reads.ofSheet(run, sheet));
  }

  entriesOfRun(run: string): IterableIterator<Entry> {
    return this.#access.readEach(this.#reads.ofRun(run));
  }

  entriesInState(run: string, state: EntryState): IterableIterator<Entry> {
    return this.#access.readEach(this.#reads.inState(run, state));
  }

  entry(run: string, position: RowPosition): Entry | null {
    return this.#access.read(() => this.#reads.entry(run, position));
  }

  liveEntry(service: string, fingerprint: Buffer): EarlierEntry | null {
    return this.#access.readOf(service, null, (number) => this.#reads.live(number, fingerprint));
  }

  rowsWithIds<Id extends IdOfKind>(service: string, ids: readonly Id[]): ReadonlyMap<Id, readonly EarlierEntry[]> {
    const none: ReadonlyMap<Id, readonly EarlierEntry[]> = new Map();
    return this.#access.readOf(service, none, (number) => (ids.length === 0 ? none : this.#reads.withIds(number, ids)));
  }

  first(row: RunRow): RunRow {
    return this.#access.read(() => this.#chains.first(row));
  }

  cameFrom(row: RunRow): readonly RunRow[] {
    return this.#access.read(() => this.#chains.cameFrom(row));
  }

  latest(row: RunRow): RunRow {
    return this.#access.read(() => this.#chains.latest(row));
  }

  rowsThatCameBack(run: string): IterableIterator<RowPosition> {
    return this.#access.readEach(this.#chains.thatCameBack(run));
  }

  correctedRows(service: string): readonly CorrectedRow[] {
    return this.#access.readOf(service, [], (number) => this.#chains.corrected(number));
  }

  wasTaken(row: RunRow): boolean {
    return this.#access.read(() => this.#chains.wasTaken(row));
  }

  occurrencesOf(service: string, fingerprint: Buffer): number {
    return this.#access.readOf(service, 1, (number) => this.#reads.occurrences(number, fingerprint));
  }

  idsOfRef(service: string, kind: RecordKindName, ref: Buffer): readonly EarlierEntry[] {
    return this.#access.readOf(service, [], (number) => this.#refs.withRef(number, kind, ref));
  }

  openWithRef(service: string, kind: RecordKindName, ref: Buffer): EarlierEntry | null {
    return this.#access.readOf(service, null, (number) => this.#refs.openWithRef(number, kind, ref));
  }

  rowsWithRefInUse(run: string, sheet: string): IterableIterator<RowWithRefInUse> {
    return this.#access.readEach(this.#refs.inUse(run, sheet));
  }

  settleByHand(run: string, rows: readonly SettledByHand[]): void {
    const now = this.#time();
    this.#access.write('settle-by-hand', () => {
      // First what was mistaken: it was said before anything of this list.
      this.#corrections.correct(
        run,
        rows.filter(({ said }) => said !== null),
        now,
      );
      this.#doubts.resolve(
        run,
        rows.filter(({ said }) => said === null),
        now,
      );
    });
  }

  saidByHand(run: string, positions: readonly RowPosition[]): ReadonlyMap<RowPosition, SaidByHand> {
    return this.#access.read(() => this.#corrections.said(run, positions));
  }

  prune(before: string): Pruned {
    const pruned = this.#access.write('prune', () => this.#pruning.prune(before));
    this.#catalogue.forget();
    return pruned;
  }

  backUp(folder: string): string {
    return this.#access.read(() => this.#backUp(folder));
  }

  close(): void {
    this.#access.close(() => {
      for (const run of this.#runs) run.abandon();
    });
  }

  /** Takes a service for a run, and writes that it is held, as one step. */
  #hold(name: string, find: () => ServiceOfRun, begin: (now: string) => BegunRun): Run {
    const now = this.#time();
    let lock: FileLock | null = null;
    try {
      const begun = this.#access.write(name, () => {
        const { service, serviceUrl } = find();
        lock = this.#holders.take(service, serviceUrl, now);
        const taken = { lock, ...begin(now) };
        this.#holders.write(service, taken.id, now);
        return taken;
      });
      const run = new LedgerRun(begun, this.#runParts, begun.lock);
      this.#runs.add(run);
      return run;
    } catch (error) {
      release(lock);
      throw error;
    }
  }

  #time(): string {
    return this.#now().toISOString();
  }
}

interface ServiceOfRun {
  readonly service: number;
  readonly serviceUrl: string;
}

function release(lock: FileLock | null): void {
  lock?.release();
}

function unknownRun(id: string): DealsheetError {
  return new DealsheetError('usage', `There is no run ${id} in this ledger.`, `${commandText('runs')} lists the runs.`);
}
