/**
 * Sends what can be sent: kinds in their order, rows with limited concurrency, children after their parents. Before a
 * request leaves, its rows stand in the ledger; after its answer, so does what became of them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordKind } from '../../contract/record-kind.ts';
import { sendingOf } from '../../contract/request-rules.ts';
import type { RowState } from '../../contract/row-state.ts';
import { isIn } from '../../ledger/entry-state.ts';
import { isIntentRefused } from '../../ledger/intent-refused.ts';
import type { Ledger, Run } from '../../ledger/ledger.ts';
import type { Room, ServiceClient } from '../../service/client.ts';
import type { Outcome, StopReason } from '../../service/outcome.ts';
import type { DecisionOptions } from '../decisions/decision-options.ts';
import { type OutgoingMaker, outgoingMaker } from '../decisions/outgoing.ts';
import { RowDecisions } from '../decisions/row-decisions.ts';
import { type Limit, Turns } from '../options/turns.ts';
import { noteOfEarlier } from '../rows/row-note.ts';
import { placeOf } from '../rows/row-place.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import type { Survey, SurveyedSheet } from '../survey/survey.ts';
import { drainWhenAborted } from './client-closing.ts';
import { outcomesOf, settlementOf } from './row-outcome.ts';
import { type Prepared, RowPreparation } from './row-preparation.ts';

export interface LoadOptions extends DecisionOptions {
  /** Rows in one request of a bulk kind. */
  readonly batch: number;
  readonly limit: Limit;
  /** No new request once it is aborted; what is in flight may finish. */
  readonly signal: AbortSignal;
  readonly onRow: (event: RowEvent) => void;
}

/** What became of one row, told as soon as it is in the ledger. */
export interface RowEvent {
  readonly sheet: string;
  readonly row: number;
  readonly state: RowState;
  /** Of what is said of it, or `null` where nothing is. */
  readonly code: string | null;
}

export interface LoadEnd {
  readonly stopReason: StopReason | null;
  readonly interrupted: boolean;
}

/** @throws DealsheetError `ledger-failed` when the ledger can no longer be written; nothing is sent without its entry */
export async function load(
  survey: Survey,
  client: ServiceClient,
  ledger: Ledger,
  run: Run,
  options: LoadOptions,
): Promise<LoadEnd> {
  const loading = new Loading(survey, client, ledger, run, options);
  const endGrace = drainWhenAborted(client, options.signal);
  try {
    await loading.lookAhead();
    for (const sheet of survey.sheets) await loading.sheet(sheet);
  } finally {
    await loading.drain();
    endGrace();
  }
  loading.throwFailure();
  if (client.stopReason?.kind === 'closed') await loading.takeBackClosed(client.stopReason);
  return { stopReason: client.stopReason, interrupted: options.signal.aborted };
}

/** Rows that are prepared in one go: 100,000 deals took 17.3 s of CPU so, and 20.5 s one by one between requests. */
const rowsInOneGo = 64;

/**
 * Meanwhile answers wait to be read, and the rows behind them to be sent: 10,000 rows into a service 50 ms away took 19.1 s
 * from the first request to the last, and 20.4 s with 64 rows without a pause.
 */
const longestGoMs = 3;

/** In one turn of the event loop the intents are committed, in the next at the latest their requests have left. */
const turnsOfSending = 2;

/** A row with a file holds it open from then on, so those are prepared one by one. */
function rowsAhead(kind: RecordKind, batch: number): number {
  if (kind.sending.hasFile) return 1;
  return kind.sending.isBatch ? batch : rowsInOneGo;
}

class Loading {
  readonly #client: ServiceClient;
  readonly #run: Run;
  readonly #options: LoadOptions;
  readonly #decisions: RowDecisions;
  readonly #preparation: RowPreparation;
  readonly #inFlight = new Set<Promise<void>>();
  /** The last request for each company that is updated: rows for one company go out one at a time, in their order. */
  readonly #lastUpdate = new Map<string, Promise<void>>();
  /** Rows refused while no row was in: when the whole address turns out to be closed, they have not been sent. */
  #refusedFirst: { readonly row: Prepared; readonly outcome: Outcome }[] | null = [];
  readonly #turns: Turns;
  #failure: unknown = null;

