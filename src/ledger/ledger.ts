/**
 * The memory of what was sent and what came back: the face of the ledger that the pipeline works with.
 * Its one rule: an intent is on the disk before the first byte of its request leaves, an outcome before it is reported.
 */

import type { RecordKindName } from '../contract/record-kind.ts';
import type { RowState } from '../contract/row-state.ts';
import type { Message } from '../messages/message.ts';

/** A row of a source, by its sheet's name and Excel's row number. */
export interface RowPosition {
  readonly sheet: string;
  readonly row: number;
}

/** A row of a run. */
export interface RunRow extends RowPosition {
  readonly run: string;
}

export function isSameRow(one: RunRow, other: RunRow): boolean {
  return one.run === other.run && one.sheet === other.sheet && one.row === other.row;
}

/** A row by what makes it itself. */
export interface KnownRow extends RowPosition {
  readonly kind: RecordKindName;
  /** The keyed digest of what the row says, occurrence included ({@link Ledger.fingerprint}). */
  readonly fingerprint: Buffer;
  /**
   * The same of what a results sheet shows of the row, which is all but sensitive fields; `null` when it has none of those. Of a
   * row that waits, of what it says with the refs of its parents.
   */
  readonly shown: Buffer | null;
  /** The keyed digest of the person's own key for the row, or `null` when it has none; of an update, that of its company. */
  readonly ref: Buffer | null;
  /** The row of an earlier run that comes back in this one with a results sheet, or `null`. */
  readonly supersedes: RunRow | null;
}

/** A row that is about to be sent. */
export interface Intent extends KnownRow {
  /** Which of several equal rows of its source it is, when it is not the first: by the fingerprint of that. */
  readonly repeats: Repetition | null;
}

export interface Repetition {
  readonly fingerprint: Buffer;
  /** From 2 on. */
  readonly occurrence: number;
}

export type EntryState = RowState | 'sending';

/** What became of a row. */
export interface Settlement extends RowPosition {
  readonly state: Exclude<EntryState, 'sending' | 'invalid'>;
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly id: string | null;
  readonly companyId: string | null;
  readonly url: string | null;
  /** A sentence for the person, already masked. */
  /** What a person is told of the row, or `null`. */
  readonly message: Message | null;
}

export interface Entry extends Omit<Settlement, 'state'> {
  /** `sending` while its request is under way, or was when its process died. */
  readonly state: Exclude<EntryState, 'invalid'>;
  readonly run: string;
  readonly kind: RecordKindName;
  readonly fingerprint: Buffer;
  /** See {@link KnownRow.shown}; also `null` in what ledgers of earlier formats wrote. */
  readonly shown: Buffer | null;
  /** See {@link KnownRow.ref}. */
  readonly ref: Buffer | null;
}

