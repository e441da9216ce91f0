/**
 * The memory of what was sent and what came back. Its one rule: an intent is on the disk before the first byte of its request
 * leaves, an outcome before it is reported. Everything is asked and written batch by batch, so that a ledger far away costs a
 * round trip for many rows and not for each.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { RowState } from '../contract/row-state.ts';
import type { DealsheetError } from '../errors.ts';
import type { Message } from '../messages/message.ts';

/** The id of a logical row: what a person means by one row, in one service and of one kind, over all files and runs. */
export type RowId = number;

export interface Place {
  readonly run: string;
  readonly sheet: string;
  readonly row: number;
}

/** What is known of a logical row. Committed: the service said yes. Open: it may still be sent. */
export type RowPhase = 'open' | 'sending' | 'in-doubt' | 'committed';

export interface LogicalRow {
  readonly id: RowId;
  readonly kind: RecordKindName;
  readonly phase: RowPhase;
  /** What became of it when it was sent last; `null` before. */
  readonly outcome: RowState | null;
  readonly attempt: number;
  /** An update in doubt whose answer never came, since its load was stopped: it may go out again by itself. */
  readonly isToRepeat: boolean;
  readonly record: string | null;
  readonly company: string | null;
  readonly url: string | null;
  /** What it said when it was sent last, or when it was first met. */
  readonly content: string | null;
  /** Digests of the fields that went out with it, where they are kept. */
  readonly fields: string | null;
  /** Where it was sent last, or first met. */
  readonly at: Place & { readonly sourceName: string; readonly startedAt: string; readonly order: Order };
  readonly origin: string;
  /** The run in which it was first met. */
  readonly firstRun: string;
  /** The row of which it is another copy, since a person has sent that once more. */
  readonly repeats: RowId | null;
  /** The row of which it may be a correction, since it was held as one. */
  readonly corrects: RowId | null;
  /** Whether it was met with a Ref that names a record of the service. */
  readonly hasRef: boolean;
}

/** The number of a sheet in the ledger, which grows, and a row: by it, places of all runs can be told apart in time. */
export type Order = readonly [sheet: number, row: number];

export function isLater(one: Order, other: Order): boolean {
  return one[0] === other[0] ? one[1] > other[1] : one[0] > other[0];
}

export interface Candidate {
  readonly row: LogicalRow;
  /** Whether it was the first of its kind that the row had. */
  readonly isFirst: boolean;
}

export interface Appearance {
  readonly row: LogicalRow;
  /** The attempt that the results of that run speak of. */
  readonly attempt: number;
  /** Whether a person has said what became of this attempt. */
  readonly wasResolved: boolean;
  /** See {@link Registration.isByRef}. */
  readonly isByRef: boolean;
  readonly service: string;
  readonly runNumber: number;
}

export interface RunEntry extends Outcome {
  readonly sheet: string;
  readonly place: number;
  readonly kind: RecordKindName;
  readonly id: RowId;
  /** What is known of the row by now, and by which run it is in, or may be, where that is another one. */
  readonly phase: RowPhase;
  readonly since: string | null;
}

/** Rows by what the results of a run tell of them: those that there are. */
export type RunCounts = Readonly<Partial<Record<RowState | 'sending', number>>>;

export interface RunDescription {
  readonly service: string;
  readonly serviceUrl: string;
  readonly sourcePath: string;
  readonly sourceName: string;
  /** The name of the person's own file: results are of the file that they are the results of. */
  readonly origin: string;
  /** SHA-256 of the source's bytes, in hexadecimal. */
  readonly sourceDigest: string;
  readonly resultsPath: string;
  /** The choices by which the source is read again in the same way, as JSON without anything secret. */
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

/** A row of a source, entered when its run begins: valid or not, it has its id from then on. */
export interface Registration {
  readonly sheet: string;
  readonly row: number;
  readonly kind: RecordKindName;
  /** `null` for a row that is met for the first time. */
  readonly id: RowId | null;
  /** Its content first; Refs and identifying values behind it. */
  readonly digests: readonly string[];
  /** What its results tell when nothing is sent for it; `null` for a row that is to be sent. */
  readonly note: { readonly state: RowState; readonly message: Message | null } | null;
  /** Known by its Ref alone, of a record that is in with other values: its place is no better proof from then on. */
  readonly isByRef?: boolean;
  /** The row that a person has sent once more, as another one from then on: then the two are two. */
  readonly repeats?: RowId | null;
  /** See {@link LogicalRow.perhaps}. */
  readonly corrects?: RowId | null;
  readonly hasRef?: boolean;
  /** What results say of a row that the ledger meets for the first time, and a person believes; `null` for any other. */
  readonly trusted?: TrustedState | null;
}

export interface TrustedState extends Pick<LogicalRow, 'record' | 'company' | 'url'> {
  readonly phase: 'in-doubt' | 'committed';
}

export interface Note {
  readonly sheet: string;
  readonly row: number;
  readonly state: RowState;
  readonly message: Message | null;
}

export interface Intent {
  readonly id: RowId;
  readonly sheet: string;
  readonly row: number;
  readonly content: string;
  /** Digests of its fields, to be compared with those of the row as it comes back; `null` where none are kept. */
  readonly fields: string | null;
  /** So many other live rows may say the same, by what was known when it was decided. With more, it is not sent. */
  readonly equals: number;
  /** It was met in this run, says what it said then, and was never sent before. */
  readonly isFirst?: boolean;
}

export interface Outcome {
  readonly state: RowState;
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly record: string | null;
  readonly company: string | null;
  readonly url: string | null;
  readonly message: Message | null;
}

export interface Resolution {
  readonly id: RowId;
  /** The attempt that the person was told of. */
  readonly attempt: number;
  readonly isCreated: boolean;
  readonly record: string | null;
  readonly person: string;
}

export interface Ledger {
  /** Where it is, as people are told. */
  readonly path: string;
  /** The path on this computer beside which stand its key and the private copies of sources. */
  readonly files: string;
  readonly isNew: boolean;
  /** Of about how many it is best asked: where it is far away, each question takes its time. */
  readonly rowsAtOnce: number;

