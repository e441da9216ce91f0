/**
 * What is known of the updates of a source: which of them are in, which may be, and which of them a late one would be written
 * over.
 */
import { isIn, isUnknown } from '../../ledger/entry-state.ts';
import type { EarlierEntry, Ledger, RunRecord } from '../../ledger/ledger.ts';
import type { Rival } from '../rows/row-note.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import type { SurveyedSheet } from '../survey/survey.ts';
import type { Comparison } from './comparison.ts';
import type { DecisionOptions } from './decision-options.ts';
import { type EarlierDoubt, earlierDoubtIn } from './earlier-doubt.ts';
import { rowOfSource } from './earlier-loads.ts';
import { EarlierUpdates } from './earlier-updates.ts';
import type { EqualRows } from './equal-rows.ts';
import { LaterUpdates, type UpdateStanding } from './later-updates.ts';
import { outgoingMaker } from './outgoing.ts';
import type { Succession } from './succession.ts';

export interface RowsBeside {
  readonly succession: Succession;
  readonly comparison: Comparison;
  readonly equalRows: EqualRows;
}

export class Updates {
  readonly #ledger: Ledger;
  readonly #run: string;
  readonly #options: DecisionOptions;
  readonly #beside: RowsBeside;
  readonly #earlier: EarlierUpdates;
  readonly #later: LaterUpdates;

  /** @param run  the run that the rows are in now */
  constructor(ledger: Ledger, run: string, options: DecisionOptions, beside: RowsBeside) {
    this.#ledger = ledger;
    this.#run = run;
    this.#options = options;
    this.#beside = beside;
    const wasReadOtherwise = (earlier: string) => beside.succession.wasReadOtherwise(earlier);
    this.#earlier = new EarlierUpdates(ledger, run, { ...options, wasReadOtherwise });
    this.#later = new LaterUpdates(ledger, run);
  }

  /** Before the first decision: which updates are in that a row above them must not be written over. */
  lookAhead(sheets: readonly SurveyedSheet[]): Promise<void> {
    const { resumed, earlierRuns } = this.#options;
    const runs = [...(resumed ? [this.#run] : []), ...earlierRuns.map(({ id }) => id)];
    const cameBack = runs.some((run) => this.#ledger.rowsThatCameBack(run).next().done !== true);
    return this.#later.look(sheets, cameBack, (row) => this.#standingOf(row));
  }

  /**
   * The entry by which an update is in with an earlier load of its file, or `null`.
   * @param text  what its fingerprint is made of
   */
  inBy(row: JudgedRow, text: string): EarlierEntry | null {
    return this.#earlier.of(row, (one) => this.#beside.equalRows.isOf(text, one));
  }

  /** See {@link EarlierUpdates.since}. */
  since(earlier: EarlierEntry, { pathId }: JudgedRow, text: string): RunRecord | null {
    return this.#earlier.since(earlier, pathId, (one) => this.#beside.equalRows.isOf(text, one));
  }

  /** See {@link EarlierUpdates.sinceExport}. */
  sinceExport(exportedAt: string, company: string): RunRecord | null {
    return this.#earlier.sinceExport(exportedAt, company);
  }

  /** The update below this one that this one would be written over, or `null`. */
  rivalOf(row: JudgedRow): Rival | null {
    return this.#later.rivalOf(row);
  }

  /** See {@link LaterUpdates.goesOut}. */
  goesOut(row: JudgedRow): void {
    this.#later.goesOut(row);
  }

  /**
   * An earlier sending of an update, with the same values, that may have been applied.
   * @param text  what its fingerprint is made of
   */
  earlierDoubtOf({ standing, sheet, row }: JudgedRow, text: string): EarlierDoubt | null {
    // A person has looked it up.
    if (standing.kind === 'not-created') return null;
    const here = this.#options.resumed ? this.#ledger.entry(this.#run, { sheet, row }) : null;
    const before = standing.earlier?.row ?? rowOfSource(this.#ledger, this.#options.earlierRuns, { sheet, row });
    const entry = here ?? (before === null ? null : this.#ledger.entry(before.run, before));
    return entry !== null && this.#beside.equalRows.isOf(text, entry.fingerprint) ? earlierDoubtIn(entry) : null;
  }

  /** Whether an update is in, or may be, and with what. */
  #standingOf(row: JudgedRow): UpdateStanding {
    const { contract, attachments, resumed } = this.#options;
    const { comparison, succession } = this.#beside;
    const make = outgoingMaker(row.kind, contract, attachments);
    if (row.standing.kind === 'held')
      return comparison.changeOf(row, row.standing.earlier, make) === null ? 'as-here' : 'otherwise';
    const here = resumed ? this.#ledger.entry(this.#run, { sheet: row.sheet, row: row.row }) : null;
    if (here !== null && (isIn(here.state) || isUnknown(here.state))) return 'as-here';
    const goneOn = succession.goneOn(row);
    if (goneOn !== null && goneOn.note.state !== 'not-sent')
      return row.reading === 'faulty' || comparison.wentInOtherwise(row, goneOn, make) ? 'otherwise' : 'as-here';
    const saysSame = (one: Buffer) => !comparison.isOther(row, one, make);
    return this.#earlier.of(row, saysSame) === null ? 'not-there' : 'as-here';
  }
}
