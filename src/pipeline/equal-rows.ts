/**
 * Tells equal rows of a source apart: the n-th of them has a fingerprint of its own, for two equal payments can be two
 * payments. Its one rule: what counts is how many of them are in, not which; so the rows of a source meet those that went in
 * with other files first, and only the rows beyond are new.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { EarlierEntry, Ledger, Repetition } from '../ledger/ledger.ts';
import type { Claims } from './claims.ts';
import { Occurrences } from './occurrences.ts';

export interface EqualRowsOptions {
  readonly service: string;
  /** The run that sends the rows: what it has sent itself is no earlier file. */
  readonly run: string;
  /** Whether no row of the service can be in: then none is looked up. */
  readonly isFirstRun: boolean;
  readonly claims: Claims;
}

/** A row that is about to be sent. */
export interface ReadyRow {
  /** Everything that equal rows have in common. */
  readonly text: string;
  /** What its cells say ({@link Claims}). */
  readonly says: string;
  /** The fingerprint that it has from its own earlier run, or `null`; it counts while the row says the same. */
  readonly own: Buffer | null;
  /** The keyed digest of its ref, or `null`. */
  readonly ref: Buffer | null;
  readonly kind: RecordKindName;
}

/** What makes a row itself, and the entry that keeps it from being sent, if there is one. */
export interface RowIdentity {
  readonly fingerprint: Buffer;
  readonly repeats: Repetition | null;
  readonly live: EarlierEntry | null;
}

export class EqualRows {
  readonly #ledger: Ledger;
  readonly #options: EqualRowsOptions;
  readonly #rows = new Occurrences();
  /** Occurrences that were tried for rows that are new. */
  readonly #tried = new Occurrences();
  /** Occurrences that are in with other files and were not met yet, of rows that some file had several times. */
  readonly #leftToMeet = new Map<string, number[]>();
  /** What was given to rows of a results sheet, in hexadecimal: rows of two runs may come with the same. */
  readonly #given = new Set<string>();
  /** The last answer: most rows have one fingerprint alone, and it is asked for twice. */
  #looked: { readonly fingerprint: Buffer; readonly live: EarlierEntry | null } | null = null;

  constructor(ledger: Ledger, options: EqualRowsOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  identify(row: ReadyRow): RowIdentity {
    const first = this.#ledger.fingerprint(row.text);
    const own = row.own !== null && this.#given.has(row.own.toString('hex')) ? null : row.own;
    const occurrence = this.#ownOccurrence(first, own) ?? this.#nextOccurrence(first, row);
    const fingerprint = this.#fingerprintOf(first, occurrence);
    if (!this.#options.claims.isEmpty) this.#given.add(fingerprint.toString('hex'));
    const repeats = occurrence === 1 ? null : { fingerprint: first, occurrence };
    return { fingerprint, repeats, live: this.#liveEntry(fingerprint) };
  }

  /** Whether a row that says this may have this fingerprint: then it still says what it said. */
  isOf(text: string, fingerprint: Buffer): boolean {
    return this.#ownOccurrence(this.#ledger.fingerprint(text), fingerprint) !== null;
  }

  #ownOccurrence(first: Buffer, own: Buffer | null): number | null {
    if (own === null) return null;
    const most = this.#ledger.occurrencesOf(this.#options.service, first);
    for (let occurrence = 1; occurrence <= most; occurrence += 1) {
      if (this.#fingerprintOf(first, occurrence).equals(own)) return occurrence;
    }
    return null;
  }

  #nextOccurrence(first: Buffer, row: ReadyRow): number {
    const met = this.#options.isFirstRun ? null : this.#nextInWithOthers(first, row);
    if (met !== null) return met;
    for (;;) {
      const occurrence = this.#tried.next(first);
      const fingerprint = this.#fingerprintOf(first, occurrence);
      // One that is live is taken, also by this very run: a row that was met goes out once more when it is loaded again.
      if (!this.#isClaimed(fingerprint, row) && this.#liveEntry(fingerprint) === null) return occurrence;
    }
  }

  /** The occurrence of a row that is in with another file and that no row of this source has met yet, or `null`. */
  #nextInWithOthers(first: Buffer, row: ReadyRow): number | null {
    const most = this.#ledger.occurrencesOf(this.#options.service, first);
    const isFirstOfSource = this.#rows.next(first) === 1;
    if (most === 1) return isFirstOfSource && this.#isInWithOthers(first, row) ? 1 : null;
    const key = first.toString('hex');
    const left = this.#leftToMeet.get(key) ?? this.#inWithOthers(first, isFirstOfSource ? 1 : 2, most, row);
    const place = Math.max(0, row.ref === null ? 0 : this.#placeOfRef(first, left, row.kind, row.ref));
    const [met] = left.splice(place, 1);
    this.#leftToMeet.set(key, left);
    return met ?? null;
  }

  #inWithOthers(first: Buffer, from: number, to: number, row: ReadyRow): number[] {
    const occurrences = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    return occurrences.filter((occurrence) => this.#isInWithOthers(this.#fingerprintOf(first, occurrence), row));
  }

  /** Of equal rows, the one that went in under the same ref is meant. */
  #placeOfRef(first: Buffer, occurrences: readonly number[], kind: RecordKindName, ref: Buffer): number {
    const known = this.#ledger.idsOfRef(this.#options.service, kind, ref);
    return occurrences.findIndex((occurrence) => {
      const live = this.#liveEntry(this.#fingerprintOf(first, occurrence));
      return known.some(({ run, sheet, row }) => live?.run === run && live.sheet === sheet && live.row === row);
    });
  }

  #isInWithOthers(fingerprint: Buffer, row: ReadyRow): boolean {
    const live = this.#liveEntry(fingerprint);
    return live !== null && live.run !== this.#options.run && !this.#isClaimed(fingerprint, row);
  }

  #liveEntry(fingerprint: Buffer): EarlierEntry | null {
    if (this.#options.isFirstRun) return null;
    if (this.#looked?.fingerprint !== fingerprint) {
      this.#looked = { fingerprint, live: this.#ledger.liveEntry(this.#options.service, fingerprint) };
    }
    return this.#looked.live;
  }

  #isClaimed(fingerprint: Buffer, { says }: ReadyRow): boolean {
    const { claims } = this.#options;
    return !claims.isEmpty && claims.isOfEqualRow(fingerprint, says);
  }

  #fingerprintOf(first: Buffer, occurrence: number): Buffer {
    return occurrence === 1 ? first : this.#ledger.fingerprint(`${first.toString('hex')}\n${occurrence}`);
  }
}
