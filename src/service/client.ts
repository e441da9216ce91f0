/**
 * The face of the service: what the pipeline sends and asks, and what it is told. Whatever service or network do comes
 * back as a value; nothing here rejects for it.
 */
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { ServiceAddress } from './address.ts';
import { Breakers } from './breakers.ts';
import { outcomesOf } from './bulk-answer.ts';
import { batchCall, type CallSettings, healthCall, pathWithQuery, readCall, recordCall } from './calls.ts';
import { type Clock, systemClock } from './clock.ts';
import { Conversation, type Surroundings } from './conversation.ts';
import type { Credentials } from './credentials.ts';
import type { ServiceEvents } from './events.ts';
import type { Outcome, StopReason } from './outcome.ts';
import type { OutgoingFile, OutgoingRecord, Secret } from './outgoing-record.ts';
import { Pace } from './pace.ts';
import {
  type HealthResult,
  healthResultOf,
  type ReadEndpoint,
  type ReadOptions,
  type ReadResult,
  readResultOf,
} from './reading.ts';
import { RetryBudget } from './retries.ts';
import { openTransport } from './transport.ts';
import { outcomeOf } from './verdict.ts';
import { Waits } from './waits.ts';

export type { HealthResult, OutgoingFile, OutgoingRecord, ReadEndpoint, ReadOptions, ReadResult, Secret };

export interface ServiceOptions {
  /** The base address, before `/v1`. */
  readonly url: URL;
  readonly credentials: Credentials;
  readonly contract: ContractSettings;
  /** The longest silence of the service, in a connect, before an answer and inside one. */
  readonly timeoutMs: number;
  /** The most requests in flight; the pace is found below it. */
  readonly concurrency: number;
  /** The most requests a second, or `null` for no such limit. */
  readonly rate: number | null;
  /** Whether creates that carry a key may be sent again when they are in doubt. */
  readonly idempotencyKeys: boolean;
  /** How many requests may be sent again in this run. */
  readonly retryBudget: number;
  readonly events: ServiceEvents;
}

export interface ServiceClient {
  /**
   * Waits until the pace has room for one more request, and keeps it: send in it, or give it back. A caller writes its
   * intent after this and before it sends. `null` when nothing more will be sent: the client was stopped or drained.
   * Ask for few at a time: one producer that waits for each room is enough.
   */
  room(): Promise<Room | null>;
  /** Reads one record, or the balances. Takes its own room: not to be called while holding the last one. */
  read(endpoint: ReadEndpoint, options: ReadOptions): Promise<ReadResult>;
  /** Reads a further page of an answer, by the address that the answer gave; another origin is refused, unasked. */
  readPage(address: string): Promise<ReadResult>;
  /** Asks whether the service is there. Changes nothing else: a blocked answer is no {@link stopReason}. */
  health(): Promise<HealthResult>;
  /** Why nothing more may be sent, or `null`. The first reason stays. */
  readonly stopReason: StopReason | null;
  /**
   * Ends the sending in good order: no new request leaves, rows that wait for another try come back `not-sent`, and what
   * is in flight is waited for.
   */
  drain(): Promise<void>;
  /** Closes every connection at once. What is in flight comes back in doubt. */
  close(): Promise<void>;
}

/** Room for one request, retries included. It is given back by itself when the outcome is known. */
export interface Room {
  /** Sends one row in one request: the kinds `each`, `update` and `form`. */
  sendRecord(kind: RecordKind, record: OutgoingRecord): Promise<Outcome>;
  /** Sends many rows in one request: the kind `batch`. One outcome for each, in their order. */
  sendBatch(kind: RecordKind, records: readonly OutgoingRecord[]): Promise<readonly Outcome[]>;
  /** Gives the room back without sending. Does nothing once something was sent in it. */
  release(): void;
}

/**
 * Opens a client. Nothing is asked of the service or of the source of the token before the first request.
 *
 * @param clock  the time; another one in tests alone
 * @throws DealsheetError `usage` when the address is none that a token may be sent to
 */
export function createServiceClient(options: ServiceOptions, clock: Clock = systemClock): ServiceClient {
  return new HttpServiceClient(options, clock);
}

class HttpServiceClient implements ServiceClient {
  readonly #settings: CallSettings;
  readonly #pace: Pace;
  readonly #around: Surroundings;
  readonly #inFlight = new Set<Promise<unknown>>();
  #stopReason: StopReason | null = null;
  #ended: string | null = null;