  constructor(survey: Survey, client: ServiceClient, ledger: Ledger, run: Run, options: LoadOptions) {
    this.#client = client;
    this.#run = run;
    this.#options = options;
    this.#turns = new Turns(options.limit);
    this.#decisions = new RowDecisions(survey, ledger, run.id, options);
    this.#preparation = new RowPreparation(this.#decisions, ledger, run, client, {
      onNoted: options.onRow,
      onFailure: (error) => {
        this.#failure ??= error;
      },
    });
    if (options.resumed) this.#preparation.noteGivenIds();
  }

  lookAhead(): Promise<void> {
    return this.#decisions.lookAhead();
  }

  async sheet(sheet: SurveyedSheet): Promise<void> {
    const make = outgoingMaker(sheet.kind, this.#options.contract, this.#options.attachments);
    let next: Promise<readonly Prepared[]> = Promise.resolve([]);
    try {
      for await (const rows of this.#groupsOf(sheet)) {
        const prepared = await next;
        next = this.#prepareSoon(rows, make);
        await this.#dispatchAll(sheet.kind, prepared);
      }
    } catch (error) {
      this.#failure ??= error;
    }
    await this.#dispatchAll(sheet.kind, await next);
    await this.drain();
  }

  /** The rows up to the limit, in groups that are prepared in one go: that costs less than one now and then. */
  async *#groupsOf(sheet: SurveyedSheet): AsyncIterable<readonly JudgedRow[]> {
    let group: JudgedRow[] = [];
    for await (const row of sheet.judgedRows()) {
      if (this.#mustStopSending() || this.#turns.areOver) break;
      if (!this.#turns.comes(row)) continue;
      group.push(row);
      if (group.length < rowsAhead(sheet.kind, this.#options.batch)) continue;
      yield group;
      group = [];
    }
    if (group.length > 0) yield group;
  }

  /**
   * Prepares a group while the one before it is on its way. With a service 50 ms away an answer was followed by the next
   * request after 2.6 ms in place of 4.1, in the middle of 10,000.
   */
  async #prepareSoon(rows: readonly JudgedRow[], make: OutgoingMaker): Promise<readonly Prepared[]> {
    const prepared: Prepared[] = [];
    try {
      for (let turn = 0; turn < turnsOfSending; turn += 1) await nextTurn();
      let began = performance.now();
      for (const row of rows) {
        if (this.#mustStopSending()) break;
        if (performance.now() - began > longestGoMs) {
          await nextTurn();
          began = performance.now();
        }
        const ready = await this.#preparation.prepare(row, make);
        if (ready !== null) prepared.push(ready);
      }
    } catch (error) {
      this.#failure ??= error;
    }
    return prepared;
  }

  async #dispatchAll(kind: RecordKind, rows: readonly Prepared[]): Promise<void> {
    const size = sendingOf(kind, this.#options.contract.requests).isBatch ? this.#options.batch : 1;
    for (let first = 0; first < rows.length; first += size) {
      await this.#dispatch(kind, rows.slice(first, first + size));
    }
  }

  /** Waits for everything in flight: the children of this kind need to know its ids. */
  async drain(): Promise<void> {
    await this.#preparation.written();
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
    this.#lastUpdate.clear();
  }

  throwFailure(): void {
    const failure = this.#failure ?? this.#client.listenerFailure;
    if (failure !== null) throw failure;
  }

  async takeBackClosed(reason: StopReason): Promise<void> {
    const taken = (this.#refusedFirst ?? []).map(({ row, outcome }) =>
      settlementOf(row, { ...outcome, state: 'not-sent', message: reason.message }),
    );
    if (taken.length === 0) return;
    await this.#run.settle(taken);
    for (const { sheet, row, state, message } of taken)
      this.#options.onRow({ sheet, row, state, code: message?.code ?? null });
  }

  async #dispatch(kind: RecordKind, rows: readonly Prepared[]): Promise<void> {
    const room = this.#mustStopSending() ? null : await this.#client.room();
    if (room === null) {
      for (const row of rows) row.release();
      return;
    }
    const path = kind.sending.isUpdate ? (rows[0]?.record.pathId ?? null) : null;
    const turn = path === null ? null : (this.#lastUpdate.get(path) ?? null);
    const sending = this.#send(room, kind, rows, turn).catch((error: unknown) => {
      this.#failure ??= error;
    });
    this.#inFlight.add(sending);
    if (path !== null) this.#lastUpdate.set(path, sending);
    void sending.finally(() => this.#inFlight.delete(sending));
  }

  #mustStopSending(): boolean {
    const { stopReason, listenerFailure } = this.#client;
    return this.#options.signal.aborted || stopReason !== null || listenerFailure !== null || this.#failure !== null;
  }

  async #send(room: Room, kind: RecordKind, rows: readonly Prepared[], turn: Promise<void> | null): Promise<void> {
    try {
      if (turn !== null) await turn;
      if (this.#mustStopSending()) return;
      const intended = await this.#intended(rows);
      if (intended.length === 0) return;
      await this.#settle(intended, await outcomesOf(room, kind, intended));
    } finally {
      room.release();
      for (const row of rows) row.release();
    }
  }

  /** Writes the intents; a row that the ledger refuses, because its equal is live, is taken out and told. */
  async #intended(rows: readonly Prepared[]): Promise<readonly Prepared[]> {
    const intents = rows.map((row) => row.intent);
    try {
      await this.#run.intend(intents, { again: this.#options.again });
      return rows;
    } catch (error) {
      if (!isIntentRefused(error)) throw error;
      const refused = new Map(error.refusals.map(({ position, entry }) => [placeOf(position), entry]));
      for (const { row, intent } of rows) {
        const entry = refused.get(placeOf(row));
        if (entry !== undefined) await this.#preparation.note(intent, noteOfEarlier(entry));
      }
      const left = rows.filter(({ row }) => !refused.has(placeOf(row)));
      return left.length === 0 ? [] : this.#intended(left);
    }
  }

  async #settle(rows: readonly Prepared[], outcomes: readonly Outcome[]): Promise<void> {
    const settlements = rows.map((row, index) => settlementOf(row, outcomes[index]));
    await this.#run.settle(settlements);
    if (settlements.some((settlement) => isIn(settlement.state))) this.#refusedFirst = null;
    rows.forEach((row, index) => {
      const outcome = outcomes[index];
      if (outcome?.state === 'rejected') this.#refusedFirst?.push({ row, outcome });
    });
    rows.forEach(({ row }, index) => {
      const settlement = settlements[index];
      if (settlement === undefined) return;
      this.#decisions.note(row, settlement.state, settlement.id);
      const { state, message } = settlement;
      this.#options.onRow({ sheet: row.sheet, row: row.row, state, code: message?.code ?? null });
    });
  }
}