/** A row that went in, or may have, with an earlier file. */
export interface EarlierEntry {
  readonly run: string;
  readonly sheet: string;
  readonly row: number;
  readonly state: EntryState;
  readonly id: string | null;
  readonly companyId: string | null;
  readonly url: string | null;
  readonly sourceName: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

/** A row as it was before a person corrected it in a results sheet. */
export interface CorrectedRow extends RunRow {
  /** Of a row that waited, the digest of what it said with the refs of its parents. */
  readonly fingerprint: Buffer;
}

/** An id as a service gives it: records of two kinds may have the same. */
export interface IdOfKind {
  readonly kind: RecordKindName;
  readonly id: string;
}

/** A row that was sent under the ref of another record. */
export interface RowWithRefInUse {
  readonly row: number;
  /** The other records, the newest first. */
  readonly others: readonly EarlierEntry[];
}

export interface RunDescription {
  /** The identity of the service: its origin and base path, or the data file of a sandbox. */
  readonly service: string;
  /** The address as a person reads it. */
  readonly serviceUrl: string;
  readonly sourcePath: string;
  readonly sourceName: string;
  /** SHA-256 of the source's bytes, in hexadecimal. */
  readonly sourceDigest: string;
  readonly resultsPath: string;
  /** The choices that make a resume read the source in the same way, as JSON without anything secret. */
  readonly options: string;
}

export type RunState = 'running' | 'stopped' | 'ended';

export interface RunRecord extends RunDescription {
  readonly id: string;
  readonly state: RunState;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string | null;
}

/** Entries by their state: those that there are, by their names. */
export type EntryCounts = Readonly<Partial<Record<EntryState, number>>>;

/** What a person found out about a row in doubt. */
export type Resolution = { readonly created: string } | 'not-created';

/** A row that a person has looked up. */
export interface SettledRow {
  readonly position: RowPosition;
  readonly resolution: Resolution;
}

/** What is to be settled by a person's word. */
export interface SettledByHand extends SettledRow {
  /** What the person's word takes the place of, or `null` for a row in doubt. */
  readonly said: SaidByHand | null;
}

/** What a person has said of the record of a row. */
export interface SaidByHand {
  readonly resolution: Resolution;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Whether the ledger still says so: a row that was sent again since has a word of the service. */
  readonly holds: boolean;
}

/** How much was forgotten. */
export interface Pruned {
  readonly runs: number;
  readonly entries: number;
}

/** The memory of loads. Everything that reads or opens it throws DealsheetError `ledger-refused` when it is damaged. */
export interface Ledger {
  readonly path: string;
  /** Whether this ledger was made just now: it knows nothing of earlier loads. */
  readonly isNew: boolean;

  /** The keyed digest of a text: the first 16 bytes of its HMAC-SHA-256 with the ledger's own key. */
  fingerprint(text: string): Buffer;

  /**
   * Begins a run and takes the lock of its service for this process.
   * @throws DealsheetError `ledger-refused` when another living process loads into the same service; it names its process id
   */
  beginRun(description: RunDescription): Run;
  /**
   * Takes up a run that was stopped, and the lock of its service. What was left `sending` is put `in-doubt`; updates are put
   * `not-sent`, to be sent again. Opening the ledger does the same for loads whose process is gone.
   * @throws DealsheetError as {@link beginRun}; `usage` when the ledger does not know the run
   */
  resumeRun(id: string): Run;

  /** All runs, the newest first. */
  runs(): readonly RunRecord[];
  run(id: string): RunRecord | null;
  /** The entries of a run, counted one by one. */
  countsOf(run: string): EntryCounts;
  /** The newest run of this source and service, or `null`. */
  newestRunOf(service: string, sourceDigest: string): RunRecord | null;
  /** The entries of one sheet of a run in the order of their rows, in bounded memory. */
  entriesOf(run: string, sheet: string): IterableIterator<Entry>;
  /** All entries of a run, sheet by sheet, in bounded memory. */
  entriesOfRun(run: string): IterableIterator<Entry>;
  entry(run: string, position: RowPosition): Entry | null;
  /** Entries of a run in a state, in the order of sheets and rows. */
  entriesInState(run: string, state: EntryState): IterableIterator<Entry>;