  constructor(options: ServiceOptions, clock: Clock) {
    const { contract, timeoutMs, idempotencyKeys, concurrency, rate, events, credentials } = options;
    const address = new ServiceAddress(options.url, contract);
    this.#settings = { address, contract, timeoutMs, idempotencyKeys };
    this.#pace = new Pace({ concurrency, rate, clock, onPace: events.onPace });
    const client = this;
    this.#around = {
      host: options.url.host,
      transport: openTransport({ origin: address.origin, connections: concurrency, silenceMs: timeoutMs }),
      credentials,
      pace: this.#pace,
      budget: new RetryBudget(options.retryBudget),
      breakers: new Breakers(),
      waits: new Waits(clock),
      clock,
      events,
      tokens: { proven: null, renewed: null },
      stop: (reason) => this.#stop(reason),
      get ended() {
        return client.#ended;
      },
    };
  }

  get stopReason(): StopReason | null {
    return this.#stopReason;
  }

  async room(): Promise<Room | null> {
    if (this.#ended !== null) return null;
    const leave = await this.#pace.enter();
    if (await this.#pace.turn()) return new HttpRoom(this, leave);
    leave();
    return null;
  }

  sendRecord(kind: RecordKind, record: OutgoingRecord): Promise<Outcome> {
    return this.#track(async () => {
      const call = recordCall(kind, record, this.#settings);
      const end = await new Conversation(call, this.#around).run(true);
      const outcome = outcomeOf(kind, record, call.path, end, this.#secretsOf(record), this.#settings);
      this.#note([outcome]);
      return outcome;
    });
  }

  sendBatch(kind: RecordKind, records: readonly OutgoingRecord[]): Promise<readonly Outcome[]> {
    return this.#track(async () => {
      const call = batchCall(kind, records, this.#settings);
      const end = await new Conversation(call, this.#around).run(true);
      const outcomes = outcomesOf(records, end, this.#secretsOf, this.#settings.contract);
      this.#note(outcomes);
      return outcomes;
    });
  }

  read(endpoint: ReadEndpoint, { id, query }: ReadOptions): Promise<ReadResult> {
    const path = this.#settings.address.pathOf(endpoint, id);
    return this.#read(pathWithQuery(path, query), id === null, endpoint === 'getLoanBalances');
  }

  async readPage(page: string): Promise<ReadResult> {
    const url = this.#settings.address.sameOrigin(page, this.#settings.address.pathOf('getLoanBalances', null));
    if (url !== null) return this.#read(url.pathname + url.search, true, true);
    const message =
      'The service named a next page at another address. It was not read: the token goes to the chosen address alone.';
    return { state: 'failed', httpStatus: null, message, stopReason: this.#stopReason };
  }

  async health(): Promise<HealthResult> {
    const { clock } = this.#around;
    const began = clock.now();
    let reason: StopReason | null = null;
    const around: Surroundings = {
      ...this.#around,
      // One try: only a connection that cannot be made is tried again.
      budget: new RetryBudget(0),
      breakers: new Breakers(),
      stop: (stopped) => {
        reason ??= stopped;
      },
      ended: null,
    };
    const end = await this.#track(() => new Conversation(healthCall(this.#settings), around).run(false));
    return healthResultOf(end, reason, clock.now() - began);
  }

  async drain(): Promise<void> {
    this.#end('The run was ended before the service had taken this.');
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
    await this.#around.transport.close();
  }

  async close(): Promise<void> {
    this.#end('The run was ended before the service had taken this.');
    await this.#around.transport.destroy();
  }

  async #read(path: string, isPathFixed: boolean, isBalances: boolean): Promise<ReadResult> {
    const room = await this.#pace.enter();
    try {
      const call = readCall(path, isPathFixed, isBalances, this.#settings);
      const end = await this.#track(() => new Conversation(call, this.#around).run(false));
      return readResultOf(end, path, this.#settings.address, this.#stopReason);
    } finally {
      room();
    }
  }

  #track<T>(work: () => Promise<T>): Promise<T> {
    const promise = work();
    this.#inFlight.add(promise);
    const forget = (): void => {
      this.#inFlight.delete(promise);
    };
    promise.then(forget, forget);
    return promise;
  }

  #note(outcomes: readonly Outcome[]): void {
    const reason = this.#around.breakers.settled(outcomes);
    if (reason !== null) this.#stop(reason);
  }

  #stop(reason: StopReason): void {
    if (this.#stopReason !== null) return;
    this.#stopReason = reason;
    this.#end(reason.message);
    this.#around.events.onStop(reason);
  }

  #end(why: string): void {
    this.#ended ??= why;
    this.#pace.shut();
    this.#around.waits.end();
  }

  readonly #secretsOf = (record: OutgoingRecord) => (): readonly Secret[] => {
    const { proven, renewed } = this.#around.tokens;
    const tokens = [proven, renewed].filter((token) => token !== null);
    return [...record.secrets, ...tokens.map((value) => ({ value, label: 'token' }))];
  };
}

class HttpRoom implements Room {
  readonly #client: HttpServiceClient;
  #leave: (() => void) | null;

  constructor(client: HttpServiceClient, leave: () => void) {
    this.#client = client;
    this.#leave = leave;
  }

  sendRecord(kind: RecordKind, record: OutgoingRecord): Promise<Outcome> {
    return this.#use(() => this.#client.sendRecord(kind, record));
  }

  sendBatch(kind: RecordKind, records: readonly OutgoingRecord[]): Promise<readonly Outcome[]> {
    return this.#use(() => this.#client.sendBatch(kind, records));
  }

  release(): void {
    this.#leave?.();
    this.#leave = null;
  }

  async #use<T>(send: () => Promise<T>): Promise<T> {
    const leave = this.#leave;
    if (leave === null) throw new Error('This room has been used or given back: ask for another one.');
    this.#leave = null;
    try {
      return await send();
    } finally {
      leave();
    }
  }
}
