/**
 * The record of what was sent and what came back. Its one rule: an intent is durable before the first byte of its request leaves,
 * and an outcome before it is reported. All methods work in batches, so that a remote ledger costs one round trip for many rows.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { RecordReference, RowState } from '../contract/row-state.ts';
import type { DealsheetError } from '../errors.ts';
import type { Message } from '../messages/message.ts';

/** The id of a logical row: one row as the user means it, within one service and kind, across all files and runs. */
export type RowId = number;

export interface RowPosition {
  readonly sheet: string;
  readonly row: number;
}

export interface Place extends RowPosition {
  readonly run: string;
}

/** A record of the service, by its kind and id there. */
export interface NamedRecord {
  readonly kind: RecordKindName;
  readonly id: string;
}

/** Committed: the service created or accepted it. Open: it may still be sent. */
export type RowPhase = 'open' | 'sending' | 'in-doubt' | 'committed';

/** Whether a person may say what became of a row. One that is in without an id takes only an id. */
export function takesAnswer({ phase, record }: Pick<LogicalRow, 'phase' | 'record'>, isCreated: boolean): boolean {
  return phase === 'in-doubt' || (isCreated && phase === 'committed' && record === null);
}

export interface LogicalRow extends RecordReference {
  readonly id: RowId;
  readonly kind: RecordKindName;
  readonly phase: RowPhase;
  /** The outcome of the last attempt; `null` before the first. */
  readonly outcome: RowState | null;
  readonly attempt: number;
  /** An update in doubt because its load was cut off. It may be sent again without asking. */
  readonly isToRepeat: boolean;
  /** The content digest when it was last sent, or when it was registered. */
  readonly content: string | null;
  /** Digests of the fields that were sent, where they are kept. */
  readonly fields: string | null;
  /** Where it was last sent, or first registered. */
  readonly at: Place & Pick<RunRecord, 'sourceName' | 'startedAt' | 'endedAt'> & { readonly order: Order };
  readonly origin: string;
  /** The run that first registered it. */
  readonly firstRun: string;
  /** All runs that it was in. */
  readonly runs: readonly string[];
  /** The row that this one sends again on request (`--again`). */
  readonly repeats: RowId | null;
  /** The row that this one may be a correction or a second line of, if it was held for that. */
  readonly corrects: RowId | null;
  /** The digest of its Ref of service scope: the Ref that it was sent with, or registered with last. `null` without one. */
  readonly ref: string | null;
  /** In a look-up by digest: whether that is the first content of the row. */
  readonly isFirst?: boolean | undefined;
}

/** Orders places across all runs: the sheet number in the ledger, which only grows, and the row. */
export type Order = readonly [sheet: number, row: number];

export function isLater(one: Order, other: Order): boolean {
  return one[0] === other[0] ? one[1] > other[1] : one[0] > other[0];
}

export interface Appearance {
  readonly row: LogicalRow;
  /** The attempt in the results of that run. */
  readonly attempt: number;
  /** Whether a person has resolved this attempt. */
  readonly wasResolved: boolean;
  /** Whether a person has resolved an earlier one. */
  readonly wasResolvedBefore: boolean;
  readonly isByRef: boolean;
  readonly service: string;
  readonly runNumber: number;
}

export interface RunEntry extends Outcome, RowPosition {
  readonly kind: RecordKindName;
  readonly id: RowId;
  /** The attempt in the results of the run. */
  readonly attempt: number;
  /** The current phase. */
  readonly phase: RowPhase;
  /** What speaks against a row that was sent all the same. */
  readonly against: Message | null;
  /** The other run in which the row is committed or in doubt, if that supersedes its result in this run. */
  readonly since: string | null;
}

/** Rows in each state of a run's results. States without rows are absent. */
export type RunCounts = Readonly<Partial<Record<RowState | 'sending', number>>>;

