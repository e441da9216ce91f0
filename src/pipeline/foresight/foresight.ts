/** What a load would do with its rows, told before it begins: what goes out, and what is passed over. */
import Big from 'big.js';
import { isIn } from '../../ledger/entry-state.ts';
import type { Ledger, RowPosition } from '../../ledger/ledger.ts';
import type { Decision } from '../decisions/decision.ts';
import type { DecisionOptions } from '../decisions/decision-options.ts';
import { outgoingMaker } from '../decisions/outgoing.ts';
import { type ReadOtherwise, RowsReadOtherwise } from '../decisions/read-otherwise.ts';
import { RowDecisions } from '../decisions/row-decisions.ts';
import { amountOf, type JudgedRow } from '../survey/judged-row.ts';
import { type FilesFound, NamedFiles } from '../survey/named-files.ts';
import { Repeats, type RepeatsFound } from '../survey/repeats.ts';
import type { Survey, SurveyedSheet } from '../survey/survey.ts';
import { type LoadedFound, LoadedRows } from './loaded-rows.ts';
import type { PlannedCounts, PlannedDecisions } from './planned-decisions.ts';
import { type RefsFound, RefsInUse } from './refs-in-use.ts';
import { SettledRows } from './settled-rows.ts';

/** The rows of a sheet that pass the checks, by what is done with them. */
export interface ForeseenSheet extends Omit<PlannedCounts, 'onceMore'> {
  readonly sheet: string;
  /** Refused by the service in the run that goes on: they stay as they are. */
  readonly refused: number;
  /** The exact sum of the amounts of the rows to send as decimal digits, or `null` for a kind without amounts. */
  readonly amountToSend: string | null;
  /** Fields that the rows to send empty with `<clear>`. */
  readonly clears: number;
}

export interface Foresight extends LoadedFound {
  /** Rows that are in by an earlier load of the same file, and would be sent again because it is read otherwise now. */
  readonly readOtherwise: readonly ReadOtherwise[];
  /** In the order of loading. */
  readonly sheets: readonly ForeseenSheet[];
  /** Rows to send that say the same as an earlier one of the source. */
  readonly repeats: RepeatsFound;
  /** Of the rows to send. */
  readonly files: FilesFound;
  /** Rows to send whose ref is that of a record that is in. */
  readonly refsInUse: RefsFound;
  /** Rows in doubt that the ID cells of a results sheet settle. */
  readonly settled: SettledByCells;
  /** Whole sentences about rows that are in a service of another address; the survey's notices have them too. */
  readonly elsewhere: readonly string[];
}

export interface SettledByCells {
  readonly created: number;
  readonly notCreated: number;
}

/** Where nothing can be in and no row waits for another: by the checks alone. */
export function foreseenByChecks(survey: Survey): Foresight {
  const sheets = survey.sheets.map((sheet) => ({
    ...nothingSent,
    sheet: sheet.name,
    toSend: sheet.rows - sheet.invalidRows - sheet.leftOutRows - sheet.heldRows,
    amountToSend: sheet.sendableAmount,
    clears: sheet.clears,
  }));
  return {
    ...new LoadedRows().found,
    readOtherwise: [],
    sheets,
    repeats: Repeats.ofAll(survey.sheets),
    files: NamedFiles.ofAll(survey.sheets),
    refsInUse: { rows: 0, examples: [] },
    settled: { created: 0, notCreated: 0 },
    elsewhere: [],
  };
}

const nothingSent = { alreadyLoaded: 0, inDoubt: 0, waiting: 0, heldBack: 0, refused: 0 };

/**
 * Goes through all rows as a load would, and writes nothing.
 *
 * @param run      the run that goes on, or `null` for one that is to begin
 * @param planned  is told of every decision, those on the children of rows that would go in included
 */
export async function foresee(
  survey: Survey,
  ledger: Ledger,
  options: DecisionOptions,
  run: string | null,
  planned: PlannedDecisions,
): Promise<Foresight> {
  const foreseen = new ForeseenRows(survey, ledger, options, run, planned);
  await foreseen.lookAhead();
  const sheets: ForeseenSheet[] = [];
  for (const sheet of survey.sheets) sheets.push(await foreseen.lookThrough(sheet));
  return { ...foreseen.found, sheets, elsewhere: [] };
}

