/** The client over HTTP: what its parts share, and the order in which a row meets them. */
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import { refuseWrongOptions } from '../errors.ts';
import { SignReader } from './answers/sign-reader.ts';
import type { Room, ServiceClient, ServiceOptions } from './client.ts';
import { type Clock, systemClock } from './clock.ts';
import { Limiter } from './limiter.ts';
import {
  type Asked,
  type HealthResult,
  healthResultOf,
  type KeptRequest,
  type KeptResult,
  keptResultOf,
  type ReadEndpoint,
  type ReadOptions,
  type ReadResult,
  readResultOf,
} from './reading.ts';
import type { Outcome, StopReason } from './records/outcome.ts';
import type { OutgoingRecord, Secret } from './records/outgoing-record.ts';
import { identityOf, ServiceAddress } from './sending/address.ts';
import type { CallEnd } from './sending/call-end.ts';
import {
  batchCall,
  type Call,
  type CallSettings,
  healthCall,
  keptCall,
  pathWithQuery,
  readCall,
  recordCall,
} from './sending/calls.ts';
import { CircuitBreaker } from './sending/circuit-breaker.ts';
import { Conversation, type Surroundings } from './sending/conversation.ts';
import { guardedEvents } from './sending/events.ts';
import { RetryBudget } from './sending/retry.ts';
import { RunTokens } from './sending/run-tokens.ts';
import { masked, tokenLabel } from './text/masking.ts';
import { bulkVerdictOf } from './verdicts/bulk-answer.ts';
import { IdChecks } from './verdicts/id-checks.ts';
import { outcomeOf } from './verdicts/verdict.ts';
import { wantedOptions } from './wanted-options.ts';
import type { BodyKeeper } from './wire/body-keeper.ts';
import { openTransport } from './wire/transport.ts';

/**
 * Opens a client. Nothing is asked of the service or of the source of the token before the first request.
 *
 * @param clock  the time; another one in tests alone
 * @throws DealsheetError `usage` when the address is none that a token may be sent to, or an option is not what it may be
 */
export function createServiceClient(options: ServiceOptions, clock: Clock = systemClock): ServiceClient {
  refuseWrongOptions(options, wantedOptions);
  return new HttpServiceClient(options, clock);
}

/** Why nothing more is sent once the run has drained or closed the client. */
const endedEarly = 'The run was ended before the service had taken this.';

class HttpServiceClient implements ServiceClient {
  readonly identity: string;
  readonly #settings: CallSettings;
  readonly #limiter: Limiter;
  readonly #around: Surroundings;
  readonly #ids: IdChecks;
  readonly #inFlight = new Set<Promise<unknown>>();
  #stopReason: StopReason | null = null;
  #listenerFailure: unknown = null;
  #ended: string | null = null;

