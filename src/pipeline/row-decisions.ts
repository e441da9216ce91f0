/**
 * What is to be done with a row: send it, leave it, or only note why it is not sent. Nothing is written here, so that the
 * same decisions tell a person beforehand what will happen.
 */
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { RowState } from '../contract/row-state.ts';
import { isIn, isUnknown } from '../ledger/entry-state.ts';
import type {
  EarlierEntry,
  EntryState,
  Ledger,
  Repetition,
  RowPosition,
  RunRecord,
  RunRow,
  Settlement,
} from '../ledger/ledger.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import { saysNothingReadable, saysSomethingElse } from './changed-rows.ts';
import { type Claims, claimsOf, isRecordOfAnother, type Saying, sayingOf } from './claims.ts';
import { rowOfSource } from './earlier-loads.ts';
import type { EarlierRun } from './earlier-runs.ts';
import { EqualRows, type RowIdentity } from './equal-rows.ts';
import { type EarlierRow, earlierFingerprintOf, type Standing } from './held-rows.ts';
import type { JudgedRow } from './judged-row.ts';
import { AttachmentGone, type OutgoingMaker, type OutgoingRow } from './outgoing.ts';
import { Parents } from './parents.ts';
import { refText } from './reference-index.ts';
import { Siblings } from './siblings.ts';
import type { Survey } from './survey.ts';

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
  readonly earlierRuns: readonly EarlierRun[];
}

/** A doubt that a person has settled in a results sheet. */
export interface SettledDoubt {
  readonly row: RunRow;
  readonly resolution: { readonly created: string } | 'not-created';
}

/** What is noted of a row that went on in another run, and where it did. */
interface Elsewhere {
  readonly note: RowNote;
  readonly holder: RunRow | null;
  /** What made it itself there, or `null` when it is not in there. */
  readonly fingerprint: Buffer | null;
}

type HeldStanding = Extract<Standing, { kind: 'held' }>;

export type RowNote = Omit<Settlement, 'sheet' | 'row'>;

export type Decision =
  /** Wrong, or settled in this run before. */
  | { readonly step: 'leave'; readonly settles: SettledDoubt | null }
  | {
      readonly step: 'send';
      readonly outgoing: OutgoingRow;
      readonly fingerprint: Buffer;
      /** The digest of what a results sheet will show of the row, or `null` when that is all of it. */
      readonly shown: () => Buffer | null;
      readonly repeats: Repetition | null;
      readonly ref: Buffer | null;
      readonly settles: SettledDoubt | null;
    }
  /** Not sent, and the ledger is to say why. */
  | {
      readonly step: 'note';
      readonly note: RowNote;
      /** The row whose record it is in by, or may be; `null` when there is none. */
      readonly holder: RunRow | null;
      readonly fingerprint: Buffer;
      readonly shown: () => Buffer | null;
      readonly ref: Buffer | null;
      readonly settles: SettledDoubt | null;
    };

export class RowDecisions {
  readonly #ledger: Ledger;
  readonly #run: string;
  readonly #options: DecisionOptions;
  readonly #parents: Parents;
  readonly #equalRows: EqualRows;
  readonly #claims: Claims;
  readonly #saying: Saying;
  readonly #records = new Map<string, RunRecord | null>();