export interface RunDescription {
  readonly service: string;
  readonly serviceUrl: string;
  readonly sourcePath: string;
  readonly sourceName: string;
  /** The name of the user's own file. A results file counts as the file it was made from. */
  readonly origin: string;
  /** SHA-256 of the source's bytes, in hexadecimal. */
  readonly sourceDigest: string;
  readonly resultsPath: string;
  /** How the source was read and sent, as JSON without secrets, so that a resume does the same. */
  readonly options: string;
  readonly person: string;
}

export interface RunRecord extends RunDescription {
  readonly id: string;
  readonly number: number;
  readonly state: 'running' | 'stopped' | 'ended';
  readonly host: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

/** A row of the source as its run begins. Every row gets an id, valid or not. */
export interface Registration extends RowPosition {
  readonly kind: RecordKindName;
  /** `null` for a new row. */
  readonly id: RowId | null;
  /** The content digest first, then those of Refs and identifying values. */
  readonly digests: readonly string[];
  /** Digests to keep instead if it is committed or in doubt. None by default. */
  readonly since?: readonly string[];
  /** The result of a row that is not sent. For a row to send, its state is `null`, and its message is what speaks against that. */
  readonly note: RowNote | { readonly state: null; readonly message: Message | null } | null;
  /** The row was found by its Ref alone, with other values. Finding it by this place later proves no more than the Ref does. */
  readonly isByRef?: boolean;
  /** The row that this one sends again on request (`--again`). The two are distinct from then on. */
  readonly repeats?: RowId | null;
  /** See {@link LogicalRow.corrects}. */
  readonly corrects?: RowId | null;
  /** See {@link LogicalRow.ref}. Leave it out where it is to stay as it is. */
  readonly ref?: string | null;
  /** The state that a trusted results sheet gives a row that is new to this ledger; `null` for any other row. */
  readonly trusted?: TrustedState | null;
}

export interface TrustedState extends RecordReference {
  readonly phase: 'in-doubt' | 'committed';
}

export interface RowNote {
  readonly state: RowState;
  readonly message: Message | null;
}

export type Note = RowNote & RowPosition;

export interface Intent extends RowPosition {
  readonly id: RowId;
  readonly content: string;
  /** Digests of its fields, to compare with later versions of the row; `null` where none are kept. */
  readonly fields: string | null;
  /** How many other live rows may have the same content, as known when it was decided. If there are more, it is not sent. */
  readonly equals: number;
  /** The row was registered in this run with this content, and was never sent before. */
  readonly isFirst?: boolean;
}

export interface Outcome extends RowNote, RecordReference {
  readonly attempts: number;
}

export interface Resolution {
  readonly id: RowId;
  /** The attempt that the person was asked about. */
  readonly attempt: number;
  readonly isCreated: boolean;
  readonly record: string | null;
  readonly person: string;
}

/** What a person said of a row in doubt. */
export interface Answered extends RowPosition {
  /** The id of its record, or nothing where it has none; `null` if it was not created. */
  readonly created: string | null;
  readonly person: string;
  readonly at: string;
}

export interface Ledger {
  /** The path or address, as shown to people. */
  readonly path: string;
  /** Who begins runs and settles rows here. */
  readonly person: string;
  /** The local path that its key and the copies of sources stand beside. */
  readonly files: string;
  /** The best number of rows in one call: with a remote ledger, each call costs a round trip. */
  readonly rowsAtOnce: number;

  /** The keyed digest of a text, in hexadecimal. */
  digest(text: string): string;

  /** Begins a run and takes the lease of its service. @throws DealsheetError `ledger-refused` while another load holds it */
  begin(description: RunDescription): Promise<Run>;
  /** Resumes a stopped run. What it left in flight is in doubt. */
  resume(id: string): Promise<Run>;
  runs(): Promise<readonly RunRecord[]>;
  run(id: string): Promise<RunRecord | null>;
  /** Notes where the source and the results of an ended run are now. */
  moved(run: string, places: Pick<RunRecord, 'sourcePath' | 'resultsPath'>): Promise<void>;

