/**
 * Tells equal rows of a source apart: the n-th of them has a fingerprint of its own, for two equal payments can be two
 * payments. Its one rule: what counts is how many of them are in, not which; so the rows of a source meet those that went in
 * with other files first, and only the rows beyond are new.
 */
import type { EarlierEntry, Ledger, Repetition } from '../ledger/ledger.ts';
import { Occurrences } from './occurrences.ts';

export interface EqualRowsOptions {
  readonly service: string;
  /** The run that sends the rows: what it has sent itself is no earlier file. */
  readonly run: string;
  /** Whether no row of the service can be in: then none is looked up. */
  readonly isFirstRun: boolean;
  /** Fingerprints, in hexadecimal, of rows of this source that have theirs already: equal rows beside them are others. */
  readonly claimed: ReadonlySet<string>;
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
  /** Occurrences that are in with other files, of rows that some file had several times. */
  readonly #severalIn = new Map<string, readonly number[]>();
  /** The last answer: most rows have one fingerprint alone, and it is asked for twice. */
  #looked: { readonly fingerprint: Buffer; readonly live: EarlierEntry | null } | null = null;

  constructor(ledger: Ledger, options: EqualRowsOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  /**
   * @param text  everything that equal rows have in common
   * @param own   the fingerprint that the row has from its own earlier run, or `null`; it counts while the row says the same
   */
  identify(text: string, own: Buffer | null): RowIdentity {
    const first = this.#ledger.fingerprint(text);
    const occurrence = this.#ownOccurrence(first, own) ?? this.#nextOccurrence(first);
    const fingerprint = this.#fingerprintOf(first, occurrence);
    const repeats = occurrence === 1 ? null : { fingerprint: first, occurrence };
    return { fingerprint, repeats, live: this.#liveEntry(fingerprint) };
  }

  #ownOccurrence(first: Buffer, own: Buffer | null): number | null {
    if (own === null) return null;
    const most = this.#ledger.occurrencesOf(this.#options.service, first);
    for (let occurrence = 1; occurrence <= most; occurrence += 1) {
      if (this.#fingerprintOf(first, occurrence).equals(own)) return occurrence;
    }
    return null;
  }

  #nextOccurrence(first: Buffer): number {
    const inAlready = this.#options.isFirstRun ? none : this.#inWithOthers(first);
    const met = inAlready.length === 0 ? undefined : inAlready[this.#rows.next(first) - 1];
    if (met !== undefined) return met;
    for (;;) {
      const occurrence = this.#tried.next(first);
      if (!inAlready.includes(occurrence) && !this.#isClaimed(this.#fingerprintOf(first, occurrence)))
        return occurrence;
    }
  }

  #inWithOthers(first: Buffer): readonly number[] {
    const most = this.#ledger.occurrencesOf(this.#options.service, first);
    if (most === 1) return this.#isInWithOthers(first) ? onlyFirst : none;
    const key = first.toString('hex');
    const known = this.#severalIn.get(key);
    if (known !== undefined) return known;
    const all = Array.from({ length: most }, (_, index) => index + 1);
    const found = all.filter((occurrence) => this.#isInWithOthers(this.#fingerprintOf(first, occurrence)));
    this.#severalIn.set(key, found);
    return found;
  }

  #isInWithOthers(fingerprint: Buffer): boolean {
    const live = this.#liveEntry(fingerprint);
    return live !== null && live.run !== this.#options.run && !this.#isClaimed(fingerprint);
  }

  #liveEntry(fingerprint: Buffer): EarlierEntry | null {
    if (this.#options.isFirstRun) return null;
    if (this.#looked?.fingerprint !== fingerprint) {
      this.#looked = { fingerprint, live: this.#ledger.liveEntry(this.#options.service, fingerprint) };
    }
    return this.#looked.live;
  }

  #isClaimed(fingerprint: Buffer): boolean {
    const { claimed } = this.#options;
    return claimed.size > 0 && claimed.has(fingerprint.toString('hex'));
  }

  #fingerprintOf(first: Buffer, occurrence: number): Buffer {
    return occurrence === 1 ? first : this.#ledger.fingerprint(`${first.toString('hex')}\n${occurrence}`);
  }
}

const none: readonly number[] = [];
const onlyFirst: readonly number[] = [1];