  constructor(survey: Survey, ledger: Ledger, run: string, options: DecisionOptions) {
    this.#ledger = ledger;
    this.#run = run;
    this.#options = options;
    this.#parents = new Parents(survey.references);
    this.#saying = sayingOf(survey.references);
    this.#claims = claimsOf(survey.claims, ledger, run, options);
    this.#equalRows = new EqualRows(ledger, {
      service: options.service,
      run,
      isFirstRun:
        !options.resumed && ledger.runs().every(({ id, service }) => id === run || service !== options.service),
      claims: this.#claims,
      earlierRuns: options.earlierRuns,
      siblings: new Siblings(ledger, (run) => this.#recordOf(run)),
    });
  }

  decide(row: JudgedRow, make: OutgoingMaker): Decision {
    if (this.#options.resumed && this.#staysAsItIs(row)) return { step: 'leave', settles: null };
    const ref = row.ref === null ? null : this.#ledger.fingerprint(refText(row.kind.name, row.ref));
    if (!row.isValid) return this.#wrong(row, ref);
    if (row.standing.kind === 'held') return this.#held(row, row.standing, ref, make);
    const elsewhere = this.#wentOnElsewhere(row);
    if (elsewhere !== null) return this.#noted(row, elsewhere.note, ref, elsewhere);
    const settles = settledDoubtOf(row.standing);
    const resolved = this.#parents.resolve(row);
    if (!resolved.ready) return this.#noted(row, { ...untouched, state: 'waiting', message: resolved.message }, ref);
    const outgoing = this.#made(row, resolved.body, make);
    if (typeof outgoing === 'string')
      return this.#noted(row, { ...untouched, state: 'not-sent', message: outgoing }, ref);
    const identity = this.#equalRows.identify({
      place: row,
      text: this.#textOf(outgoing.identity),
      says: this.#claims.isEmpty ? '' : this.#saying(row),
      own: this.#ownOf(row.standing),
      origin: row.standing.earlier?.row ?? null,
      ref,
      kind: row.kind.name,
    });
    const { fingerprint, repeats } = identity;
    const shown = () => (outgoing.hides ? this.#shownDigest(outgoing.shown()) : null);
    const earlier = row.kind.sending === 'update' ? this.#earlierUpdate(row) : this.#guard(identity, settles);
    if (earlier === null) return { step: 'send', outgoing, fingerprint, shown, repeats, ref, settles };
    outgoing.release();
    if (identity.isContested) return this.#contested(row, earlier, ref);
    this.note(row, isIn(earlier.state) ? 'already-loaded' : 'in-doubt', earlier.id);
    return { step: 'note', note: noteOfEarlier(earlier), holder: rowOf(earlier), fingerprint, shown, ref, settles };
  }

  /** It keeps what it was known by: whoever brings it back as it is gets the same answer. */
  #contested(row: JudgedRow, earlier: EarlierEntry, ref: Buffer | null): Decision {
    const note = { ...untouched, state: 'not-sent' as const, message: saysWhatAnotherSays(earlier) };
    return this.#noted(row, note, ref, { note, holder: null, fingerprint: earlierFingerprintOf(row.standing) });
  }

  /** The row of an earlier run that comes back in this one, with a results sheet or with its source; one that is in stays where it is. */
  supersededBy({ standing, sheet, row }: JudgedRow): RunRow | null {
    if (standing.kind === 'contradiction' || this.#wentOnFromHere({ sheet, row })) return null;
    if (standing.earlier !== null) return isHeldIn(standing) ? null : standing.earlier.row;
    if (standing.kind === 'held') return null;
    const latest = rowOfSource(this.#ledger, this.#options.earlierRuns, { sheet, row });
    return latest === null || latest.run === this.#run || this.#isInItself({ sheet, row }, latest) ? null : latest;
  }

  /** A row of a run that is taken up again may have come back in a later one: it does not come after that one as well. */
  #wentOnFromHere(position: RowPosition): boolean {
    return this.#options.resumed && this.#ledger.latest({ ...position, run: this.#run }).run !== this.#run;
  }

  /** Whether a row of the source is in, and not only the record of another row whose cells it was given in a results sheet. */
  #isInItself(position: RowPosition, latest: RunRow): boolean {
    const state = this.#ledger.entry(latest.run, latest)?.state;
    if (state === undefined || !isIn(state)) return false;
    return (
      state !== 'already-loaded' ||
      this.#options.earlierRuns.some(({ id, positionThen }) =>
        this.#ledger.wasTaken({ ...positionThen(position), run: id }),
      )
    );
  }

  /** Notes what became of a row, for the children that wait for it. */
  note(row: CheckedRow, state: EntryState, id: string | null): void {
    if (row.ref !== null && isIn(state)) this.#parents.add(row.kind.name, row.ref, id);
  }

  /** A row that is wrong as it stands here may be in, or in doubt, as it was corrected in a results sheet. */
  #wrong(row: JudgedRow, ref: Buffer | null): Decision {
    const elsewhere = row.standing.kind === 'free' ? this.#wentOnElsewhere(row) : null;
    if (elsewhere !== null && elsewhere.note.state !== 'not-sent') {
      return this.#noted(row, elsewhere.note, ref, elsewhere);
    }
    return { step: 'leave', settles: settledDoubtOf(row.standing) };
  }

  /** A row that its results sheet holds stays as it is. */
  #held(row: JudgedRow, { row: held, earlier }: HeldStanding, ref: Buffer | null, make: OutgoingMaker): Decision {
    this.note(row, held.state, held.id);
    const { state, id, companyId, url } = held;
    const change = state === 'in-doubt' ? null : this.#changeOf(row, earlier, make);
    const message = change === null ? held.message : `${held.message} ${change}`;
    const settles =
      held.settles === null ? null : { row: held.settles.row, resolution: { created: held.settles.created } };
    const fingerprint = earlier?.fingerprint ?? this.#placeholder(row);
    const note = { ...untouched, state, id, companyId, url, message };
    const holder = earlier?.row ?? null;
    return { step: 'note', note, holder, fingerprint, shown: () => earlier?.shown ?? null, ref, settles };
  }

  /** What is said of a row that is in and by now says something else; `null` too where that cannot be told. */
  #changeOf(row: JudgedRow, earlier: EarlierRow | null, make: OutgoingMaker): string | null {
    if (earlier === null || earlier.fingerprint === null || row.kind.sending === 'form') return null;
    if (row.reading === 'faulty') return saysNothingReadable;
    if (row.reading === 'unknown') return null;
    const resolved = this.#parents.resolve(row);
    if (!resolved.ready) return null;
    const outgoing = make(row, resolved.body, null);
    if (row.reading === 'whole') {
      return this.#equalRows.isOf(this.#textOf(outgoing.identity), earlier.fingerprint) ? null : saysSomethingElse;
    }
    if (earlier.shown === null) return null;
    return this.#shownDigest(outgoing.shown()).equals(earlier.shown) ? null : saysSomethingElse;
  }

  #textOf(identity: string): string {
    return `${this.#options.service}\n${identity}`;
  }

  #shownDigest(shown: string): Buffer {
    return this.#ledger.fingerprint(`shown\n${this.#textOf(shown)}`);
  }

  #noted(row: CheckedRow, note: RowNote, ref: Buffer | null, elsewhere: Elsewhere | null = null): Decision {
    const fingerprint = elsewhere?.fingerprint ?? this.#placeholder(row);
    return {
      step: 'note',
      note,
      holder: elsewhere?.holder ?? null,
      fingerprint,
      shown: () => null,
      ref,
      settles: null,
    };
  }

  #made(row: CheckedRow, body: Record<string, unknown>, make: OutgoingMaker): OutgoingRow | string {
    const key = this.#options.idempotencyKeys ? this.#idempotencyKeyOf(row) : null;
    try {
      return make(row, body, key);
    } catch (error) {
      if (error instanceof AttachmentGone) return error.message;
      throw error;
    }
  }

  /** The same for the same row of the same run, another in any other ledger, and fit for a header whatever the sheet's name. */
  #idempotencyKeyOf({ sheet, row }: CheckedRow): string {
    return this.#ledger.fingerprint(`idempotency\n${this.#run}\n${sheet}\n${row}`).toString('hex');
  }

  /** Stands for the fingerprint of a row whose body is not known yet. */
  #placeholder({ run = this.#run, sheet, row }: RowPosition & { readonly run?: string }): Buffer {
    return this.#ledger.fingerprint(`not sent\n${run}\n${sheet}\n${row}`);
  }

  /** What made a row itself when it went out in an earlier run, or `null` when it never did. */
  #ownOf({ earlier }: Standing): Buffer | null {
    const fingerprint = earlier?.fingerprint ?? null;
    if (earlier === null || fingerprint === null) return null;
    return fingerprint.equals(this.#placeholder(earlier.row)) ? null : fingerprint;
  }

  /** A row of this source may have gone on in a results sheet that a person corrected: then it is that one that counts. */
  #wentOnElsewhere(row: JudgedRow): Elsewhere | null {
    if (this.#options.again) return null;
    const { sheet, row: number } = row;
    const here = { sheet, row: number };
    const places = this.#options.earlierRuns.map(({ id: run, positionThen }) => ({ ...positionThen(here), run }));
    for (const position of this.#options.resumed ? [{ ...here, run: this.#run }, ...places] : places) {
      const { run } = position;
      const latest = this.#ledger.latest(position);
      const record = latest.run === run || latest.run === this.#run ? null : this.#recordOf(latest.run);
      if (record === null) continue;
      // A row that failed the checks there has no entry: it is to be corrected there.
      const entry = this.#ledger.entry(latest.run, latest);
      if (entry !== null && isRecordOfAnother(this.#ledger, position, entry)) continue;
      if (entry !== null && isIn(entry.state)) this.note(row, entry.state, entry.id);
      if (entry !== null && (isIn(entry.state) || isUnknown(entry.state))) {
        const note = noteOfEarlier({ ...entry, ...datesOf(record) });
        return { note, holder: latest, fingerprint: entry.fingerprint };
      }
      if (!this.#options.resumed) continue;
      const note = { ...untouched, state: 'not-sent' as const, message: goesOnIn(record) };
      return { note, holder: latest, fingerprint: null };
    }
    return null;
  }

  /** Asked for once a run, since the ledger counts its entries each time. */
  #recordOf(run: string): RunRecord | null {
    const known = this.#records.get(run);
    if (known !== undefined) return known;
    const record = this.#ledger.run(run);
    this.#records.set(run, record);
    return record;
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
      this.#ledger.entry(settles.row.run, settles.row)?.fingerprint.equals(fingerprint) === true;
    return isSettledNow ? null : live;
  }

  /** Updates have no guard across files, but the same file loaded again does not repeat those that are in. */
  #earlierUpdate(row: CheckedRow): EarlierEntry | null {
    for (const { id, sourceName, startedAt, positionThen } of this.#options.earlierRuns) {
      const entry = this.#ledger.entry(id, positionThen({ sheet: row.sheet, row: row.row }));
      if (entry !== null && isIn(entry.state)) return { ...entry, sourceName, startedAt };
    }
    return null;
  }
}