  /** The live entry (in, sending or in doubt) of a service with this fingerprint, whatever its run. */
  liveEntry(service: string, fingerprint: Buffer): EarlierEntry | null;
  /** The rows that got ids from a service, by those of the ids that any got. Reads the whole ledger, once for all of them. */
  rowsWithIds<Id extends IdOfKind>(service: string, ids: readonly Id[]): ReadonlyMap<Id, readonly EarlierEntry[]>;
  /** Where a row went on that came back with a results sheet, from run to run; the row itself when it never did. */
  latest(row: RunRow): RunRow;
  /** Where a row came from that came back with a results sheet: the row of its first run; the row itself when it never did. */
  first(row: RunRow): RunRow;
  /** The rows of earlier runs that came back as a row, the newest first. */
  cameFrom(row: RunRow): readonly RunRow[];
  /** The rows of a run that came back in later ones. */
  rowsThatCameBack(run: string): IterableIterator<RowPosition>;
  /** The rows of a service that were not in, and came back as something else; each by what it was before. */
  correctedRows(service: string): readonly CorrectedRow[];
  /** Whether the row itself was sent and may be in: in this run, in one in which it came back, or in one that it came from. */
  wasTaken(row: RunRow): boolean;
  /** How many equal rows of one source were ever sent to a service, by the fingerprint of the first; at least 1. */
  occurrencesOf(service: string, fingerprint: Buffer): number;
  /** The ids that rows with this ref got in earlier runs of the service, each once as it was first known, the newest first. */
  idsOfRef(service: string, kind: RecordKindName, ref: Buffer): readonly EarlierEntry[];
  /** The row that came with this ref last, or one in doubt, where it is not in and did not come back since; else `null`. */
  openWithRef(service: string, kind: RecordKindName, ref: Buffer): EarlierEntry | null;
  /** The rows of a sheet that were sent, and whose ref is that of another record that is in; in the order of their rows. */
  rowsWithRefInUse(run: string, sheet: string): IterableIterator<RowWithRefInUse>;

  /**
   * Settles rows of a run by hand, all of them or none, and writes down that they were: a doubt for every entry that is in
   * doubt about the same record, and a person's mistaken word for every entry that is about it.
   * @throws DealsheetError `usage` when one of the rows is not in doubt, or no word of a person holds there any more
   */
  settleByHand(run: string, rows: readonly SettledByHand[]): void;
  /** What people have last said of the records of rows, by their positions as they were given. */
  saidByHand(run: string, positions: readonly RowPosition[]): ReadonlyMap<RowPosition, SaidByHand>;

  /**
   * Forgets the ended runs that began before a time (ISO 8601, UTC), except those with a row in doubt and those in which rows
   * of a run went on that stays. Rows of a forgotten run are no longer known: loaded again, they would be sent again.
   */
  prune(before: string): Pruned;

  /**
   * Copies the ledger with its key into a folder, also while loads write to it, and gives the path of the copy.
   * @throws DealsheetError `usage` when something is in its place, or the folder cannot be written
   */
  backUp(folder: string): string;

  /** Whatever is asked of it afterwards throws DealsheetError `usage`. */
  close(): void;
}

/** One load in progress: the part of the ledger that is written. */
export interface Run {
  readonly id: string;
  readonly startedAt: string;
  /**
   * Writes that these rows are about to be sent. Resolves when that is on the disk; many calls share one commit.
   * `again` lets a row be sent whose equal is in already; one whose equal is sending or in doubt is never let through.
   * A row of this run that was waiting, not sent, rejected, failed or an update in doubt may be intended anew; its attempts count on.
   * @throws IntentRefused when one of the rows must not be sent; then nothing of this call was written
   * @throws DealsheetError `ledger-failed` when the disk is full or failing; the rows must not be sent then
   */
  intend(intents: readonly Intent[], options: { again: boolean }): Promise<void>;
  /**
   * Writes what became of rows that were intended. Resolves when that is on the disk. May be repeated for a row that is not
   * in; `attempts` are those since it was last intended.
   */
  settle(settlements: readonly Settlement[]): Promise<void>;
  /** Writes what became of rows that were never sent: already loaded, waiting, not sent, in doubt since an earlier run. */
  record(entries: readonly (KnownRow & Settlement)[]): Promise<void>;
  /** Writes that rows come back in this run, of which there is nothing else to write. */
  comeBack(rows: readonly Pick<KnownRow, 'sheet' | 'row' | 'supersedes'>[]): Promise<void>;
  /**
   * Ends the run and gives its lock back. `ended` when every row that could be sent was. Rows whose outcome was not written
   * are put `in-doubt`, updates `not-sent`.
   */
  end(state: Exclude<RunState, 'running'>): Promise<void>;
}
