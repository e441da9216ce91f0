/**
 * Where earlier loads have left a row that is free to go out: in, or in doubt, perhaps for another record or with another file
 * than it names now. Whatever is found in is noted for the children that wait for it.
 */
import { isUnknown } from '../../ledger/entry-state.ts';
import type { Entry, Ledger, RunRecord } from '../../ledger/ledger.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { noteOfEntry, ofOtherFile, ofOtherParent, type RowNote } from '../rows/row-note.ts';
import { rowOf } from '../rows/row-place.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import type { Comparison } from './comparison.ts';
import { earlierLoadOf } from './earlier-loads.ts';
import type { EarlierRun } from './earlier-runs.ts';
import type { OutgoingMaker } from './outgoing.ts';
import type { Parents } from './parents.ts';
import type { GoneOn, Succession } from './succession.ts';

export interface WaysOfRows {
  readonly succession: Succession;
  readonly comparison: Comparison;
  readonly parents: Parents;
}

export class LeftBefore {
  readonly #ledger: Ledger;
  readonly #earlierRuns: readonly EarlierRun[];
  readonly #ways: WaysOfRows;

  /** @param options.earlierRuns  those of the same source, the newest first */
  constructor(ledger: Ledger, { earlierRuns }: { readonly earlierRuns: readonly EarlierRun[] }, ways: WaysOfRows) {
    this.#ledger = ledger;
    this.#earlierRuns = earlierRuns;
    this.#ways = ways;
  }

  /** See {@link Succession.goneOn}. */
  goneOn(row: CheckedRow): GoneOn | null {
    const goneOn = this.#ways.succession.goneOn(row);
    if (goneOn !== null) this.#ways.parents.note(row, goneOn.note.state, goneOn.note.id);
    return goneOn;
  }

  /** The same bytes, read in the same way, say something else only by the record that they name. */
  noteOfGoneOn(row: JudgedRow, goneOn: GoneOn, make: OutgoingMaker): RowNote {
    const { comparison, succession } = this.#ways;
    const { run } = goneOn.knownBy;
    const isSameSource = this.#earlierRuns.some(({ id }) => id === run) && !succession.wasReadOtherwise(run);
    return isSameSource && row.references.length > 0 && comparison.wentInOtherwise(row, goneOn, make)
      ? ofOtherParent(goneOn.note)
      : comparison.noteOf(row, goneOn, make);
  }

  /** Whether a row came back in a later run, and is in by that, or may be: one that was refused here, too. */
  isInLater(row: CheckedRow): boolean {
    const goneOn = this.#ways.succession.goneOn(row);
    return goneOn !== null && goneOn.note.state !== 'not-sent';
  }

  /** Where an earlier load of the source left a row in doubt. It stays so: once it is corrected, it would go out anew. */
  doubtOf(row: CheckedRow): GoneOn | null {
    const left = this.#leftBy(row, this.#earlierRuns);
    if (left === null || !isUnknown(left.entry.state)) return null;
    const { entry, record } = left;
    return { note: noteOfEntry(entry, record), knownBy: rowOf(entry), fingerprint: entry.fingerprint };
  }

  /**
   * Where a row went out with an earlier load of the same source, and would be another record now: the file of an attachment has
   * been written anew since, or the record that it names has another id.
   */
  wentOutOtherwise(row: JudgedRow): GoneOn | null {
    const { kind, references, standing } = row;
    const mayBeAnother = kind.sending.hasFile || (!kind.sending.isUpdate && references.length > 0);
    if (!mayBeAnother || standing.kind !== 'free' || standing.earlier !== null) return null;
    const runs = this.#earlierRuns.filter(({ id }) => !this.#ways.succession.wasReadOtherwise(id));
    const left = this.#leftBy(row, runs);
    if (left === null || left.entry.kind !== kind.name) return null;
    const { entry, record } = left;
    this.#ways.parents.note(row, entry.state, entry.id);
    const said = noteOfEntry(entry, record);
    const note = kind.sending.hasFile ? ofOtherFile(said) : ofOtherParent(said);
    return { note, knownBy: rowOf(entry), fingerprint: entry.fingerprint };
  }

  /** Where earlier loads of the source left a row that is in by them, or may be. */
  #leftBy(row: CheckedRow, runs: readonly EarlierRun[]): { readonly entry: Entry; readonly record: RunRecord } | null {
    const entry = earlierLoadOf(this.#ledger, runs, row)?.standing ?? null;
    const record = entry === null ? null : this.#ways.succession.recordOf(entry.run);
    return entry === null || record === null ? null : { entry, record };
  }
}
