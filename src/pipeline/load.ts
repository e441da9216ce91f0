/**
 * Sends what can be sent: kinds in their order, rows with limited concurrency, children after their parents. Before a
 * request leaves, its rows stand in the ledger; after its answer, so does what became of them.
 */
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { type RowState, rowStates } from '../contract/row-state.ts';
import { isIntentRefused } from '../ledger/intent-refused.ts';
import type { EarlierEntry, Intent, Ledger, RowPosition, Run, Settlement } from '../ledger/ledger.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import type { Room, ServiceClient } from '../service/client.ts';
import type { Outcome, StopReason } from '../service/outcome.ts';
import type { HeldRow } from './held-rows.ts';
import { Occurrences } from './occurrences.ts';
import { AttachmentGone, type OutgoingMaker, type OutgoingRow, outgoingMaker } from './outgoing.ts';
import { Parents } from './parents.ts';
import { refText } from './reference-index.ts';
import { dataRows, type JudgedRow, type Survey, type SurveyedSheet } from './survey.ts';

export interface LoadOptions {
  readonly service: string;
  readonly contract: ContractSettings;
  readonly attachmentsFolder: string;
  /** Sends rows although equal ones are in. */
  readonly again: boolean;
  readonly idempotencyKeys: boolean;
  /** Rows in one request of a bulk kind. */
  readonly batch: number;
  /** Only the first rows, counted over all sheets in the order of loading, or `null`. */
  readonly limit: number | null;
  /** Whether the run was begun before: its rows that are settled stay as they are. */
  readonly resumed: boolean;
  /** An earlier run of the same source: updates that went in with it are not sent again. `null`: there is none. */
  readonly earlierRun: string | null;
  /** No new request once it is aborted; what is in flight may finish. */
  readonly signal: AbortSignal;
  readonly onRow: (event: RowEvent) => void;
}

/** What became of one row, told as soon as it is in the ledger. */
export interface RowEvent {
  readonly sheet: string;
  readonly row: number;
  readonly state: RowState;
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
    for (const sheet of survey.sheets) await loading.sheet(sheet);
  } finally {
    await loading.drain();
    endGrace();
  }
  loading.throwFailure();
  if (client.stopReason?.kind === 'closed') await loading.takeBackClosed(client.stopReason);
  return { stopReason: client.stopReason, interrupted: options.signal.aborted };
}

/** What is in flight when a person interrupts a load may finish within this time; then it is in doubt. */
const graceMs = 30_000;

function drainWhenAborted(client: ServiceClient, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | null = null;
  const drain = () => {
    void client.drain();
    timer = setTimeout(() => void client.close(), graceMs);
  };
  if (signal.aborted) drain();
  else signal.addEventListener('abort', drain, { once: true });
  return () => {
    signal.removeEventListener('abort', drain);
    if (timer !== null) clearTimeout(timer);
  };
}

interface Prepared extends OutgoingRow {
  readonly intent: Intent;
}

class Loading {
  readonly #client: ServiceClient;
  readonly #ledger: Ledger;
  readonly #run: Run;
  readonly #options: LoadOptions;
  readonly #parents: Parents;
  readonly #occurrences = new Occurrences();
  readonly #inFlight = new Set<Promise<void>>();
  /** The last request for each company that is updated: rows for one company go out one at a time, in their order. */
  readonly #lastUpdate = new Map<string, Promise<void>>();
  /** Rows refused while no row was in: when the whole address turns out to be closed, they have not been sent. */
  #refusedFirst: Settlement[] | null = [];
  #failure: unknown = null;
  #rows = 0;

  constructor(survey: Survey, client: ServiceClient, ledger: Ledger, run: Run, options: LoadOptions) {
    this.#client = client;
    this.#ledger = ledger;
    this.#run = run;
    this.#options = options;
    this.#parents = new Parents(survey.references);
  }

  async sheet(sheet: SurveyedSheet): Promise<void> {
    const make = outgoingMaker(sheet.kind, this.#options.contract, this.#options.attachmentsFolder);
    let batch: Prepared[] = [];
    for await (const source of dataRows(sheet)) {
      if (this.#mustStop()) break;
      this.#rows += 1;
      const prepared = await this.#prepare(sheet.judge(source), make);
      if (prepared === null) continue;
      batch.push(prepared);
      if (batch.length < this.#batchSize(sheet.kind)) continue;
      await this.#dispatch(sheet.kind, batch);
      batch = [];
    }
    if (batch.length > 0) await this.#dispatch(sheet.kind, batch);
    await this.drain();
  }

  /** Waits for everything in flight: the children of this kind need to know its ids. */
  async drain(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
    this.#lastUpdate.clear();
  }

  throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  async takeBackClosed(reason: StopReason): Promise<void> {
    const taken = (this.#refusedFirst ?? []).map((refused) => ({
      ...refused,
      state: 'not-sent' as const,
      message: reason.message,
    }));
    if (taken.length > 0) await this.#run.settle(taken);
  }

  #mustStop(): boolean {
    const { signal, limit } = this.#options;
    return (
      signal.aborted ||
      this.#client.stopReason !== null ||
      this.#failure !== null ||
      (limit !== null && this.#rows >= limit)
    );
  }

  #batchSize(kind: RecordKind): number {
    return kind.sending === 'batch' ? this.#options.batch : 1;
  }

