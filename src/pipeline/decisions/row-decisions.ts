/**
 * What is to be done with a row: send it, leave it, or only note why it is not sent. Nothing is written here, so that the
 * same decisions tell a person beforehand what will happen.
 */
import { isIn, isOpen, isUnknown } from '../../ledger/entry-state.ts';
import type { EarlierEntry, EntryState, Ledger, RunRow } from '../../ledger/ledger.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { earlierFingerprintOf, type HeldRow, type Standing } from '../rows/held-rows.ts';
import {
  noteOfContested,
  noteOfEarlier,
  noteOfLate,
  noteOfLateDoubt,
  noteOfNotSent,
  noteOfWaiting,
  ofOtherParent,
  type RowNote,
  saidSinceExport,
  untouched,
} from '../rows/row-note.ts';
import { type Claims, claimsOf, type Saying, sayingOf } from '../survey/claims.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import type { Survey } from '../survey/survey.ts';
import { Comparison } from './comparison.ts';
import { CorrectedRows } from './corrected-rows.ts';
import type { Decision, SettledDoubt } from './decision.ts';
import type { DecisionOptions } from './decision-options.ts';
import { type EarlierDoubt, earlierDoubtIn } from './earlier-doubt.ts';
import { rowOfSource } from './earlier-loads.ts';
import { EarlierSendings } from './earlier-sendings.ts';
import { EarlierUpdates } from './earlier-updates.ts';
import { EqualRows, type RowIdentity } from './equal-rows.ts';
import { LaterUpdates, type UpdateStanding } from './later-updates.ts';
import { AttachmentGone, type OutgoingMaker, type OutgoingRow, outgoingMaker } from './outgoing.ts';
import { Parents } from './parents.ts';
import { RowDigests } from './row-digests.ts';
import { Siblings } from './siblings.ts';
import { type GoneOn, Succession } from './succession.ts';

/** By what a row is known that is not sent: where it is in, or may be, and what made it itself there. */
type KnownElsewhere = Pick<Extract<Decision, { step: 'note' }>, 'knownBy'> & { readonly fingerprint: Buffer | null };

const nowhere: KnownElsewhere = { knownBy: null, fingerprint: null };

type HeldStanding = Extract<Standing, { kind: 'held' }>;

export class RowDecisions {
  readonly #ledger: Ledger;
  readonly #run: string;
  readonly #options: DecisionOptions;
  readonly #parents: Parents;
  readonly #equalRows: EqualRows;
  readonly #claims: Claims;
  readonly #saying: Saying;
  readonly #digests: RowDigests;
  readonly #comparison: Comparison;
  readonly #succession: Succession;
  readonly #correctedRows: CorrectedRows;
  readonly #earlierSendings: EarlierSendings;
  readonly #sheets: Survey['sheets'];
  readonly #earlierUpdates: EarlierUpdates;
  readonly #laterUpdates: LaterUpdates;