class ForeseenRows {
  readonly #ledger: Ledger;
  readonly #options: DecisionOptions;
  readonly #run: string | null;
  readonly #planned: PlannedDecisions;
  readonly #decisions: RowDecisions;
  readonly #loaded = new LoadedRows();
  readonly #otherwise: RowsReadOtherwise;
  readonly #repeats = new Repeats();
  readonly #files = new NamedFiles();
  readonly #refs: RefsInUse;
  readonly #settled = { created: 0, notCreated: 0 };

  constructor(survey: Survey, ledger: Ledger, options: DecisionOptions, run: string | null, planned: PlannedDecisions) {
    this.#ledger = ledger;
    this.#options = options;
    this.#run = run;
    this.#planned = planned;
    this.#decisions = new RowDecisions(survey, ledger, run ?? 'foresight', options);
    this.#otherwise = new RowsReadOtherwise(ledger, options.earlierRuns, options.howRead);
    this.#refs = new RefsInUse(ledger, options.service);
  }

  lookAhead(): Promise<void> {
    return this.#decisions.lookAhead();
  }

  async lookThrough(sheet: SurveyedSheet): Promise<ForeseenSheet> {
    const make = outgoingMaker(sheet.kind, this.#options.contract, this.#options.attachments);
    const takenBack = new SettledRows(this.#ledger, this.#run, sheet);
    let amount = new Big(0);
    let clears = 0;
    for await (const row of sheet.judgedRows()) {
      if (this.#planned.holdsBack(row)) continue;
      const decision = this.#decisions.decide(row, make);
      this.#look(row, decision);
      const goesOut = decision.step === 'send' || (decision.step === 'leave' && takenBack.add(row));
      if (!goesOut) continue;
      amount = amount.plus(amountOf(row) ?? 0);
      clears += row.clears;
      this.#files.add(row);
      this.#repeats.add(row, row.twin === null ? this.#earlierEqualOf(decision) : null);
    }
    const amountToSend = sheet.kind.amount === null ? null : amount.toFixed();
    return { ...takenBack.addedTo(this.#planned.rowsOf(sheet.name)), sheet: sheet.name, amountToSend, clears };
  }

  #look(row: JudgedRow, decision: Decision): void {
    this.#planned.add(row, decision);
    this.#loaded.look(row, decision);
    if (decision.settles !== null) {
      this.#settled[decision.settles.resolution === 'not-created' ? 'notCreated' : 'created'] += 1;
    }
    if (decision.step !== 'send') return;
    decision.outgoing.release();
    this.#otherwise.look(row);
    if (!this.#options.again) this.#refs.look(row, decision);
    this.#decisions.note(row, 'created', idToCome(row));
  }

  /** A row goes out beside one that is in, and that stands in this source too: sheets of two months may be put together. */
  #earlierEqualOf(decision: Decision): string | null {
    const { again, service } = this.#options;
    if (again || decision.step !== 'send' || decision.repeats === null) return null;
    const earlier = this.#ledger.liveEntry(service, decision.repeats.fingerprint);
    if (earlier === null) return null;
    const { sheet, row, sourceName, run, state } = earlier;
    return `${sheet} row ${row} of ${sourceName} (run ${run}), which is in${isIn(state) ? '' : ' doubt'}`;
  }

  get found(): Omit<Foresight, 'sheets' | 'elsewhere'> {
    return {
      ...this.#loaded.found,
      readOtherwise: this.#otherwise.found,
      repeats: this.#repeats.found,
      files: this.#files.found,
      refsInUse: this.#refs.found,
      settled: this.#settled,
    };
  }
}

/** Stands for the id that the service will give a row, so that its children are not taken for waiting. */
function idToCome({ sheet, row }: RowPosition): string {
  return `the id of ${sheet} row ${row}`;
}