function isHeldIn(standing: Standing): boolean {
  return standing.kind === 'held' && standing.row.state === 'already-loaded';
}

function settledDoubtOf(standing: Standing): SettledDoubt | null {
  if (standing.kind !== 'not-created') return null;
  return { row: standing.earlier.row, resolution: 'not-created' };
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

function saysWhatAnotherSays({ sheet, row, id, state }: EarlierEntry): string {
  const record = isIn(state) ? `which is in${id === null ? '' : ` as ${id}`}` : 'which is in doubt';
  return `The row has come to say what ${sheet} row ${row} of the same source says, ${record}. If both are meant, bring it back together with that row; if it was given that row's cells, put its own back.`;
}

function rowOf({ run, sheet, row }: RunRow): RunRow {
  return { run, sheet, row };
}

function datesOf({ sourceName, startedAt }: RunRecord): Pick<EarlierEntry, 'sourceName' | 'startedAt'> {
  return { sourceName, startedAt };
}

function goesOnIn({ id, sourceName }: RunRecord): string {
  return `The row came back with ${sourceName} in the run ${id}, and goes on there.`;
}

const untouched = { attempts: 0, httpStatus: null, id: null, companyId: null, url: null } as const;

function isOpen(state: RowState | 'sending'): boolean {
  return state === 'not-sent' || state === 'waiting' || state === 'failed';
}
