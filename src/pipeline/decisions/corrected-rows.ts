/**
 * Rows that a person corrected in a results sheet, and that another file has as they were before: the source of that sheet
 * with more rows below, or the same rows as CSV. Its one rule: the two are one row, which is in once.
 */
import { isIn, isUnknown } from '../../ledger/entry-state.ts';
import { saysSomethingElse } from '../../ledger/kept-sentences.ts';
import type { EarlierEntry, Entry, Ledger, RunRecord, RunRow } from '../../ledger/ledger.ts';
import type { Standing } from '../rows/held-rows.ts';
import { noteOfEarlier, noteOfOtherDoubt, type RowNote } from '../rows/row-note.ts';
import { rowOf } from '../rows/row-place.ts';
import { type Claims, isRecordOfAnother } from '../survey/claims.ts';
import { wentInOtherwise } from './changed-rows.ts';
import type { Siblings } from './siblings.ts';
import type { GoneOn } from './succession.ts';

export interface CorrectedRowsOptions {
  readonly service: string;
  /** The run that the rows are in now. */
  readonly run: string;
  readonly claims: Claims;
  readonly siblings: Siblings;
  readonly recordOf: (run: string) => RunRecord | null;
}

/** A row that could be sent. */
export interface RowToSend {
  readonly standing: Standing;
  /** What made it itself in its own earlier run, or `null`. */
  readonly own: Buffer | null;
  /** What makes it itself now. */
  readonly fingerprint: Buffer;
  /** Whether it says what has a fingerprint. */
  readonly saysSame: (fingerprint: Buffer) => boolean;
}

const ifAnother = 'If it is another record, load it in a file of its own with --again.';

export class CorrectedRows {
  readonly #ledger: Ledger;
  readonly #options: CorrectedRowsOptions;
  /** By what they were before, in hexadecimal; asked for when a row could be sent. */
  #corrected: ReadonlyMap<string, RunRow> | null = null;
  /** The ids of all runs; asked for when they are needed. */
  #newestFirst: readonly string[] | null = null;

  constructor(ledger: Ledger, options: CorrectedRowsOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  /** As what a row went out with another file, as it was corrected, or as it was before; else `null`. */
  of({ standing, own, fingerprint, saysSame }: RowToSend): GoneOn | null {
    if (standing.kind !== 'free') return null;
    if (standing.earlier === null) return this.#correctionOf(fingerprint);
    return own === null || saysSame(own) ? null : this.#uncorrectedOf(own, standing.earlier.row);
  }

  /** Where a row that was refused in this run is in by another file that has it too, or may be; else `null`. */
  refusedOf({ fingerprint, sheet, row }: Entry): GoneOn | null {
    const live = this.#liveElsewhere(fingerprint, { run: this.#options.run, sheet, row });
    return live === null ? null : { note: noteOfEarlier(live), knownBy: rowOf(live), fingerprint };
  }

  #correctionOf(fingerprint: Buffer): GoneOn | null {
    const { service, run, claims, recordOf } = this.#options;
    this.#corrected ??= new Map(
      this.#ledger.correctedRows(service).map((row) => [row.fingerprint.toString('hex'), row]),
    );
    const before = this.#corrected.size === 0 ? undefined : this.#corrected.get(fingerprint.toString('hex'));
    if (before === undefined) return null;
    const latest = this.#ledger.latest(before);
    const record = latest.run === run ? null : recordOf(latest.run);
    const entry = record === null ? null : this.#ledger.entry(latest.run, latest);
    if (record === null || entry === null || !(isIn(entry.state) || isUnknown(entry.state))) return null;
    // The corrected row stands in this source too, so this one is another.
    if (claims.has(entry.fingerprint) || isRecordOfAnother(this.#ledger, before, entry)) return null;
    const { sourceName, startedAt } = record;
    const note = noteOf({ ...entry, sourceName, startedAt }, `${wentInOtherwise} ${ifAnother}`);
    return { note, knownBy: latest, fingerprint: entry.fingerprint };
  }

  /** @param earlier  the row in the run that it comes from */
  #uncorrectedOf(fingerprint: Buffer, earlier: RunRow): GoneOn | null {
    const live = this.#liveElsewhere(fingerprint, earlier);
    return live === null ? null : { note: noteOf(live, saysSomethingElse), knownBy: rowOf(live), fingerprint };
  }

  /**
   * Of equal rows of one source, the record of one is not that of another; and one that was in before was known, and the row
   * was to be sent once more.
   */
  #liveElsewhere(fingerprint: Buffer, from: RunRow): EarlierEntry | null {
    const { service, run, siblings } = this.#options;
    const live = this.#ledger.liveEntry(service, fingerprint);
    if (live === null || live.run === run || !this.#isNewer(live.run, from.run)) return null;
    return siblings.isSibling(siblings.sourceRowOf(from), live) ? null : live;
  }

  #isNewer(run: string, than: string): boolean {
    this.#newestFirst ??= this.#ledger.runs().map(({ id }) => id);
    return this.#newestFirst.indexOf(run) < this.#newestFirst.indexOf(than);
  }
}

function noteOf(known: EarlierEntry, toldOfOneIn: string): RowNote {
  if (!isIn(known.state)) return noteOfOtherDoubt(known);
  const note = noteOfEarlier(known);
  return { ...note, message: `${note.message} ${toldOfOneIn}` };
}