  /** The keyed digest of a text, in hexadecimal: nothing of the text can be read from it. */
  digest(text: string): string;

  /** Begins a run and takes the lease of its service. @throws DealsheetError `ledger-refused` when somebody has it */
  begin(description: RunDescription): Promise<Run>;
  /** Takes up a run that was stopped. What was on its way is in doubt. */
  resume(id: string): Promise<Run>;
  runs(): Promise<readonly RunRecord[]>;
  run(id: string): Promise<RunRecord | null>;

  /** The rows of a service that ever had one of these digests, by the digest. */
  lookup(service: string, digests: readonly string[]): Promise<ReadonlyMap<string, readonly Candidate[]>>;
  lookupRows(ids: readonly RowId[]): Promise<ReadonlyMap<RowId, LogicalRow>>;
  lookupPlaces(places: readonly Place[]): Promise<readonly (Appearance | null)[]>;
  /** The row that last stood so many steps below a row, if it is in or in doubt; none where the latest file has nothing there. */
  lookupBeside(steps: readonly (readonly [RowId, number])[]): Promise<readonly (LogicalRow | null)[]>;
  lookupRecords(
    service: string,
    kind: RecordKindName,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, LogicalRow>>;
  /** Whether two rows are two for certain: they stood in one file when the later was first met, or one repeats the other. */
  lookupPairs(pairs: readonly (readonly [RowId, RowId])[]): Promise<readonly boolean[]>;
  /** What the results of a run tell, in the order of the rows of a sheet, a page at a time. */
  entries(run: string, sheet: string, after: number, limit: number): Promise<readonly RunEntry[]>;
  /** The sheets of a run, and how many of its rows are in which state. */
  sheets(run: string): Promise<readonly string[]>;
  counts(run: string): Promise<RunCounts>;
  /** All or none. @throws DealsheetError `usage` for a row that is not in doubt about this attempt */
  resolve(resolutions: readonly Resolution[]): Promise<void>;
  newestResolution(): Promise<number>;
  /** Forgets ended runs that began before a time, and the rows that stand in no other run; never one in doubt. */
  prune(before: string): Promise<{ readonly runs: number; readonly rows: number }>;
  /** Ends the load of a run that goes on elsewhere, and gives the milliseconds until the next may begin. */
  takeOver(run: string): Promise<number>;
  /** Copies the ledger with its key into a folder, also while loads write to it, and gives the path of the copy. */
  backUp(folder: string): Promise<string>;
  close(): Promise<void>;
}

export interface Run {
  readonly id: string;
  readonly startedAt: string;
  /** Of a ledger on another computer; `null` where the right to load lasts as long as this process. */
  readonly lease: RunLease | null;
  /** Gives the ids of the rows, in their order. */
  register(rows: readonly Registration[]): Promise<readonly RowId[]>;
  /** Resolves when the intents are durable. @throws IntentRefused, and then none of these may be sent */
  intend(intents: readonly Intent[]): Promise<void>;
  /**
   * Resolves when the outcomes are durable. Gives those that were written as doubts since their record is that of another row: one
   * record is not two.
   */
  record(outcomes: readonly (Outcome & { readonly id: RowId })[]): Promise<readonly RowId[]>;
  note(rows: readonly Note[]): Promise<void>;
  end(state: 'stopped' | 'ended'): Promise<void>;
}

/** The right of a load to send, which wears off unless the ledger confirms it. */
export interface RunLease {
  readonly failure: DealsheetError | null;
  /** Whether a request may leave at this very moment. */
  isHeld(): boolean;
  confirm(): Promise<boolean>;
  /** Has the ledger know, before the first of them, how long requests may be on their way. */
  takesUpTo(requestMs: number): Promise<void>;
}

/** What {@link Run.intend} rejects with: nothing of its call was written, and these rows must not be sent. */
export class IntentRefused extends Error {
  override readonly name = 'IntentRefused';
  readonly intents: readonly Intent[];

  constructor(intents: readonly Intent[]) {
    super(`Not sent, because the ledger has them otherwise: ${intents.map(({ sheet, row }) => `${sheet} row ${row}`)}`);
    this.intents = intents;
  }
}

/** All that the results of a run tell, sheet by sheet, a page at a time. */
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
    page = await ledger.entries(run, sheet, page.at(-1)?.place ?? 0, ledger.rowsAtOnce);
    yield* page;
  } while (page.length === ledger.rowsAtOnce);
}
