/** Whether a row that is in says by now what went in. Its one rule: nothing is said of it where that cannot be told. */
import { isKnownIn } from '../../ledger/entry-state.ts';
import type { Message } from '../../messages/message.ts';
import { rowMessage } from '../../messages/rows.ts';
import type { EarlierRow } from '../rows/held-rows.ts';
import { noteWith, type RowNote } from '../rows/row-note.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
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
  changeOf(row: JudgedRow, earlier: EarlierRow | null, make: OutgoingMaker): Message | null {
    if (earlier === null || earlier.fingerprint === null || row.kind.sending.hasFile) return null;
    if (row.reading === 'faulty') return rowMessage('unreadable-since-loaded');
    if (row.reading === 'unknown') return null;
    if (row.reading === 'whole')
      return this.isOther(row, earlier.fingerprint, make) ? rowMessage('changed-since-loaded') : null;
    const resolved = this.#parents.resolve(row);
    if (!resolved.ready || earlier.shown === null) return null;
    const outgoing = make(row, resolved.body, null);
    return this.#digests.ofShown(outgoing.shown()).equals(earlier.shown) ? null : rowMessage('changed-since-loaded');
  }

  /** The note on a row that went on in a results sheet: what is said of how its cells are read here is no word on what is in. */
  noteOf(row: JudgedRow, goneOn: GoneOn, make: OutgoingMaker): RowNote {
    const { note } = goneOn;
    return isKnownIn(note.state) && this.wentInOtherwise(row, goneOn, make)
      ? noteWith(note, rowMessage('loaded-otherwise'))
      : note;
  }

  wentInOtherwise(row: JudgedRow, { knownBy, fingerprint }: GoneOn, make: OutgoingMaker): boolean {
    const isComparable =
      fingerprint !== null &&
      !this.#digests.isPlaceholderOf(knownBy, fingerprint) &&
      !row.kind.sending.hasFile &&
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
