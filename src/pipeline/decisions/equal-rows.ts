/**
 * Tells equal rows of a source apart: the n-th of them has a fingerprint of its own, for two equal payments can be two
 * payments. Its one rule: of other files, what counts is how many of them are in, not which; so the rows of a source meet
 * those first, and only the rows beyond are new. A row of this very file that is in is met by that row alone.
 */
import type { RecordKindName } from '../../contract/record-kind.ts';
import {
  type EarlierEntry,
  isSameRow,
  type Ledger,
  type Repetition,
  type RowPosition,
  type RunRow,
} from '../../ledger/ledger.ts';
import { placeOf } from '../rows/row-place.ts';
import type { Claims } from '../survey/claims.ts';
import type { EarlierRun } from './earlier-runs.ts';
import { Occurrences } from './occurrences.ts';
import type { Siblings } from './siblings.ts';

export interface EqualRowsOptions {
  readonly service: string;
  /** The run that sends the rows: what it has sent itself is no earlier file. */
  readonly run: string;
  /** Earlier runs of the same source: what went in with them is told apart by its place. */
  readonly earlierRuns: readonly Pick<EarlierRun, 'id' | 'positionNow'>[];
  /** About how many rows will be identified. */
  readonly rows: number;
  /** Whether no row of the service can be in: then none is looked up. */
  readonly isFirstRun: boolean;
  readonly claims: Claims;
  readonly siblings: Siblings;
}

/** A row that is about to be sent. */
export interface ReadyRow {
  readonly place: RowPosition;
  /** Everything that equal rows have in common. */
  readonly text: string;
  /** What its cells say ({@link Claims}). */
  readonly says: string;
  /** The fingerprint that it has from its own earlier run, or `null`; it counts while the row says the same. */
  readonly own: Buffer | null;
  /** Where it first came from, when it comes back with a results sheet; else `null`. */
  readonly origin: RunRow | null;
  /** The keyed digest of its ref, or `null`. */
  readonly ref: Buffer | null;
  readonly kind: RecordKindName;
}

/** What makes a row itself, and the entry that keeps it from being sent, if there is one. */
export interface RowIdentity {
  readonly fingerprint: Buffer;
  readonly repeats: Repetition | null;
  readonly live: EarlierEntry | null;
  /**
   * Whether the live entry is that of another row of the same source, which this one has come to say the same as: it may have
   * been corrected to that, or been given the cells of that row, and nobody can tell which.
   */
  readonly isContested: boolean;
}

/** A row that meets those that are in. */
interface MeetingRow extends ReadyRow {
  /** The fingerprint that it had, and that an equal row of its source went in with. */
  readonly taken?: Buffer;
}

/** The occurrences of a row that are in, and that no row of this source has met yet. */
interface LeftToMeet {
  /** Those that went in with this very source, by their places. */
  readonly byPlace: Map<string, number>;
  readonly ofOthers: MetLater[];
}

interface MetLater {
  readonly occurrence: number;
  readonly live: EarlierEntry;
}

export class EqualRows {
  readonly #ledger: Ledger;
  readonly #options: EqualRowsOptions;
  /** Rows that were met, of those that no file had several times. */
  readonly #met = new Occurrences();
  /** Occurrences that were tried for rows that are new. */
  readonly #tried: Occurrences;
  /** Of rows that some file had several times. */
  readonly #leftToMeet = new Map<string, LeftToMeet>();
  readonly #numbers = new Map<string, ReadonlyMap<string, number>>();
  /** What was given to rows of a results sheet, in hexadecimal: rows of two runs may come with the same. */
  readonly #given = new Set<string>();
  /** The last answer: most rows have one fingerprint alone, and it is asked for twice. */
  #looked: { readonly fingerprint: Buffer; readonly live: EarlierEntry | null } | null = null;

  constructor(ledger: Ledger, options: EqualRowsOptions) {
    this.#ledger = ledger;
    this.#options = options;
    this.#tried = new Occurrences(options.rows);
  }