  constructor(survey: Survey, ledger: Ledger, run: string, options: DecisionOptions) {
    this.#ledger = ledger;
    this.#run = run;
    this.#options = options;
    this.#parents = new Parents(survey.references);
    this.#digests = new RowDigests(ledger, options.service, run);
    this.#succession = new Succession(ledger, run, options);
    this.#earlierSendings = new EarlierSendings(ledger, options.earlierRuns, this.#succession);
    this.#sheets = survey.sheets;
    const wasReadOtherwise = (earlier: string) => this.#succession.wasReadOtherwise(earlier);
    this.#earlierUpdates = new EarlierUpdates(ledger, run, { ...options, wasReadOtherwise });
    this.#laterUpdates = new LaterUpdates(ledger, run);
    this.#saying = sayingOf(survey.references);
    this.#claims = claimsOf(survey.claims, ledger, run, options);
    const recordOf = (earlier: string) => this.#succession.recordOf(earlier);
    const siblings = new Siblings(ledger, recordOf);
    this.#correctedRows = new CorrectedRows(ledger, {
      service: options.service,
      run,
      claims: this.#claims,
      siblings,
      recordOf,
    });
    this.#equalRows = new EqualRows(ledger, {
      service: options.service,
      run,
      isFirstRun:
        !options.resumed && ledger.runs().every(({ id, service }) => id === run || service !== options.service),
      rows: survey.sheets.reduce((rows, sheet) => rows + sheet.rows, 0),
      claims: this.#claims,
      earlierRuns: options.earlierRuns,
      siblings,
    });
    this.#comparison = new Comparison(this.#parents, this.#digests, this.#equalRows);
  }

  /** Before the first decision: which updates are in that a row above them must not be written over. */
  lookAhead(): Promise<void> {
    const { resumed, earlierRuns } = this.#options;
    const runs = [...(resumed ? [this.#run] : []), ...earlierRuns.map(({ id }) => id)];
    const cameBack = runs.some((run) => this.#ledger.rowsThatCameBack(run).next().done !== true);
    return this.#laterUpdates.look(this.#sheets, cameBack, (row) => this.#standingOf(row));
  }

  decide(row: JudgedRow, make: OutgoingMaker): Decision {
    if (this.#options.resumed && this.#staysAsItIs(row)) return { step: 'leave', settles: null };
    const ref = this.#digests.ofRef(row);
    const refused = this.#options.resumed ? this.#refusedAndInElsewhere(row) : null;
    if (refused !== null) return this.#noted(row, refused.note, ref, refused);
    if (!row.isValid) return this.#wrong(row, ref);
    if (row.standing.kind === 'held') return this.#held(row, row.standing, ref, make);
    const goneOn = this.#goneOn(row);
    if (goneOn !== null) return this.#noted(row, this.#noteOfGoneOn(row, goneOn, make), ref, goneOn);
    const resolved = this.#parents.resolve(row);
    if (!resolved.ready) {
      const doubt = row.standing.kind === 'free' ? this.#earlierSendings.doubtOf(row) : null;
      return this.#noted(row, doubt?.note ?? noteOfWaiting(resolved.message), ref, doubt ?? nowhere);
    }
    const outgoing = this.#made(row, resolved.body, make);
    if (typeof outgoing === 'string') return this.#noted(row, noteOfNotSent(outgoing), ref);
    const decision = this.#ofOutgoing(row, outgoing, ref);
    if (decision.step !== 'send') outgoing.release();
    return decision;
  }

  /** A row that could go out as it is: whether it is in already, or something else is against it. */
  #ofOutgoing(row: JudgedRow, outgoing: OutgoingRow, ref: Buffer | null): Decision {
    const text = this.#digests.textOf(outgoing.identity);
    const identity = this.#equalRows.identify({
      place: row,
      text,
      says: this.#claims.isEmpty ? '' : this.#saying(row),
      own: this.#ownOf(row.standing),
      origin: row.standing.earlier?.row ?? null,
      ref,
      kind: row.kind.name,
    });
    const { fingerprint, repeats } = identity;
    const shown = () => (outgoing.hides ? this.#digests.ofShown(outgoing.shown()) : null);
    const settles = settledDoubtOf(row.standing);
    const isUpdate = row.kind.sending === 'update';
    const saysSame = (one: Buffer) => this.#equalRows.isOf(text, one);
    const earlier = isUpdate ? this.#earlierUpdates.of(row, saysSame) : this.#guard(identity, settles);
    if (earlier !== null) {
      if (identity.isContested) return this.#knownAsBefore(row, noteOfContested(earlier), ref);
      this.note(row, isIn(earlier.state) ? 'already-loaded' : 'in-doubt', earlier.id);
      const note = noteOfEarlier(earlier, isUpdate ? this.#earlierUpdates.since(earlier, row.pathId, saysSame) : null);
      return { step: 'note', note, knownBy: rowOf(earlier), fingerprint, shown, ref, settles };
    }
    const rival = this.#laterUpdates.rivalOf(row);
    if (rival !== null) {
      const doubt = this.#earlierDoubtOf(row, text);
      if (doubt === null) return { ...this.#knownAsBefore(row, noteOfLate(rival), ref), settles };
      const note = noteOfLateDoubt(doubt.told, doubt.isRepeated ? 'not-sent' : 'in-doubt', rival);
      return { step: 'note', note, knownBy: null, fingerprint, shown, ref, settles };
    }
    const before = this.#wentOutOtherwise(row, fingerprint, saysSame);
    if (before !== null) return this.#noted(row, before.note, ref, before);
    if (isUpdate) this.#laterUpdates.goesOut(row);
    const earlierDoubt = isUpdate ? this.#earlierDoubtOf(row, text) : null;
    return { step: 'send', outgoing, fingerprint, shown, repeats, ref, settles, earlierDoubt };
  }

  /** It keeps what it was known by: whoever brings it back as it is gets the same answer. */
  #knownAsBefore(row: JudgedRow, note: RowNote, ref: Buffer | null): Decision {
    return this.#noted(row, note, ref, { knownBy: null, fingerprint: earlierFingerprintOf(row.standing) });
  }

  /** See {@link Succession.supersededBy}. */
  supersededBy(row: JudgedRow): RunRow | null {
    return this.#succession.supersededBy(row);
  }

  /** Notes what became of a row, for the children that wait for it. */
  note(row: CheckedRow, state: EntryState, id: string | null): void {
    if (row.ref !== null && isIn(state)) this.#parents.add(row.kind.name, row.ref, id);
  }

  /** A row that is wrong as it stands here may be in, or in doubt, as it was corrected in a results sheet, or as it was right before. */
  #wrong(row: JudgedRow, ref: Buffer | null): Decision {
    const known = row.standing.kind === 'free' ? (this.#goneOn(row) ?? this.#earlierSendings.doubtOf(row)) : null;
    if (known !== null && known.note.state !== 'not-sent') return this.#noted(row, known.note, ref, known);
    return { step: 'leave', settles: settledDoubtOf(row.standing) };
  }

  #goneOn(row: CheckedRow): GoneOn | null {
    const goneOn = this.#succession.goneOn(row);
    if (goneOn !== null) this.note(row, goneOn.note.state, goneOn.note.id);
    return goneOn;
  }

  /** The same bytes, read in the same way, say something else only by the record that they name. */
  #noteOfGoneOn(row: JudgedRow, goneOn: GoneOn, make: OutgoingMaker): RowNote {
    const { run } = goneOn.knownBy;
    const isSameSource =
      this.#options.earlierRuns.some(({ id }) => id === run) && !this.#succession.wasReadOtherwise(run);
    return isSameSource && row.references.length > 0 && this.#comparison.wentInOtherwise(row, goneOn, make)
      ? ofOtherParent(goneOn.note)
      : this.#comparison.noteOf(row, goneOn, make);
  }

  /** A row that its results sheet holds stays as it is. */
  #held(row: JudgedRow, { row: held, earlier }: HeldStanding, ref: Buffer | null, make: OutgoingMaker): Decision {
    const { state, id, companyId, url } = held;
    const change = state === 'in-doubt' ? null : this.#comparison.changeOf(row, earlier, make);
    if (row.ref !== null && ref !== null && this.#hasAnothersRef(row, id, ref, change !== null)) {
      this.#parents.contradict(row.kind.name, row.ref);
    } else this.note(row, state, id);
    const further = change ?? this.#changedSinceExport(held);
    const message = further === null ? held.message : `${held.message} ${further}`;
    const settles =
      held.settles === null ? null : { row: held.settles.row, resolution: { created: held.settles.created } };
    const fingerprint = earlier?.fingerprint ?? this.#digests.placeholderOf(row);
    const note = { ...untouched, state, id, companyId, url, message };
    const knownBy = earlier?.row ?? null;
    return { step: 'note', note, knownBy, fingerprint, shown: () => earlier?.shown ?? null, ref, settles };
  }

  /** A row that was changed in an export, loaded, and put back to what was exported. */
  #changedSinceExport({ exportedAt, id }: HeldRow): string | null {
    if (exportedAt === null || id === null) return null;
    const since = this.#earlierUpdates.sinceExport(exportedAt, id);
    return since === null ? null : saidSinceExport(since);
  }

  /**
   * Cells may have been moved between the rows of a results sheet: the Ref is then that of another record, or of a row that is
   * not in and says what this one says now.
   */
  #hasAnothersRef({ kind }: CheckedRow, id: string | null, ref: Buffer, isChanged: boolean): boolean {
    const known = this.#ledger.idsOfRef(this.#options.service, kind.name, ref);
    return (isChanged || known.length > 0) && known.every((one) => one.id !== id);
  }

  #noted(row: CheckedRow, note: RowNote, ref: Buffer | null, known: KnownElsewhere = nowhere): Decision {
    const fingerprint = known.fingerprint ?? this.#digests.placeholderOf(row);
    return { step: 'note', note, knownBy: known.knownBy, fingerprint, shown: () => null, ref, settles: null };
  }

  #made(row: CheckedRow, body: Record<string, unknown>, make: OutgoingMaker): OutgoingRow | string {
    const key = this.#options.idempotencyKeys ? this.#digests.idempotencyKeyOf(row) : null;
    try {
      return make(row, body, key);
    } catch (error) {
      if (error instanceof AttachmentGone) return error.message;
      throw error;
    }
  }

  /** Whether an update is in, or may be, and with what. */
  #standingOf(row: JudgedRow): UpdateStanding {
    const { contract, attachmentsFolder, resumed } = this.#options;
    const make = outgoingMaker(row.kind, contract, attachmentsFolder);
    if (row.standing.kind === 'held')
      return this.#comparison.changeOf(row, row.standing.earlier, make) === null ? 'as-here' : 'otherwise';
    const here = resumed ? this.#ledger.entry(this.#run, { sheet: row.sheet, row: row.row }) : null;
    if (here !== null && (isIn(here.state) || isUnknown(here.state))) return 'as-here';
    const goneOn = this.#succession.goneOn(row);
    if (goneOn !== null && goneOn.note.state !== 'not-sent')
      return row.reading === 'faulty' || this.#comparison.wentInOtherwise(row, goneOn, make) ? 'otherwise' : 'as-here';
    const saysSame = (one: Buffer) => !this.#comparison.isOther(row, one, make);
    return this.#earlierUpdates.of(row, saysSame) === null ? 'not-there' : 'as-here';
  }

  /** An earlier sending of an update, with the same values, that may have been applied. */
  #earlierDoubtOf(row: JudgedRow, text: string): EarlierDoubt | null {
    const { standing, sheet, row: number } = row;
    // A person has looked it up.
    if (standing.kind === 'not-created') return null;
    const here = this.#options.resumed ? this.#ledger.entry(this.#run, { sheet, row: number }) : null;
    const before =
      standing.earlier?.row ?? rowOfSource(this.#ledger, this.#options.earlierRuns, { sheet, row: number });
    const entry = here ?? (before === null ? null : this.#ledger.entry(before.run, before));
    return entry !== null && this.#equalRows.isOf(text, entry.fingerprint) ? earlierDoubtIn(entry) : null;
  }

  /** Where a row went out before with other values, for another record or with another file; else `null`. */
  #wentOutOtherwise(row: JudgedRow, fingerprint: Buffer, saysSame: (one: Buffer) => boolean): GoneOn | null {
    const own = this.#ownOf(row.standing);
    const isGuarded = row.kind.sending !== 'update' && !this.#options.again;
    const found =
      this.#earlierSendings.otherwise(row) ??
      (isGuarded ? this.#correctedRows.of({ standing: row.standing, own, fingerprint, saysSame }) : null);
    if (found !== null) this.note(row, found.note.state, found.note.id);
    return found;
  }

  /** What made a row itself when it went out in an earlier run, or `null` when it never did. */
  #ownOf({ earlier }: Standing): Buffer | null {
    if (earlier === null || earlier.fingerprint === null) return null;
    return this.#digests.isPlaceholderOf(earlier.row, earlier.fingerprint) ? null : earlier.fingerprint;
  }

  /** A resume leaves rows that are in, refused or in doubt as they are, and sends the others. */
  #staysAsItIs(row: CheckedRow): boolean {
    const before = this.#ledger.entry(this.#run, { sheet: row.sheet, row: row.row });
    if (before === null || isOpen(before.state)) return false;
    if (before.state === 'rejected' && (this.#isInLater(row) || this.#refusedAndInElsewhere(row) !== null))
      return false;
    this.note(row, before.state, before.id);
    return true;
  }

  /** Whether a row came back in a later run, and is in by that, or may be: one that was refused here, too. */
  #isInLater(row: CheckedRow): boolean {
    const goneOn = this.#succession.goneOn(row);
    return goneOn !== null && goneOn.note.state !== 'not-sent';
  }

  /** Where a row that was refused in this run is in by another file that has it too, or may be; else `null`. */
  #refusedAndInElsewhere(row: CheckedRow): GoneOn | null {
    const here = this.#ledger.entry(this.#run, { sheet: row.sheet, row: row.row });
    if (here?.state !== 'rejected' || row.kind.sending === 'update' || this.#options.again) return null;
    const found = this.#correctedRows.refusedOf(here);
    if (found !== null) this.note(row, found.note.state, found.note.id);
    return found;
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
}

function settledDoubtOf(standing: Standing): SettledDoubt | null {
  if (standing.kind !== 'not-created') return null;
  return { row: standing.earlier.row, resolution: 'not-created' };
}

function rowOf({ run, sheet, row }: RunRow): RunRow {
  return { run, sheet, row };
}
