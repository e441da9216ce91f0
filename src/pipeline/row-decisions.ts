/**
 * What is to be done with a row: send it, leave it, or only note why it is not sent. Nothing is written here, so that the
 * same decisions tell a person beforehand what will happen.
 */
import type { ContractSettings } from '../contract/contract-settings.ts';
import { type RowState, rowStates } from '../contract/row-state.ts';
import type {
  EarlierEntry,
  EntryState,
  Ledger,
  Repetition,
  RowPosition,
  RunRecord,
  Settlement,
} from '../ledger/ledger.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import { EqualRows, type RowIdentity } from './equal-rows.ts';
import { earlierFingerprintOf, type HeldRow, type Standing } from './held-rows.ts';
import { AttachmentGone, type OutgoingMaker, type OutgoingRow } from './outgoing.ts';
import { Parents } from './parents.ts';
import { refText } from './reference-index.ts';
import type { JudgedRow, Survey } from './survey.ts';

export interface DecisionOptions {
  readonly service: string;
  readonly contract: ContractSettings;
  readonly attachmentsFolder: string;
  /** Sends rows although equal ones are in. */
  readonly again: boolean;
  readonly idempotencyKeys: boolean;
  /** Whether the run was begun before: its rows that are settled stay as they are. */
  readonly resumed: boolean;
  /** Earlier runs of the same source, the newest first: updates that went in with one of them are not sent again. */
  readonly earlierRuns: readonly RunRecord[];
}

/** A doubt that a person has settled in a results sheet. */
export interface SettledDoubt {
  readonly run: string;
  readonly position: RowPosition;
  readonly resolution: { readonly created: string } | 'not-created';
}

export type RowNote = Omit<Settlement, 'sheet' | 'row'>;

export type Decision =
  /** Wrong, or settled in this run before. */
  | { readonly step: 'leave' }
  | {
      readonly step: 'send';
      readonly outgoing: OutgoingRow;
      readonly fingerprint: Buffer;
      readonly repeats: Repetition | null;
      readonly ref: Buffer | null;
      readonly settles: SettledDoubt | null;
    }
  /** Not sent, and the ledger is to say why. */
  | {
      readonly step: 'note';
      readonly note: RowNote;
      readonly fingerprint: Buffer;
      readonly ref: Buffer | null;
      readonly settles: SettledDoubt | null;
    };

export class RowDecisions {
  readonly #ledger: Ledger;
  readonly #run: string;
  readonly #options: DecisionOptions;
  readonly #parents: Parents;
  readonly #equalRows: EqualRows;

