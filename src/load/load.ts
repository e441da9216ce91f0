/**
 * Sends the rows that are to be sent: kinds in their order, rows with limited concurrency, children after their parents. Its one
 * rule: rows are in the ledger as intents before their request leaves, and their outcomes are recorded after its answer.
 */
import { setImmediate } from 'node:timers/promises';
import { type ContractSettings, sendingOf } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { noRecord, type RowState, rowStates } from '../contract/row-state.ts';
import type { Ledger, RowPosition, Run } from '../ledger/ledger.ts';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import { RowFields } from '../plan/changed-fields.ts';
import { decisionOf } from '../plan/decision.ts';
import type { Around } from '../plan/row-digests.ts';
import type { OutgoingRecord, ServiceClient, Slot } from '../service/client.ts';
import type { Outcome, StopReason } from '../service/outcome.ts';
import { afterEarlierTries } from '../service/row-outcomes.ts';
import type { AttachmentPlace } from '../staging/attachment-files.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import { parentIdsOf, type RecordMaker, recordMaker } from './outgoing.ts';

export interface LoadOptions extends Around {
  readonly ledger: Ledger;
  readonly contract: ContractSettings;
  readonly attachments: AttachmentPlace;
  readonly idempotencyKeys: boolean;
  /** Rows in one request of a bulk kind. */
  readonly batch: number;
  /** Once it is aborted, no new request starts. Those in flight may finish. */
  readonly signal: AbortSignal;
  readonly onRow: (event: RowEvent) => void;
}

export interface RowEvent extends RowPosition {
  readonly state: RowState;
  /** The code of its message; `null` without one. */
  readonly code: string | null;
}

export interface LoadEnd {
  readonly stopReason: StopReason | null;
  readonly interrupted: boolean;
}

/** @throws DealsheetError `ledger-failed` when the ledger can no longer be written; nothing is sent without an intent */
export async function load(client: ServiceClient, run: Run, options: LoadOptions): Promise<LoadEnd> {
  if (run.lease !== null) await run.lease.takesUpTo(client.sendBy(run.lease));
  const loading = new Loading(client, run, options);
  const endGrace = drainWhenAborted(client, options.signal);
  try {
    for (const kind of recordKinds) await loading.kind(kind);
  } finally {
    await loading.drain();
    endGrace();
  }
  loading.throwFailure();
  if (client.stopReason?.message.code === 'stopped-closed') await loading.noteClosed(client.stopReason);
  return { stopReason: client.stopReason, interrupted: options.signal.aborted };
}

/** Requests between intent and outcome, as a multiple of the concurrency. A kill may leave the rows of that many in doubt. */
const slotsAhead = 2;

const isToSend = `r.decision ->> '$.do' = 'send'`;
/** A row with a file keeps it open until it is sent, so such rows are prepared one at a time. */
const rowsAhead = (kind: RecordKind, size: number): number => (kind.sending.hasFile ? 1 : Math.max(32, size));

interface Ready {
  readonly staged: KnownStaged;
  readonly id: number;
  readonly sheet: string;
  readonly fields: string;
  readonly record: OutgoingRecord;
  readonly release: () => void;
}

interface Answered {
  readonly row: Ready;
  readonly outcome: Outcome;
}

/** For intents that were written ahead when the run ends. */
const notSent = { ...noRecord, state: 'not-sent', attempts: 0, httpStatus: null } as const;
const unsentAhead: Outcome = { ...notSent, message: messageOf('run-ended') };

class Loading {
  readonly #client: ServiceClient;
  readonly #run: Run;
  readonly #options: LoadOptions;
  readonly #inFlight = new Set<Promise<void>>();
  /** The last request for each company: updates of one company are sent one at a time, in order. */
  readonly #lastUpdate = new Map<string, Promise<void>>();
  /** Settles once the newest intents are in the ledger. */
  #intending: Promise<unknown> = Promise.resolve();
  #hasAccepted = false;
  /** Rows rejected before any row was accepted. If the whole endpoint turns out to be closed, they count as not sent. */
  readonly #rejectedFirst: Answered[] = [];
  #failure: unknown = null;

  constructor(client: ServiceClient, run: Run, options: LoadOptions) {
    this.#client = client;
    this.#run = run;
    this.#options = options;
  }