  constructor(options: ServiceOptions, clock: Clock) {
    const { contract, timeoutMs, idempotencyKeys, concurrency, rate, credentials, proxy = null } = options;
    const events = guardedEvents(options.events, (error) => {
      this.#listenerFailure ??= error;
      this.#end(endedEarly);
    });
    const address = new ServiceAddress(options.url, contract);
    this.identity = identityOf(options.url);
    this.#settings = { address, contract, signs: new SignReader(contract), timeoutMs, idempotencyKeys };
    this.#limiter = new Limiter({ concurrency, rate, clock, onPace: events.onPace, onPause: events.onWait });
    const client = this;
    this.#around = {
      host: options.url.host,
      proxy,
      transport: openTransport({
        origin: address.origin,
        connections: concurrency,
        silenceMs: timeoutMs,
        proxy: proxy?.url ?? null,
      }),
      tokens: new RunTokens(credentials),
      limiter: this.#limiter,
      budget: new RetryBudget(options.retryBudget),
      breaker: new CircuitBreaker({ clock, patienceMs: timeoutMs, onLost: events.onLost }),
      clock,
      events,
      stop: (reason) => this.#stop(reason),
      get ended() {
        return client.#ended;
      },
    };
    this.#ids = new IdChecks(this.#settings, this.#around, this.#secretsOf);
  }

  get stopReason(): StopReason | null {
    return this.#stopReason;
  }

  get listenerFailure(): unknown {
    return this.#listenerFailure;
  }

  async room(): Promise<Room | null> {
    if (this.#ended !== null) return null;
    const leave = await this.#limiter.enter();
    if ((await this.#limiter.turn()) === null) {
      leave();
      return null;
    }
    let isFree = true;
    const use = async <T>(send: () => Promise<T>): Promise<T> => {
      if (!isFree) throw new Error('This room has been used or given back: ask for another one.');
      isFree = false;
      return await this.#track(send).finally(leave);
    };
    return {
      sendRecord: (kind, record) => use(() => this.#sendRecord(kind, record)),
      sendBatch: (kind, records) => use(() => this.#sendBatch(kind, records)),
      release: () => {
        if (isFree) leave();
        isFree = false;
      },
    };
  }

  async #sendRecord(kind: RecordKind, record: OutgoingRecord): Promise<Outcome> {
    const call = recordCall(kind, record, this.#settings);
    const end = await new Conversation(call, this.#around).run(true);
    const judged = outcomeOf(kind, record, call.path, end, this.#secretsOf(record), this.#settings);
    const outcome = this.#ids.ofRecord(kind, record, end, judged);
    this.#note([outcome]);
    return outcome;
  }

  async #sendBatch(kind: RecordKind, records: readonly OutgoingRecord[]): Promise<readonly Outcome[]> {
    const call = batchCall(kind, records, this.#settings);
    const end = await new Conversation(call, this.#around).run(true);
    const { outcomes: judged, isForAll } = bulkVerdictOf(records, end, this.#secretsOf, this.#settings);
    const outcomes = this.#ids.ofRows(kind, records, judged);
    this.#note(isForAll ? outcomes.slice(0, 1) : outcomes);
    return outcomes;
  }

  read(endpoint: ReadEndpoint, { id, query }: ReadOptions): Promise<ReadResult> {
    const path = pathWithQuery(this.#settings.address.pathOf(endpoint, id), query);
    const call = readCall(path, id === null, endpoint === 'getLoanBalances', this.#settings);
    const { contract, signs } = this.#settings;
    return this.#ask(call, (end) => readResultOf(end, this.#asked(), { endpoint, id, contract, signs }));
  }

  async keep(request: KeptRequest, keeper: BodyKeeper): Promise<KeptResult> {
    const { address } = this.#settings;
    if (!('page' in request)) {
      const { endpoint, id, query } = request;
      return this.#keep(pathWithQuery(address.pathOf(endpoint, id), query), id === null, keeper);
    }
    const url = address.sameOrigin(request.page, address.pathOf('getLoanBalances', null));
    if (url !== null) return this.#keep(url.pathname + url.search, true, keeper);
    const message =
      'The service named a next page at another address. It was not read: the token goes to the chosen address alone.';
    return { state: 'failed', httpStatus: null, message, stopReason: this.#stopReason };
  }

  shown(text: string): string {
    return masked(text, this.#tokenSecrets());
  }

  async health(): Promise<HealthResult> {
    const { clock } = this.#around;
    const began = clock.now();
    let reason: StopReason | null = null;
    const around: Surroundings = {
      ...this.#around,
      stop: (stopped) => {
        reason ??= stopped;
      },
    };
    const end = await this.#track(() => new Conversation(healthCall(this.#settings), around).run(false));
    this.#throwListenerFailure();
    return healthResultOf(end, { stopReason: reason, secrets: this.#tokenSecrets }, clock.now() - began);
  }

  noteGivenId(kind: RecordKindName, id: string): void {
    this.#ids.note(kind, id);
  }

  async drain(): Promise<void> {
    this.#end(endedEarly);
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
    await this.#around.transport.close();
  }

  async close(): Promise<void> {
    this.#end(endedEarly);
    await this.#around.transport.destroy();
  }

  #keep(path: string, isPathFixed: boolean, keeper: BodyKeeper): Promise<KeptResult> {
    const call = keptCall(path, isPathFixed, keeper, this.#settings);
    return this.#ask(call, (end) => keptResultOf(end, path, this.#settings.address, this.#asked()));
  }

  async #ask<Result>(call: Call, resultOf: (end: CallEnd) => Result): Promise<Result> {
    const room = await this.#limiter.enter();
    try {
      const end = await this.#track(() => new Conversation(call, this.#around).run(false));
      this.#throwListenerFailure();
      return resultOf(end);
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
    const reason = this.#around.breaker.settled(outcomes);
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
    this.#limiter.shut();
  }

  #throwListenerFailure(): void {
    if (this.#listenerFailure !== null) throw this.#listenerFailure;
  }

  #asked(): Asked {
    return { stopReason: this.#stopReason, secrets: this.#tokenSecrets };
  }

  readonly #secretsOf = (record: OutgoingRecord) => (): readonly Secret[] => [
    ...record.secrets(),
    ...this.#tokenSecrets(),
  ];

  readonly #tokenSecrets = (): readonly Secret[] =>
    this.#around.tokens.known.map((value) => ({ value, label: tokenLabel }));
}