  identify(row: ReadyRow): RowIdentity {
    const first = this.#ledger.fingerprint(row.text);
    const own = row.own !== null && this.#given.has(row.own.toString('hex')) ? null : row.own;
    const ownOccurrence = this.#ownOccurrence(first, own);
    const isTaken = ownOccurrence !== null && own !== null && this.#isTakenBySibling(row, own);
    const occurrence = isTaken
      ? this.#nextOccurrence(first, { ...row, own: null, taken: own })
      : (ownOccurrence ?? this.#nextOccurrence(first, row));
    const fingerprint = this.#fingerprintOf(first, occurrence);
    if (!this.#options.claims.isEmpty) this.#given.add(fingerprint.toString('hex'));
    const repeats = occurrence === 1 ? null : { fingerprint: first, occurrence };
    const live = this.#liveEntry(fingerprint);
    return { fingerprint, repeats, live, isContested: live !== null && this.#isOfSibling(row, live) };
  }

  /** Whether a row that says this may have this fingerprint: then it still says what it said. */
  isOf(text: string, fingerprint: Buffer): boolean {
    return this.#ownOccurrence(this.#ledger.fingerprint(text), fingerprint) !== null;
  }

  #ownOccurrence(first: Buffer, own: Buffer | null): number | null {
    if (own === null) return null;
    const most = this.#ledger.occurrencesOf(this.#options.service, first);
    if (most === 1) return first.equals(own) ? 1 : null;
    return this.#numbersOf(first, most).get(own.toString('hex')) ?? null;
  }

  /** A row that was refused left its fingerprint free, and an equal row of its source may have gone in with it since. */
  #isTakenBySibling(row: ReadyRow, own: Buffer): boolean {
    const live = this.#liveEntry(own);
    return live !== null && this.#isOfSibling(row, live);
  }

  /** The occurrences of a row that was sent several times, by their fingerprints: made once, for each may come back. */
  #numbersOf(first: Buffer, most: number): ReadonlyMap<string, number> {
    const key = first.toString('hex');
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const numbers = new Map<string, number>();
    for (let occurrence = 1; occurrence <= most; occurrence += 1) {
      numbers.set(this.#fingerprintOf(first, occurrence).toString('hex'), occurrence);
    }
    this.#numbers.set(key, numbers);
    return numbers;
  }

  #nextOccurrence(first: Buffer, row: MeetingRow): number {
    const met = this.#options.isFirstRun ? null : this.#nextInWithOthers(first, row);
    if (met !== null) return met;
    for (;;) {
      const occurrence = this.#tried.next(first);
      const fingerprint = this.#fingerprintOf(first, occurrence);
      // One that is live is taken, also by this very run: a row that was met goes out once more when it is loaded again.
      if (!this.#isClaimed(fingerprint, row) && this.#liveEntry(fingerprint) === null) return occurrence;
    }
  }

  /** The occurrence of a row that is in with another load and that no row of this source has met yet, or `null`. */
  #nextInWithOthers(first: Buffer, row: MeetingRow): number | null {
    const most = this.#ledger.occurrencesOf(this.#options.service, first);
    if (most === 1) {
      const live = this.#inWithOthers(first, row);
      return live !== null && this.#mayBe(row, first, live) && this.#met.next(first) === 1 ? 1 : null;
    }
    const key = first.toString('hex');
    const left = this.#leftToMeet.get(key) ?? this.#allInWithOthers(first, most, row);
    this.#leftToMeet.set(key, left);
    const own = left.byPlace.get(placeOf(row.place));
    if (own !== undefined) return own;
    const refs = row.ref === null ? [] : this.#ledger.idsOfRef(this.#options.service, row.kind, row.ref);
    const free = ({ occurrence, live }: MetLater) => {
      const fingerprint = this.#fingerprintOf(first, occurrence);
      if (row.taken?.equals(fingerprint) === true) return false;
      return row.own !== null || !this.#isOfAbsentSibling(row, fingerprint, live);
    };
    // Of equal rows, the one that went in under the same ref is meant.
    const chosen =
      left.ofOthers.find((one) => refs.some((known) => isSameRow(known, one.live)) && free(one)) ??
      left.ofOthers.find(free);
    if (chosen === undefined) return null;
    left.ofOthers.splice(left.ofOthers.indexOf(chosen), 1);
    return chosen.occurrence;
  }

  #allInWithOthers(first: Buffer, most: number, row: MeetingRow): LeftToMeet {
    const left: LeftToMeet = { byPlace: new Map(), ofOthers: [] };
    // The first may have been met before there were more.
    for (let occurrence = this.#met.next(first) === 1 ? 1 : 2; occurrence <= most; occurrence += 1) {
      const live = this.#inWithOthers(this.#fingerprintOf(first, occurrence), row);
      if (live === null) continue;
      const place = this.#placeInThisSource(live);
      if (place !== null) left.byPlace.set(placeOf(place), occurrence);
      else left.ofOthers.push({ occurrence, live });
    }
    return left;
  }

  /** Whether a row that is in with another load may be this one: of the same source, it is the one at its place alone. */
  #mayBe(row: ReadyRow, fingerprint: Buffer, live: EarlierEntry): boolean {
    const itsPlace = this.#placeInThisSource(live);
    if (itsPlace !== null) return placeOf(itsPlace) === placeOf(row.place);
    // One that went out once and says something else by now is told, and left to a person.
    return row.own !== null || !this.#isOfAbsentSibling(row, fingerprint, live);
  }

  /** Whether a row that is in is a sibling which was taken out of the results sheet. Of one that stands there, its claim tells. */
  #isOfAbsentSibling(row: ReadyRow, fingerprint: Buffer, live: EarlierEntry): boolean {
    return !this.#options.claims.has(fingerprint) && this.#isOfSibling(row, live);
  }

  /** Whether a row that is in is another row of the source that this one first came with. */
  #isOfSibling({ origin }: ReadyRow, live: EarlierEntry): boolean {
    const { siblings } = this.#options;
    return origin !== null && siblings.isSibling(siblings.sourceRowOf(origin), live);
  }

  /** Where a row stands in this source that went in with it in an earlier load; `null` when it went in with another. */
  #placeInThisSource(live: EarlierEntry): RowPosition | null {
    return this.#options.earlierRuns.find(({ id }) => id === live.run)?.positionNow(live) ?? null;
  }

  #inWithOthers(fingerprint: Buffer, row: MeetingRow): EarlierEntry | null {
    const live = this.#liveEntry(fingerprint);
    return live === null || live.run === this.#options.run || this.#isClaimed(fingerprint, row) ? null : live;
  }

  #liveEntry(fingerprint: Buffer): EarlierEntry | null {
    if (this.#options.isFirstRun) return null;
    if (this.#looked?.fingerprint !== fingerprint) {
      this.#looked = { fingerprint, live: this.#ledger.liveEntry(this.#options.service, fingerprint) };
    }
    return this.#looked.live;
  }

  #isClaimed(fingerprint: Buffer, { says, taken }: MeetingRow): boolean {
    if (taken?.equals(fingerprint) === true) return true;
    const { claims } = this.#options;
    return !claims.isEmpty && claims.isOfEqualRow(fingerprint, says);
  }

  #fingerprintOf(first: Buffer, occurrence: number): Buffer {
    return occurrence === 1 ? first : this.#ledger.fingerprint(`${first.toString('hex')}\n${occurrence}`);
  }
}