  async kind(kind: RecordKind): Promise<void> {
    const { staging, contract, batch, attachments } = this.#options;
    const size = sendingOf(kind, contract.requests).isBatch ? batch : 1;
    const make = recordMaker(kind, contract, attachments);
    try {
      for await (const rows of staging.batches(kind.name, isToSend, rowsAhead(kind, size))) {
        if (this.#mustStop()) break;
        const ready = await this.#prepared(make, rows);
        for (let first = 0; first < ready.length; first += size)
          await this.#dispatch(kind, ready.slice(first, first + size));
        if (ready.length > 1 && this.#run.lease === null) await this.#haveLeft();
      }
    } catch (error) {
      this.#failure ??= error;
    }
    await this.drain();
  }

  /** The next rows are prepared while these are under way. To prepare them takes as long as to write the intents of these. */
  async #haveLeft(): Promise<void> {
    await this.#intending;
    // A request leaves one turn after its intent is written.
    await setImmediate();
    await setImmediate();
  }

  /** Waits for everything in flight, because the children of this kind need its ids. */
  async drain(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
    this.#lastUpdate.clear();
  }

  throwFailure(): void {
    const failure = this.#failure ?? this.#run.lease?.failure ?? this.#client.listenerFailure;
    if (failure !== null) throw failure;
  }

  async noteClosed({ message }: StopReason): Promise<void> {
    const closed = this.#rejectedFirst.map(({ row, outcome: { httpStatus } }) => ({
      row,
      outcome: afterEarlierSending(row.staged, { ...notSent, httpStatus, message }),
    }));
    if (closed.length > 0) await this.#record(closed);
  }

  async #prepared(make: RecordMaker, rows: readonly KnownStaged[]): Promise<readonly Ready[]> {
    const { staging, ledger, idempotencyKeys } = this.#options;
    const { idsOf, forms } = await parentIdsOf(rows, this.#options);
    const known = idempotencyKeys ? await ledger.lookupRows(rows.flatMap(({ id }) => id ?? [])) : null;
    const ready: Ready[] = [];
    for (const staged of rows) {
      const ids = idsOf(staged);
      if (typeof ids === 'string') {
        await this.#note(staged, 'waiting', messageOf(ids, { named: null }));
        continue;
      }
      const id = staged.id ?? 0;
      // A restored backup gives ids out a second time, and a run id never.
      const key = known === null ? null : ledger.digest(`idempotency\n${known.get(id)?.firstRun}\n${id}`);
      const data = staging.data(staged);
      const made = make(data, ids, key);
      if (!made.ok) await this.#note(staged, 'invalid', made.message);
      else {
        const fields = new RowFields(ledger, staged, data, forms).digests(contentOf(staged));
        ready.push({ staged, id, sheet: data.sheet, fields, record: made.record, release: made.release });
      }
    }
    return ready;
  }

  /** With a remote ledger, intents are written before a slot is free, so that its round trips do not slow the load. */
  async #dispatch(kind: RecordKind, rows: readonly Ready[]): Promise<void> {
    const isAhead = this.#run.lease !== null;
    const most = slotsAhead * this.#client.concurrency;
    while (isAhead && this.#inFlight.size >= most) await Promise.race(this.#inFlight);
    const slot = this.#mustStop() || isAhead ? null : await this.#client.slot();
    if (this.#mustStop() || (slot === null && !isAhead)) {
      slot?.release();
      for (const row of rows) row.release();
      return;
    }
    const company = kind.sending.isUpdate ? (rows[0]?.record.pathId ?? null) : null;
    const before = company === null ? null : (this.#lastUpdate.get(company) ?? null);
    const sending = this.#send(slot, kind, rows, before).catch((error: unknown) => {
      this.#failure ??= error;
    });
    this.#inFlight.add(sending);
    if (company !== null) this.#lastUpdate.set(company, sending);
    void sending.finally(() => this.#inFlight.delete(sending));
  }

  async #send(given: Slot | null, kind: RecordKind, rows: readonly Ready[], before: Promise<void> | null) {
    let slot = given;
    try {
      if (before !== null) await before;
      if (this.#mustStop()) return;
      const intending = this.#intended(rows);
      this.#intending = intending;
      const intended = await intending;
      if (intended.length === 0) return;
      slot ??= await this.#client.slot();
      const records = intended.map(({ record }) => record);
      const outcomes =
        slot === null || this.#run.lease?.failure ? records.map(() => unsentAhead) : await slot.send(kind, records);
      await this.#settle(intended, outcomes);
    } finally {
      slot?.release();
      for (const row of rows) row.release();
    }
  }

  /** Writes the intents. A row that the ledger does not take, because it or an equal row is live by now, is noted and left out. */
  async #intended(rows: readonly Ready[]): Promise<readonly Ready[]> {
    const intents = rows.map(({ staged, id, sheet, fields }) => {
      const decision = decisionOf(staged);
      const equals = decision?.do === 'send' ? decision.equals : 0;
      const { row, foundBy } = staged;
      return { id, sheet, row, content: contentOf(staged), fields, equals, isFirst: foundBy === 'new' };
    });
    const written = await this.#run.intend(intents);
    for (const { staged, id } of rows)
      if (!written.has(id)) await this.#note(staged, 'not-sent', messageOf('live-meanwhile'));
    return rows.filter(({ id }) => written.has(id));
  }

  async #settle(rows: readonly Ready[], outcomes: readonly Outcome[]): Promise<void> {
    const settled = rows.map((row, at) => {
      const answered = outcomes[at];
      if (answered === undefined) throw new Error(`No outcome for ${row.sheet} row ${row.staged.row}.`);
      return { row, outcome: afterEarlierSending(row.staged, answered), isRejected: answered.state === 'rejected' };
    });
    await this.#record(settled);
    this.#hasAccepted ||= settled.some(({ outcome }) => rowStates[outcome.state].isIn);
    if (this.#hasAccepted) this.#rejectedFirst.length = 0;
    else this.#rejectedFirst.push(...settled.filter(({ isRejected }) => isRejected));
  }

  async #record(rows: readonly Answered[]): Promise<void> {
    const taken = await this.#run.record(rows.map(({ row: { id }, outcome }) => ({ id, ...outcome })));
    for (const { row, outcome } of rows)
      if (taken.includes(row.id)) this.#emit(row.staged, 'in-doubt', 'id-given-twice');
      else this.#emit(row.staged, outcome.state, outcome.message?.code ?? null);
  }

  async #note(staged: KnownStaged, state: RowState, message: Message): Promise<void> {
    await this.#run.note([{ sheet: this.#options.staging.sheetOf(staged).name, row: staged.row, state, message }]);
    this.#emit(staged, state, message.code);
  }

  #emit(staged: KnownStaged, state: RowState, code: string | null): void {
    this.#options.onRow({ sheet: this.#options.staging.sheetOf(staged).name, row: staged.row, state, code });
  }

  #mustStop(): boolean {
    const { stopReason, listenerFailure } = this.#client;
    this.#failure ??= this.#run.lease?.failure ?? null;
    return this.#options.signal.aborted || stopReason !== null || listenerFailure !== null || this.#failure !== null;
  }
}

