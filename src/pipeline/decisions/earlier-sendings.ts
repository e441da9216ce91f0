/** Rows that went out with an earlier load of the very same source, and are in by it, or may be. */
import { isUnknown } from '../../ledger/entry-state.ts';
import type { Entry, Ledger, RunRecord } from '../../ledger/ledger.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { noteOfEntry, ofOtherFile, ofOtherParent } from '../rows/row-note.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import { earlierLoadOf } from './earlier-loads.ts';
import type { EarlierRun } from './earlier-runs.ts';
import type { GoneOn, Succession } from './succession.ts';

export class EarlierSendings {
  readonly #ledger: Ledger;
  readonly #runs: readonly EarlierRun[];
  readonly #succession: Succession;

  /** @param runs  those of the source, the newest first */
  constructor(ledger: Ledger, runs: readonly EarlierRun[], succession: Succession) {
    this.#ledger = ledger;
    this.#runs = runs;
    this.#succession = succession;
  }

  /** Where an earlier load of the source left a row in doubt. It stays so: once it is corrected, it would go out anew. */
  doubtOf(row: CheckedRow): GoneOn | null {
    const before = this.#leftBy(row, this.#runs);
    if (before === null || !isUnknown(before.entry.state)) return null;
    const { entry, record } = before;
    return { note: noteOfEntry(entry, record), knownBy: rowOf(entry), fingerprint: entry.fingerprint };
  }

  /**
   * Where a row went out and would be another record now: the file of an attachment has been written anew since, or the record
   * that it names has another id.
   */
  otherwise(row: JudgedRow): GoneOn | null {
    const { kind, references, standing } = row;
    const mayBeAnother = kind.sending === 'form' || (kind.sending !== 'update' && references.length > 0);
    if (!mayBeAnother || standing.kind !== 'free' || standing.earlier !== null) return null;
    const runs = this.#runs.filter(({ id }) => !this.#succession.wasReadOtherwise(id));
    const before = this.#leftBy(row, runs);
    if (before === null || before.entry.kind !== kind.name) return null;
    const { entry, record } = before;
    const said = noteOfEntry(entry, record);
    const note = kind.sending === 'form' ? ofOtherFile(said) : ofOtherParent(said);
    return { note, knownBy: rowOf(entry), fingerprint: entry.fingerprint };
  }

  #leftBy(row: CheckedRow, runs: readonly EarlierRun[]): { readonly entry: Entry; readonly record: RunRecord } | null {
    const entry = earlierLoadOf(this.#ledger, runs, row)?.standing ?? null;
    const record = entry === null ? null : this.#succession.recordOf(entry.run);
    return entry === null || record === null ? null : { entry, record };
  }
}

function rowOf({ run, sheet, row }: Entry) {
  return { run, sheet, row };
}