  /** Gives a row that is to be sent, or `null` after noting why it is not. */
  async #prepare(row: JudgedRow, make: OutgoingMaker): Promise<Prepared | null> {
    if (!row.isValid) return null;
    const ref = row.ref === null ? null : this.#ledger.fingerprint(refText(row.kind.name, row.ref));
    if (this.#options.resumed && this.#staysAsItIs(row)) return null;
    if (row.standing.kind === 'held') {
      await this.#keep(row, row.standing.row, ref);
      return null;
    }
    if (row.standing.kind === 'not-created') this.#settleDoubt(row.standing.run, row.standing.position, 'not-created');
    const resolved = this.#parents.resolve(row);
    if (!resolved.ready) {
      await this.#record(row, this.#placeholder(row), ref, {
        ...untouched,
        state: 'waiting',
        message: resolved.message,
      });
      return null;
    }
    const outgoing = this.#made(row, resolved.body, make);
    if (typeof outgoing === 'string') {
      await this.#record(row, this.#placeholder(row), ref, {
        ...untouched,
        state: 'not-sent',
        message: outgoing,
      });
      return null;
    }
    const fingerprint = this.#fingerprintOf(outgoing);
    const earlier = row.kind.sending === 'update' ? this.#earlierUpdate(row) : this.#guard(fingerprint);
    if (earlier !== null) {
      outgoing.release();
      await this.#record(row, this.#placeholder(row), ref, settlementOfEarlier(earlier));
      this.#noteParent(row, isSettled(earlier.state) ? 'already-loaded' : 'in-doubt', earlier.id);
      return null;
    }
    const { sheet, row: number, kind } = row;
    return { ...outgoing, intent: { sheet, row: number, kind: kind.name, fingerprint, ref } };
  }

  /** A row that its results sheet holds stays as it is; a doubt that the person settled there is settled. */
  async #keep(row: CheckedRow, held: HeldRow, ref: Buffer | null): Promise<void> {
    if (held.settles !== null)
      this.#settleDoubt(held.settles.run, held.settles.position, { created: held.settles.created });
    const { state, id, companyId, url, message } = held;
    await this.#record(row, this.#placeholder(row), ref, {
      ...untouched,
      state,
      id,
      companyId,
      url,
      message,
    });
    this.#noteParent(row, state, id);
  }

  #settleDoubt(run: string, position: RowPosition, resolution: { created: string } | 'not-created'): void {
    if (this.#ledger.entry(run, position)?.state === 'in-doubt') this.#ledger.resolveDoubt(run, position, resolution);
  }

  #made(row: CheckedRow, body: Record<string, unknown>, make: OutgoingMaker): OutgoingRow | string {
    const key = this.#options.idempotencyKeys ? `${this.#run.id}-${row.sheet}-${row.row}` : null;
    try {
      return make(row, body, key);
    } catch (error) {
      if (error instanceof AttachmentGone) return error.message;
      throw error;
    }
  }

  /** Stands for the fingerprint of a row that is not sent in this run: it must not look like a second live entry. */
  #placeholder(row: CheckedRow): Buffer {
    return this.#ledger.fingerprint(`not sent\n${this.#run.id}\n${row.sheet}\n${row.row}`);
  }

  /** The n-th of equal rows is another one than the first: two equal payments can be two payments. */
  #fingerprintOf(outgoing: OutgoingRow): Buffer {
    const digest = this.#ledger.fingerprint(`${this.#options.service}\n${outgoing.identity}`);
    const occurrence = this.#occurrences.next(digest);
    return occurrence === 1 ? digest : this.#ledger.fingerprint(`${digest.toString('hex')}\n${occurrence}`);
  }

  /** A resume leaves rows that are in, refused or in doubt as they are, and sends the others. */
  #staysAsItIs(row: CheckedRow): boolean {
    const before = this.#ledger.entry(this.#run.id, { sheet: row.sheet, row: row.row });
    if (before === null || before.state === 'not-sent' || before.state === 'waiting' || before.state === 'failed')
      return false;
    this.#noteParent(row, before.state, before.id);
    return true;
  }

  /** The live entry that keeps this row from being sent, or `null`. */
  #guard(fingerprint: Buffer): EarlierEntry | null {
    const live = this.#ledger.liveEntry(this.#options.service, fingerprint);
    return live !== null && this.#options.again && isSettled(live.state) ? null : live;
  }

  /** Updates have no guard across files, but the same file loaded again does not repeat those that are in. */
  #earlierUpdate(row: CheckedRow): EarlierEntry | null {
    const { earlierRun } = this.#options;
    const entry = earlierRun === null ? null : this.#ledger.entry(earlierRun, { sheet: row.sheet, row: row.row });
    const record = earlierRun === null ? null : this.#ledger.run(earlierRun);
    if (entry === null || record === null || !isSettled(entry.state)) return null;
    return { ...entry, sourceName: record.sourceName, startedAt: record.startedAt };
  }

  async #dispatch(kind: RecordKind, rows: readonly Prepared[]): Promise<void> {
    const room = this.#mustStopSending() ? null : await this.#client.room();
    if (room === null) {
      for (const row of rows) row.release();
      return;
    }
    const path = kind.sending === 'update' ? (rows[0]?.record.pathId ?? null) : null;
    const turn = path === null ? null : (this.#lastUpdate.get(path) ?? null);
    const sending = this.#send(room, kind, rows, turn).catch((error: unknown) => {
      this.#failure ??= error;
    });
    this.#inFlight.add(sending);
    if (path !== null) this.#lastUpdate.set(path, sending);
    void sending.finally(() => this.#inFlight.delete(sending));
  }

  #mustStopSending(): boolean {
    return this.#options.signal.aborted || this.#client.stopReason !== null || this.#failure !== null;
  }

  async #send(room: Room, kind: RecordKind, rows: readonly Prepared[], turn: Promise<void> | null): Promise<void> {
    try {
      if (turn !== null) await turn;
      if (this.#mustStopSending()) return;
      const intended = await this.#intended(rows);
      if (intended.length > 0) await this.#settle(intended, await outcomesOf(room, kind, intended));
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
      const refused = new Map(
        error.refusals.map(({ position, entry }) => [`${position.sheet}!${position.row}`, entry]),
      );
      for (const { row, intent } of rows) {
        const entry = refused.get(`${row.sheet}!${row.row}`);
        if (entry !== undefined)
          await this.#record(row, this.#placeholder(row), intent.ref, settlementOfEarlier(entry));
      }
      const left = rows.filter(({ row }) => !refused.has(`${row.sheet}!${row.row}`));
      return left.length === 0 ? [] : this.#intended(left);
    }
  }

  async #settle(rows: readonly Prepared[], outcomes: readonly Outcome[]): Promise<void> {
    const settlements = rows.map((row, index) => settlementOf(row.intent, outcomes[index]));
    await this.#run.settle(settlements);
    if (settlements.some((settlement) => isSettled(settlement.state))) this.#refusedFirst = null;
    this.#refusedFirst?.push(...settlements.filter((settlement) => settlement.state === 'rejected'));
    rows.forEach(({ row }, index) => {
      const settlement = settlements[index];
      if (settlement === undefined) return;
      this.#noteParent(row, settlement.state, settlement.id);
      this.#options.onRow({ sheet: row.sheet, row: row.row, state: settlement.state });
    });
  }

  async #record(
    row: CheckedRow,
    fingerprint: Buffer,
    ref: Buffer | null,
    settlement: Omit<Settlement, 'sheet' | 'row'>,
  ): Promise<void> {
    const position = { sheet: row.sheet, row: row.row };
    await this.#run.record([{ ...settlement, ...position, kind: row.kind.name, fingerprint, ref }]);
    this.#options.onRow({ ...position, state: settlement.state });
  }

  #noteParent(row: CheckedRow, state: Settlement['state'] | 'sending', id: string | null): void {
    if (row.ref !== null && isSettled(state)) this.#parents.add(row.kind.name, row.ref, id);
  }
}

