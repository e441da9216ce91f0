/**
 * What is to be done with a row: send it, leave it, or only note why it is not sent. Nothing is written here, so that the
 * same decisions tell a person beforehand what will happen.
 */

import { isIn, isOpen } from '../../ledger/entry-state.ts';
import type { EarlierEntry, EntryState, Ledger, RunRow } from '../../ledger/ledger.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { isMessage, type Message, withAlso } from '../../messages/message.ts';
import { earlierFingerprintOf, type HeldRow, type Standing } from '../rows/held-rows.ts';
import {
  noteOfContested,
  noteOfEarlier,
  noteOfLate,
  noteOfLateDoubt,
  noteOfNotSent,
  noteOfWaiting,
  type Rival,
  type RowNote,
  saidSinceExport,
  untouched,
} from '../rows/row-note.ts';
import { rowOf } from '../rows/row-place.ts';
import { type Claims, claimsOf, type Saying, sayingOf } from '../survey/claims.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import type { Survey } from '../survey/survey.ts';
import { Comparison } from './comparison.ts';
import { CorrectedRows, type InCorrected } from './corrected-rows.ts';
import type { Decision, SettledDoubt } from './decision.ts';
import type { DecisionOptions } from './decision-options.ts';
import { EqualRows, type RowIdentity } from './equal-rows.ts';
import { LeftBefore } from './left-before.ts';
import { AttachmentGone, type OutgoingMaker, type OutgoingRow } from './outgoing.ts';
import { Parents } from './parents.ts';
import { RowDigests } from './row-digests.ts';
import { Siblings } from './siblings.ts';
import { type GoneOn, Succession } from './succession.ts';
import { Updates } from './updates.ts';

/** By what a row is known that is not sent: where it is in, or may be, and what made it itself there. */
type KnownElsewhere = Pick<Extract<Decision, { step: 'note' }>, 'knownBy'> & { readonly fingerprint: Buffer | null };

const nowhere: KnownElsewhere = { knownBy: null, fingerprint: null };

/** What is written of a row that could go out, whether it does or not. */
type OutgoingFacts = Pick<Extract<Decision, { step: 'send' }>, 'fingerprint' | 'shown' | 'ref' | 'settles'>;