function contentOf({ content }: KnownStaged): string {
  return content ?? '';
}

/**
 * An update whose earlier attempt may have been applied stays in doubt when it is rejected. If it was not sent or
 * failed, it is still to be repeated.
 */
function afterEarlierSending(staged: KnownStaged, outcome: Outcome): Outcome {
  const decision = decisionOf(staged);
  if (decision?.do !== 'send' || !decision.mayBeApplied) return outcome;
  if (outcome.state === 'not-sent' || outcome.state === 'failed')
    return { ...outcome, state: 'in-doubt', message: messageOf('left-to-repeat') };
  return afterEarlierTries(outcome, messageOf('left-in-doubt', { wasSentAgain: true }), true);
}

/** How long requests in flight may take after an interruption. Then they are in doubt. */
const graceMs = 30_000;

/** @returns ends the waiting; call it when nothing is in flight */
function drainWhenAborted(client: Pick<ServiceClient, 'drain' | 'close'>, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | null = null;
  // Each row in flight gets its outcome by itself, so a failure to close the connections changes nothing.
  const ignored = () => {};
  const drain = () => {
    client.drain().catch(ignored);
    timer = setTimeout(() => client.close().catch(ignored), graceMs);
  };
  if (signal.aborted) drain();
  else signal.addEventListener('abort', drain, { once: true });
  return () => {
    signal.removeEventListener('abort', drain);
    if (timer !== null) clearTimeout(timer);
  };
}