async function outcomesOf(room: Room, kind: RecordKind, rows: readonly Prepared[]): Promise<readonly Outcome[]> {
  const records = rows.map((row) => row.record);
  const [only] = records;
  if (kind.sending === 'batch' || only === undefined) return room.sendBatch(kind, records);
  return [await room.sendRecord(kind, only)];
}

const untouched = { attempts: 0, httpStatus: null, id: null, companyId: null, url: null } as const;

function isSettled(state: RowState | 'sending'): boolean {
  return state !== 'sending' && rowStates[state].isIn;
}

function settlementOfEarlier(earlier: EarlierEntry): Omit<Settlement, 'sheet' | 'row'> {
  const place = `${earlier.sourceName}, ${earlier.sheet} row ${earlier.row}, on ${earlier.startedAt.slice(0, 'YYYY-MM-DD'.length)} (run ${earlier.run})`;
  if (isSettled(earlier.state)) {
    const { id, companyId, url } = earlier;
    return { ...untouched, id, companyId, url, state: 'already-loaded', message: `Loaded before from ${place}.` };
  }
  return {
    ...untouched,
    state: 'in-doubt',
    message: `The same row is in doubt from ${place}. Look it up in the service, then settle it with: dealsheet resolve ${earlier.run} --row "${earlier.sheet}!${earlier.row}"`,
  };
}

function settlementOf(intent: Intent, outcome: Outcome | undefined): Settlement {
  const { sheet, row } = intent;
  if (outcome === undefined) throw new Error(`No outcome for ${sheet} row ${row}.`);
  const { state, attempts, httpStatus } = outcome;
  const base = { sheet, row, state, attempts, httpStatus };
  if ('message' in outcome) return { ...base, id: null, companyId: null, url: null, message: outcome.message };
  const { id, companyId, url } = outcome;
  return { ...base, id, companyId, url, message: null };
}
