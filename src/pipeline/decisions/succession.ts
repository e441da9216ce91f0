/**
 * Rows that come back in a later run, with a results sheet or with their source. Its one rule: however often a row comes
 * back, and whatever was corrected in it, it is one row, and it is where it went on last that counts.
 */
import { isIn, isKnownIn, isUnknown } from '../../ledger/entry-state.ts';
import type { Ledger, RowPosition, RunRecord, RunRow } from '../../ledger/ledger.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import type { HowRead } from '../options/run-options.ts';
import type { Standing } from '../rows/held-rows.ts';
import { noteOfEntry, noteOfGoneOn, type RowNote } from '../rows/row-note.ts';
import { isRecordOfAnother } from '../survey/claims.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import { rowOfSource } from './earlier-loads.ts';
import type { EarlierRun } from './earlier-runs.ts';
import { runsReadOtherwise } from './read-otherwise.ts';

/** A row that went on in another run. */
export interface GoneOn {
  readonly note: RowNote;
  /** The row as which it went on. */
  readonly knownBy: RunRow;
  /** What made it itself there, or `null` when it is not in there. */
  readonly fingerprint: Buffer | null;
}

export interface SuccessionOptions {
  /** Whether rows are sent although equal ones are in. */
  readonly again: boolean;
  /** Whether the run was begun before. */
  readonly resumed: boolean;
  /** Earlier runs of the same source, the newest first. */
  readonly earlierRuns: readonly EarlierRun[];
  /** How the source is read, or `null` when a run goes on that was agreed to with that. */
  readonly howRead: HowRead | null;
}

export class Succession {
  readonly #ledger: Ledger;
  readonly #run: string;
  readonly #options: SuccessionOptions;
  readonly #records = new Map<string, RunRecord | null>();
  readonly #readOtherwise: ReadonlySet<string>;
  /** Those earlier runs of the source of which a row came back: a file may be loaded every hour, and they are asked for each row. */
  readonly #runsThatCameBack: readonly EarlierRun[];

  /** @param run  the run that the rows are in now */
  constructor(ledger: Ledger, run: string, options: SuccessionOptions) {
    this.#ledger = ledger;
    this.#run = run;
    this.#options = options;
    this.#readOtherwise = runsReadOtherwise(options.earlierRuns, options.howRead);
    this.#runsThatCameBack = options.earlierRuns.filter(({ id }) => ledger.rowsThatCameBack(id).next().done !== true);
  }

  /** A row of this source may have gone on in a results sheet that a person corrected: then it is that one that counts. */
  goneOn(row: CheckedRow): GoneOn | null {
    if (this.#options.again) return null;
    const here = { sheet: row.sheet, row: row.row };
    const places = this.#runsThatCameBack.map(({ id: run, positionThen }) => ({ ...positionThen(here), run }));
    for (const place of this.#options.resumed ? [{ ...here, run: this.#run }, ...places] : places) {
      const goneOn = this.#goneOnFrom(place, row);
      if (goneOn !== null) return goneOn;
    }
    return null;
  }

  /** @param place  where the row stood in one of the runs of its source */
  #goneOnFrom(place: RunRow, { isValid, kind }: CheckedRow): GoneOn | null {
    const latest = this.#ledger.latest(place);
    const record = latest.run === place.run || latest.run === this.#run ? null : this.recordOf(latest.run);
    if (record === null) return null;
    // As it is read now it may be another row, and a person is asked whether it is ({@link RowsReadOtherwise}).
    if (isValid && !kind.sending.isUpdate && this.#readOtherwise.has(latest.run)) return null;
    // A row that failed the checks there has no entry: it is to be corrected there.
    const entry = this.#ledger.entry(latest.run, latest);
    if (entry !== null && isRecordOfAnother(this.#ledger, place, entry)) return null;
    if (entry !== null && (isIn(entry.state) || isUnknown(entry.state))) {
      return { note: noteOfEntry(entry, record), knownBy: latest, fingerprint: entry.fingerprint };
    }
    return this.#options.resumed ? { note: noteOfGoneOn(record), knownBy: latest, fingerprint: null } : null;
  }

  /** The row of an earlier run that comes back in this one; one that is in stays where it is. */
  supersededBy({ standing, sheet, row }: JudgedRow): RunRow | null {
    if (standing.kind === 'contradiction' || this.#wasComeTo({ sheet, row }) || this.#wentOnFromHere({ sheet, row }))
      return null;
    if (standing.earlier !== null) return isHeldIn(standing) ? null : standing.earlier.row;
    if (standing.kind === 'held') return null;
    const latest = rowOfSource(this.#ledger, this.#options.earlierRuns, { sheet, row });
    return latest === null || latest.run === this.#run || this.#isInItself({ sheet, row }, latest) ? null : latest;
  }

  /** Whether an earlier run of the source read it otherwise: what a row was then says nothing of what it is now. */
  wasReadOtherwise(run: string): boolean {
    return this.#readOtherwise.has(run);
  }

  /** Asked for once a run, since the ledger counts its entries each time. */
  recordOf(run: string): RunRecord | null {
    const known = this.#records.get(run);
    if (known !== undefined) return known;
    const record = this.#ledger.run(run);
    this.#records.set(run, record);
    return record;
  }

  /**
   * A row that a run had come to before it was taken up again came after its earlier ones then; a later run that only met its
   * record is none of them.
   */
  #wasComeTo(position: RowPosition): boolean {
    return this.#options.resumed && this.#ledger.entry(this.#run, position) !== null;
  }

  /** A row of a run that is taken up again may have come back in a later one: it does not come after that one as well. */
  #wentOnFromHere(position: RowPosition): boolean {
    return this.#options.resumed && this.#ledger.latest({ ...position, run: this.#run }).run !== this.#run;
  }

  /** Whether a row of the source is in, and not only the record of another row whose cells it was given in a results sheet. */
  #isInItself(position: RowPosition, latest: RunRow): boolean {
    const state = this.#ledger.entry(latest.run, latest)?.state;
    if (state === undefined || !isIn(state)) return false;
    if (!isKnownIn(state)) return true;
    // Most rows went in with the first load of their source.
    const taken = this.#options.earlierRuns.findLast(({ id, positionThen }) =>
      this.#ledger.wasTaken({ ...positionThen(position), run: id }),
    );
    return taken !== undefined;
  }
}

function isHeldIn(standing: Standing): boolean {
  return standing.kind === 'held' && isKnownIn(standing.row.state);
}