type NotedDecision = Extract<Decision, { step: 'note' }>;

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
  readonly #sheets: Survey['sheets'];
  readonly #before: LeftBefore;
  readonly #updates: Updates;

  constructor(survey: Survey, ledger: Ledger, run: string, options: DecisionOptions) {
    this.#ledger = ledger;
    this.#run = run;
    this.#options = options;
    this.#parents = new Parents(survey.references);
    this.#digests = new RowDigests(ledger, options.service, run);
    this.#succession = new Succession(ledger, run, options);
    this.#sheets = survey.sheets;
    this.#saying = sayingOf(survey.references);
    this.#claims = claimsOf(survey.claims, ledger, run, options);
    const recordOf = (earlier: string) => this.#succession.recordOf(earlier);
    const siblings = new Siblings(ledger, recordOf);
    this.#correctedRows = new CorrectedRows(ledger, {
      service: options.service,
      run,
      sourcePath: options.sourcePath,
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
    this.#before = new LeftBefore(ledger, options, {
      succession: this.#succession,
      comparison: this.#comparison,
      parents: this.#parents,
    });
    this.#updates = new Updates(ledger, run, options, {
      succession: this.#succession,
      comparison: this.#comparison,
      equalRows: this.#equalRows,
    });
  }

  /** Before the first decision: which updates are in that a row above them must not be written over. */
  lookAhead(): Promise<void> {
    return this.#updates.lookAhead(this.#sheets);
  }

  decide(row: JudgedRow, make: OutgoingMaker): Decision {
    if (this.#options.resumed && this.#staysAsItIs(row)) return { step: 'leave', settles: null };
    const ref = this.#digests.ofRef(row);
    const refused = this.#options.resumed ? this.#refusedAndInElsewhere(row) : null;
    if (refused !== null) return this.#noted(row, refused.note, ref, refused);
    if (!row.isValid) return this.#wrong(row, ref);
    if (row.standing.kind === 'held') return this.#held(row, row.standing, ref, make);
    const goneOn = this.#before.goneOn(row);
    if (goneOn !== null) return this.#noted(row, this.#before.noteOfGoneOn(row, goneOn, make), ref, goneOn);
    const resolved = this.#parents.resolve(row);
    if (!resolved.ready) {
      const doubt = row.standing.kind === 'free' ? this.#before.doubtOf(row) : null;
      if (doubt !== null) return this.#noted(row, doubt.note, ref, doubt);
      const waiting = this.#noted(row, noteOfWaiting(resolved.message), ref);
      return { ...waiting, shown: () => this.#digests.ofWaiting(row) };
    }
    const outgoing = this.#made(row, resolved.body, make);
    if (isMessage(outgoing)) return this.#noted(row, noteOfNotSent(outgoing), ref);
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
    const facts = { fingerprint, shown, ref, settles };
    const isUpdate = row.kind.sending.isUpdate;
    const earlier = isUpdate ? this.#updates.inBy(row, text) : this.#guard(identity, settles);
    if (earlier !== null) {
      return identity.isContested
        ? this.#knownAsBefore(row, noteOfContested(earlier), ref)
        : this.#inBy(earlier, row, text, facts);
    }
    const rival = this.#updates.rivalOf(row);
    if (rival !== null) return this.#overtaken(rival, row, text, facts);
    const otherwise = this.#before.wentOutOtherwise(row);
    if (otherwise !== null) return this.#noted(row, otherwise.note, ref, otherwise);
    const corrected = this.#wentOutCorrected(row, text, { fingerprint, ref });
    // That record may be another one: later files are not to find it by this Ref.
    if (corrected !== null) return this.#noted(row, corrected.note, corrected.isPerhapsAnother ? null : ref, corrected);
    if (isUpdate) this.#updates.goesOut(row);
    const earlierDoubt = isUpdate ? this.#updates.earlierDoubtOf(row, text) : null;
    return { step: 'send', outgoing, repeats, earlierDoubt, ...facts };
  }

  /** A row that is in by an earlier one, or may be. */
  #inBy(earlier: EarlierEntry, row: JudgedRow, text: string, facts: OutgoingFacts): Decision {
    this.note(row, isIn(earlier.state) ? 'already-loaded' : 'in-doubt', earlier.id);
    const since = row.kind.sending.isUpdate ? this.#updates.since(earlier, row, text) : null;
    return { step: 'note', note: noteOfEarlier(earlier, since), knownBy: rowOf(earlier), ...facts };
  }

  /** An update that comes too late, and may have been applied by an earlier sending all the same. */
  #overtaken(rival: Rival, row: JudgedRow, text: string, facts: OutgoingFacts): Decision {
    const doubt = this.#updates.earlierDoubtOf(row, text);
    if (doubt === null) return { ...this.#knownAsBefore(row, noteOfLate(rival), facts.ref), settles: facts.settles };
    const note = noteOfLateDoubt(doubt.told, doubt.isRepeated ? 'not-sent' : 'in-doubt', rival);
    return { step: 'note', note, knownBy: null, ...facts };
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
    this.#parents.note(row, state, id);
  }

  /** A row that is wrong as it stands here may be in, or in doubt, as it was corrected in a results sheet, or as it was right before. */
  #wrong(row: JudgedRow, ref: Buffer | null): Decision {
    const known = row.standing.kind === 'free' ? (this.#before.goneOn(row) ?? this.#before.doubtOf(row)) : null;
    if (known !== null && known.note.state !== 'not-sent') return this.#noted(row, known.note, ref, known);
    return { step: 'leave', settles: settledDoubtOf(row.standing) };
  }

  /** A row that its results sheet holds stays as it is. */
  #held(row: JudgedRow, { row: held, earlier }: HeldStanding, ref: Buffer | null, make: OutgoingMaker): Decision {
    const { state, id, companyId, url } = held;
    const change = state === 'in-doubt' ? null : this.#comparison.changeOf(row, earlier, make);
    if (row.ref !== null && ref !== null && this.#hasAnothersRef(row, id, ref, change !== null)) {
      this.#parents.contradict(row.kind.name, row.ref, 'cells-moved');
    } else this.note(row, state, id);
    const further = change ?? this.#changedSinceExport(held);
    const message = further === null ? held.message : withAlso(held.message, further);
    const settles =
      held.settles === null ? null : { row: held.settles.row, resolution: { created: held.settles.created } };
    const fingerprint = earlier?.fingerprint ?? this.#digests.placeholderOf(row);
    const note = { ...untouched, state, id, companyId, url, message };
    const knownBy = earlier?.row ?? null;
    return { step: 'note', note, knownBy, fingerprint, shown: () => earlier?.shown ?? null, ref, settles };
  }

  /** A row that was changed in an export, loaded, and put back to what was exported. */
  #changedSinceExport({ exportedAt, id }: HeldRow): Message | null {
    if (exportedAt === null || id === null) return null;
    const since = this.#updates.sinceExport(exportedAt, id);
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

  #noted(row: CheckedRow, note: RowNote, ref: Buffer | null, known: KnownElsewhere = nowhere): NotedDecision {
    const fingerprint = known.fingerprint ?? this.#digests.placeholderOf(row);
    return { step: 'note', note, knownBy: known.knownBy, fingerprint, shown: () => null, ref, settles: null };
  }

  #made(row: CheckedRow, body: Record<string, unknown>, make: OutgoingMaker): OutgoingRow | Message {
    const key = this.#options.idempotencyKeys ? this.#digests.idempotencyKeyOf(row) : null;
    try {
      return make(row, body, key);
    } catch (error) {
      if (error instanceof AttachmentGone) return error.told;
      throw error;
    }
  }

  /** Where a row went out with another file, as it was corrected, or as it was before; else `null`. */
  #wentOutCorrected(
    row: JudgedRow,
    text: string,
    digests: Pick<OutgoingFacts, 'fingerprint' | 'ref'>,
  ): InCorrected | null {
    const { kind, standing } = row;
    if (kind.sending.isUpdate || this.#options.again) return null;
    const saysSame = (one: Buffer) => this.#equalRows.isOf(text, one);
    const found = this.#correctedRows.of({
      place: row,
      standing,
      own: this.#ownOf(standing),
      ...digests,
      saidWaiting: () => this.#digests.ofWaiting(row),
      saysSame,
    });
    if (found?.isPerhapsAnother === true && row.ref !== null)
      this.#parents.contradict(row.kind.name, row.ref, 'may-be-another');
    else if (found !== null) this.note(row, found.note.state, found.note.id);
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
    if (before.state === 'rejected' && (this.#before.isInLater(row) || this.#refusedAndInElsewhere(row) !== null))
      return false;
    this.note(row, before.state, before.id);
    return true;
  }

  /** Where a row that was refused in this run is in by another file that has it too, or may be; else `null`. */
  #refusedAndInElsewhere(row: CheckedRow): GoneOn | null {
    const here = this.#ledger.entry(this.#run, { sheet: row.sheet, row: row.row });
    if (here?.state !== 'rejected' || row.kind.sending.isUpdate || this.#options.again) return null;
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
