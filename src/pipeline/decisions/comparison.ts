/** Whether a row that is in says by now what went in. Its one rule: nothing is said of it where that cannot be told. */
import { saysNothingReadable, saysSomethingElse } from '../../ledger/kept-sentences.ts';
import type { EarlierRow } from '../rows/held-rows.ts';
import type { RowNote } from '../rows/row-note.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import { wentInOtherwise } from './changed-rows.ts';
import type { EqualRows } from './equal-rows.ts';
import type { OutgoingMaker } from './outgoing.ts';
import type { Parents } from './parents.ts';
import type { RowDigests } from './row-digests.ts';
import type { GoneOn } from './succession.ts';

export class Comparison {
  readonly #parents: Parents;
  readonly #digests: RowDigests;
  readonly #equalRows: EqualRows;

  constructor(parents: Parents, digests: RowDigests, equalRows: EqualRows) {
    this.#parents = parents;
    this.#digests = digests;
    this.#equalRows = equalRows;
  }

  /** What is said of a row of a results sheet that is in and by now says something else, or `null`. */
  changeOf(row: JudgedRow, earlier: EarlierRow | null, make: OutgoingMaker): string | null {
    if (earlier === null || earlier.fingerprint === null || row.kind.sending === 'form') return null;
    if (row.reading === 'faulty') return saysNothingReadable;
    if (row.reading === 'unknown') return null;
    if (row.reading === 'whole') return this.isOther(row, earlier.fingerprint, make) ? saysSomethingElse : null;
    const resolved = this.#parents.resolve(row);
    if (!resolved.ready || earlier.shown === null) return null;
    const outgoing = make(row, resolved.body, null);
    return this.#digests.ofShown(outgoing.shown()).equals(earlier.shown) ? null : saysSomethingElse;
  }

  /** The note on a row that went on in a results sheet: what is said of how its cells are read here is no word on what is in. */
  noteOf(row: JudgedRow, goneOn: GoneOn, make: OutgoingMaker): RowNote {
    const { note } = goneOn;
    return note.state === 'already-loaded' && this.wentInOtherwise(row, goneOn, make)
      ? { ...note, message: `${note.message} ${wentInOtherwise}` }
      : note;
  }

  wentInOtherwise(row: JudgedRow, { knownBy, fingerprint }: GoneOn, make: OutgoingMaker): boolean {
    const isComparable =
      fingerprint !== null &&
      !this.#digests.isPlaceholderOf(knownBy, fingerprint) &&
      row.kind.sending !== 'form' &&
      row.reading === 'whole';
    return isComparable && this.isOther(row, fingerprint, make);
  }

  /** Whether a row says something else than what has this fingerprint. */
  isOther(row: JudgedRow, fingerprint: Buffer, make: OutgoingMaker): boolean {
    const resolved = this.#parents.resolve(row);
    if (!resolved.ready) return false;
    const { identity } = make(row, resolved.body, null);
    return !this.#equalRows.isOf(this.#digests.textOf(identity), fingerprint);
  }
}