  /** The rows of a service that ever had one of these digests, by digest. */
  lookup(service: string, digests: readonly string[]): Promise<ReadonlyMap<string, readonly LogicalRow[]>>;
  lookupRows(ids: readonly RowId[]): Promise<ReadonlyMap<RowId, LogicalRow>>;
  lookupPlaces(places: readonly Place[]): Promise<readonly (Appearance | null)[]>;
  /** The committed or in-doubt row that was last so many rows below a row; `null` where the newest file with that row has none there. */
  lookupBeside(steps: readonly (readonly [RowId, number])[]): Promise<readonly (LogicalRow | null)[]>;
  lookupRecords(service: string, records: readonly NamedRecord[]): Promise<readonly (LogicalRow | null)[]>;
  /** One page of a run's results, in row order of the sheet. */
  entries(run: string, sheet: string, after: number, limit: number): Promise<readonly RunEntry[]>;
  sheets(run: string): Promise<readonly string[]>;
  counts(run: string): Promise<RunCounts>;
  /** Writes all or none. @throws DealsheetError `usage` for a row that is neither in doubt about this attempt nor in without an id */
  resolve(resolutions: readonly Resolution[]): Promise<void>;
  newestResolution(): Promise<number>;
  /** The oldest first. */
  resolutionsOf(run: string): Promise<readonly Answered[]>;
  /**
   * Deletes ended runs that began before a time, with their rows. Never deletes a run with a row in doubt, one that has a row in
   * common with a run that stays, nor one of a service while a load into it is running.
   */
  prune(before: string): Promise<{ readonly runs: number; readonly rows: number }>;
  /** Ends the lease of a run on another machine. Returns the milliseconds until the next load may begin. */
  takeOver(run: string): Promise<number>;
  /** Copies the ledger and its key into a folder, even while loads write to it. Returns the path of the copy. */
  backUp(folder: string): Promise<string>;
  close(): Promise<void>;
}

export interface Run {
  readonly id: string;
  /** The lease in a remote ledger; `null` where the right to load lasts as long as this process. */
  readonly lease: RunLease | null;
  /** Returns the ids of the rows, in order. */
  register(rows: readonly Registration[]): Promise<readonly RowId[]>;
  /**
   * Resolves when the intents are durable. Returns the rows that may be sent: not those that the ledger has another state for by now,
   * nor those that are equal to more live rows than was known.
   */
  intend(intents: readonly Intent[]): Promise<ReadonlySet<RowId>>;
  /** Resolves when the outcomes are durable. Returns the rows that are in doubt because another row already has their record. */
  record(outcomes: readonly (Outcome & { readonly id: RowId })[]): Promise<readonly RowId[]>;
  note(rows: readonly Note[]): Promise<void>;
  end(state: 'stopped' | 'ended'): Promise<void>;
}

/** The right of a load to send. It expires unless the ledger confirms it. */
export interface RunLease {
  readonly failure: DealsheetError | null;
  /** Whether a request may leave right now. */
  isHeld(): boolean;
  confirm(): Promise<boolean>;
  /** Stores how long a request may take. Call it before the first request leaves. */
  takesUpTo(requestMs: number): Promise<void>;
}

/** All results of a run, sheet by sheet. */
export async function* entriesOf(
  ledger: Pick<Ledger, 'sheets' | 'entries' | 'rowsAtOnce'>,
  run: string,
): AsyncGenerator<RunEntry> {
  for (const sheet of await ledger.sheets(run)) yield* entriesOfSheet(ledger, run, sheet);
}

export async function* entriesOfSheet(
  ledger: Pick<Ledger, 'entries' | 'rowsAtOnce'>,
  run: string,
  sheet: string,
): AsyncGenerator<RunEntry> {
  let page: readonly RunEntry[] = [];
  do {
    page = await ledger.entries(run, sheet, page.at(-1)?.row ?? 0, ledger.rowsAtOnce);
    yield* page;
  } while (page.length === ledger.rowsAtOnce);
}
