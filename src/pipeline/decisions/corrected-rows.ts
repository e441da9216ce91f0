/**
 * Rows that a person corrected in a results sheet, and that another file has as they were before: the source of that sheet
 * with more rows below, or the same rows as CSV. Its one rule: the two are one row, which is in once.
 */
import { isIn, isUnknown } from '../../ledger/entry-state.ts';
import { saysSomethingElse } from '../../ledger/kept-sentences.ts';
import type { EarlierEntry, Ledger, RunRecord, RunRow } from '../../ledger/ledger.ts';
import { noteOfEarlier, noteOfOtherDoubt, type RowNote } from '../rows/row-note.ts';
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

const ifAnother = 'If it is another record, load it in a file of its own with --again.';

export class CorrectedRows {
  readonly #ledger: Ledger;
  readonly #options: CorrectedRowsOptions;
  /** By what they were before, in hexadecimal; asked for when a row could be sent. */
  #corrected: ReadonlyMap<string, RunRow> | null = null;

  constructor(ledger: Ledger, options: CorrectedRowsOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  /** As what a row is in, or may be, that had this fingerprint before it was corrected; else `null`. */
  correctionOf(fingerprint: Buffer): GoneOn | null {
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

  /**
   * As what a corrected row is in, or may be, that went out with another file as it was before; else `null`.
   * @param fingerprint  what made it itself before it was corrected
   * @param earlier  its row in the run that it comes from
   */
  uncorrectedOf(fingerprint: Buffer, earlier: RunRow): GoneOn | null {
    const { service, run, siblings } = this.#options;
    const live = this.#ledger.liveEntry(service, fingerprint);
    if (live === null || live.run === run || siblings.isSibling(siblings.sourceRowOf(earlier), live)) return null;
    const knownBy = { run: live.run, sheet: live.sheet, row: live.row };
    return { note: noteOf(live, saysSomethingElse), knownBy, fingerprint };
  }
}

function noteOf(known: EarlierEntry, toldOfOneIn: string): RowNote {
  if (!isIn(known.state)) return noteOfOtherDoubt(known);
  const note = noteOfEarlier(known);
  return { ...note, message: `${note.message} ${toldOfOneIn}` };
}
