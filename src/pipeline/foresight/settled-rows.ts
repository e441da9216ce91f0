/** What a run that goes on has settled before, of the rows of one sheet. */
import { isIn, isUnknown } from '../../ledger/entry-state.ts';
import type { EntryState, Ledger } from '../../ledger/ledger.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import type { SurveyedSheet } from '../survey/survey.ts';
import type { PlannedCounts } from './planned-decisions.ts';

export class SettledRows {
  readonly #ledger: Ledger;
  readonly #run: string | null;
  readonly #isUpdate: boolean;
  #isIn = 0;
  #inDoubt = 0;
  #refused = 0;
  #takenBack = 0;

  constructor(ledger: Ledger, run: string | null, { kind }: SurveyedSheet) {
    this.#ledger = ledger;
    this.#run = run;
    this.#isUpdate = kind.sending.isUpdate;
  }

  /** @returns whether the row goes out all the same: an update that was being sent when the run stopped is sent again */
  add({ sheet, row, isValid }: JudgedRow): boolean {
    const state =
      this.#run === null || !isValid ? null : (this.#ledger.entry(this.#run, { sheet, row })?.state ?? null);
    if (state === 'sending' && this.#isUpdate) this.#takenBack += 1;
    else this.#count(state);
    return state === 'sending' && this.#isUpdate;
  }

  #count(state: EntryState | null): void {
    if (state === null) return;
    if (isIn(state)) this.#isIn += 1;
    else if (isUnknown(state)) this.#inDoubt += 1;
    else this.#refused += 1;
  }

  addedTo({ toSend, alreadyLoaded, inDoubt, waiting, heldBack }: PlannedCounts): Omit<PlannedCounts, 'onceMore'> & {
    readonly refused: number;
  } {
    return {
      toSend: toSend + this.#takenBack,
      alreadyLoaded: alreadyLoaded + this.#isIn,
      inDoubt: inDoubt + this.#inDoubt,
      waiting,
      heldBack,
      refused: this.#refused,
    };
  }
}