  constructor(survey: Survey, ledger: Ledger, run: string, options: DecisionOptions) {
    this.#ledger = ledger;
    this.#run = run;
    this.#options = options;
    this.#parents = new Parents(survey.references);
    this.#equalRows = new EqualRows(ledger, {
      service: options.service,
      run,
      isFirstRun:
        !options.resumed && ledger.runs().every(({ id, service }) => id === run || service !== options.service),
      claimed: new Set([...survey.claimedFingerprints, ...(options.resumed ? claimsOfRun(ledger, run) : [])]),
    });
  }

  decide(row: JudgedRow, make: OutgoingMaker): Decision {
    if (!row.isValid || (this.#options.resumed && this.#staysAsItIs(row))) return { step: 'leave' };
    const ref = row.ref === null ? null : this.#ledger.fingerprint(refText(row.kind.name, row.ref));
    if (row.standing.kind === 'held') return this.#held(row, row.standing.row, ref);
    const settles = settledDoubtOf(row.standing);
    const resolved = this.#parents.resolve(row);
    if (!resolved.ready) return this.#noted(row, { ...untouched, state: 'waiting', message: resolved.message }, ref);
    const outgoing = this.#made(row, resolved.body, make);
    if (typeof outgoing === 'string')
      return this.#noted(row, { ...untouched, state: 'not-sent', message: outgoing }, ref);
    const own = earlierFingerprintOf(row.standing);
    const identity = this.#equalRows.identify(`${this.#options.service}\n${outgoing.identity}`, own);
    const { fingerprint, repeats } = identity;
    const earlier = row.kind.sending === 'update' ? this.#earlierUpdate(row) : this.#guard(identity, settles);
    if (earlier === null) return { step: 'send', outgoing, fingerprint, repeats, ref, settles };
    outgoing.release();
    this.note(row, isIn(earlier.state) ? 'already-loaded' : 'in-doubt', earlier.id);
    return { step: 'note', note: noteOfEarlier(earlier), fingerprint, ref, settles };
  }

  /** Notes what became of a row, for the children that wait for it. */
  note(row: CheckedRow, state: EntryState, id: string | null): void {
    if (row.ref !== null && isIn(state)) this.#parents.add(row.kind.name, row.ref, id);
  }

  /** A row that its results sheet holds stays as it is. */
  #held(row: CheckedRow, held: HeldRow, ref: Buffer | null): Decision {
    this.note(row, held.state, held.id);
    const { state, id, companyId, url, message } = held;
    const settles = held.settles === null ? null : { ...held.settles, resolution: { created: held.settles.created } };
    const fingerprint = held.fingerprint ?? this.#placeholder(row);
    return { step: 'note', note: { ...untouched, state, id, companyId, url, message }, fingerprint, ref, settles };
  }

  #noted(row: CheckedRow, note: RowNote, ref: Buffer | null): Decision {
    return { step: 'note', note, fingerprint: this.#placeholder(row), ref, settles: null };
  }

  #made(row: CheckedRow, body: Record<string, unknown>, make: OutgoingMaker): OutgoingRow | string {
    const key = this.#options.idempotencyKeys ? `${this.#run}-${row.sheet}-${row.row}` : null;
    try {
      return make(row, body, key);
    } catch (error) {
      if (error instanceof AttachmentGone) return error.message;
      throw error;
    }
  }

  /** Stands for the fingerprint of a row whose body is not known yet. */
  #placeholder(row: CheckedRow): Buffer {
    return this.#ledger.fingerprint(`not sent\n${this.#run}\n${row.sheet}\n${row.row}`);
  }

  /** A resume leaves rows that are in, refused or in doubt as they are, and sends the others. */
  #staysAsItIs(row: CheckedRow): boolean {
    const before = this.#ledger.entry(this.#run, { sheet: row.sheet, row: row.row });
    if (before === null || isOpen(before.state)) return false;
    this.note(row, before.state, before.id);
    return true;
  }

  /** The live entry that keeps this row from being sent, or `null`. */
  #guard({ live, fingerprint }: RowIdentity, settles: SettledDoubt | null): EarlierEntry | null {
    if (live === null || (this.#options.again && isIn(live.state))) return null;
    // A doubt is met again, and noted, by each later run of its row: settling one of them settles it for all.
    const isSettledNow =
      settles !== null &&
      live.state === 'in-doubt' &&
      this.#ledger.entry(settles.run, settles.position)?.fingerprint.equals(fingerprint) === true;
    return isSettledNow ? null : live;
  }

  /** Updates have no guard across files, but the same file loaded again does not repeat those that are in. */
  #earlierUpdate(row: CheckedRow): EarlierEntry | null {
    for (const { id, sourceName, startedAt } of this.#options.earlierRuns) {
      const entry = this.#ledger.entry(id, { sheet: row.sheet, row: row.row });
      if (entry !== null && isIn(entry.state)) return { ...entry, sourceName, startedAt };
    }
    return null;
  }
}

function settledDoubtOf(standing: Standing): SettledDoubt | null {
  if (standing.kind !== 'not-created') return null;
  const { run, position } = standing;
  return { run, position, resolution: 'not-created' };
}

export function isIn(state: EntryState): boolean {
  return state !== 'sending' && rowStates[state].isIn;
}

/** What the ledger says of a row that an earlier one keeps from being sent. */
export function noteOfEarlier(earlier: EarlierEntry): RowNote {
  const day = earlier.startedAt.slice(0, 'YYYY-MM-DD'.length);
  const place = `${earlier.sourceName}, ${earlier.sheet} row ${earlier.row}, on ${day} (run ${earlier.run})`;
  if (isIn(earlier.state)) {
    const { id, companyId, url } = earlier;
    return { ...untouched, id, companyId, url, state: 'already-loaded', message: `Loaded before from ${place}.` };
  }
  const message = `The same row is in doubt from ${place}. Look it up in the service, then settle it with: dealsheet resolve ${earlier.run} --row "${earlier.sheet}!${earlier.row}"`;
  return { ...untouched, state: 'in-doubt', message };
}

const untouched = { attempts: 0, httpStatus: null, id: null, companyId: null, url: null } as const;

function isOpen(state: RowState | 'sending'): boolean {
  return state === 'not-sent' || state === 'waiting' || state === 'failed';
}

function* claimsOfRun(ledger: Ledger, run: string): Generator<string> {
  for (const { state, fingerprint } of ledger.entriesOfRun(run)) {
    if (isIn(state) || state === 'in-doubt') yield fingerprint.toString('hex');
  }
}
