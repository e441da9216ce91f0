/** The client of the service: owns the state of a run. Failures of service and network are returned as values, never thrown. */
import { answerRulesOf, type DeclaredAnswers } from '../contract/answer-rules.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { placesIn } from '../contract/rename.ts';
import { rowStates } from '../contract/row-state.ts';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import { ServiceAddress, type ServiceProxy } from './address.ts';
import type { BodyKeeper } from './answer.ts';
import { circuitBreaker, stopReason } from './circuit-breaker.ts';
import {
  type Call,
  type CallEnd,
  converse,
  goodJsonIn,
  healthCall,
  keptCall,
  type RowsCall,
  readCall,
  type SendingRight,
  type Session,
  wholeTimeouts,
} from './conversation.ts';
import { exchangeOf, proposedAnswers, proposedLine } from './exchange.ts';
import { limiterOf } from './limiter.ts';
import type { Outcome, OutgoingRecord, ServiceEvents, StopReason } from './outcome.ts';
import {
  type HealthResult,
  healthResultOf,
  type KeptRequest,
  type KeptResult,
  keptResultOf,
  type ReadResult,
  readResultOf,
} from './reading.ts';
import { redacted, shapeOf, tokenLabel } from './reason.ts';
import { type Clock, systemClock } from './retry.ts';
import { afterJob, type KnownIds, knownIds, outcomesOf } from './row-outcomes.ts';
import { callsOf } from './senders.ts';
import { type Credentials, runTokens } from './tokens.ts';
import { openTransport } from './wire/transport.ts';

export type { HealthResult, KeptRequest, KeptResult, OutgoingRecord, ReadResult, ServiceEvents };

export interface ServiceOptions {
  readonly url: URL;
  readonly credentials: Credentials;
  readonly contract: ContractSettings;
  /** The longest silence allowed: while connecting, before an answer, and within one. */
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly rate: number | null;
  /** Whether a create with an idempotency key is retried when its outcome is in doubt. */
  readonly idempotencyKeys: boolean;
  /** Listeners run synchronously; one that throws ends the run. Events carry no token and no value of a row. */
  readonly events?: ServiceEvents;
  readonly proxy?: ServiceProxy | null;
}

export interface Slot {
  /** Sends rows of one kind: one row, or up to one request's worth of a batch. Resolves to one outcome per row, in order. */
  send(kind: RecordKind, records: readonly OutgoingRecord[]): Promise<readonly Outcome[]>;
  release(): void;
}

const endedEarly = messageOf('run-ended');

export class ServiceClient {
  readonly concurrency: number;
  /** Why nothing more may be sent, or `null`. The first reason is kept. */
  stopReason: StopReason | null = null;
  /**
   * The first error that a listener in {@link ServiceOptions.events} threw, or `null`. Nothing more is sent after it. Outcomes of
   * rows are still returned; `read`, `keep` and `health` reject with it.
   */
  listenerFailure: unknown = null;
  readonly #session: Session;
  readonly #events: ServiceEvents;
  readonly #ids: KnownIds;
  readonly #inFlight = new Set<Promise<unknown>>();
  /** What got a row in: rows of a kind alone, and several of them together. */
  readonly #proven = new Set<string>();

  /**
   * Contacts neither the service nor the token source before the first request.
   *
   * @param clock  replaced only in tests
   * @throws DealsheetError `usage` when a token must not be sent to the address, or an option is wrong
   */
  constructor(options: ServiceOptions, clock: Clock = systemClock) {
    const { url, contract, timeoutMs, concurrency, rate, idempotencyKeys, proxy = null, events = {} } = options;
    const tell: Session['tell'] = (name, event) => {
      try {
        (events[name] as ((event: unknown) => void) | undefined)?.(event);
      } catch (error) {
        this.#listenerFailed(error);
      }
    };
    const address = new ServiceAddress(url, contract);
    const transport = openTransport(address.origin, concurrency, timeoutMs, proxy?.url ?? null);
    this.concurrency = concurrency;
    this.#events = events;
    this.#ids = knownIds(() => transport.leaveConnections());
    const tokens = runTokens(options.credentials, clock);
    this.#session = {
      address,
      contract,
      timeoutMs,
      idempotencyKeys,
      proxy,
      transport,
      clock,
      tokens,
      tell,
      host: url.host,
      lease: null,
      ended: null,
      jobs: new Map(),
      limiter: limiterOf({ concurrency, rate, clock, tell }),
      breaker: circuitBreaker(clock, timeoutMs, tell),
      stop: (reason) => this.#stop(reason),
      secretsOf: (rows = []) => [
        ...rows.flatMap((row) => row.secrets()),
        ...tokens.known().map((value) => ({ value, label: tokenLabel })),
      ],
    };
  }

  /** From now on sends only while `right` is held. @returns the longest time that a request may take, in milliseconds */
  sendBy(right: SendingRight): number {
    this.#session.lease = right;
    return this.#session.timeoutMs * wholeTimeouts;
  }

  /** Waits for room for one more row. Write the intent, then call `send` or `release`. `null`: nothing more will be sent. */
  async slot(): Promise<Slot | null> {
    const leave = await this.#session.limiter.slot();
    return leave && { send: (...sent) => this.#track(this.#send(...sent)).finally(leave), release: leave };
  }

  async #send(kind: RecordKind, records: readonly OutgoingRecord[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const [at, sent] of callsOf(kind, records, this.#session).entries()) {
      const answered = await this.#sendCall(sent, at === 0, records.length);
      for (const [row, place] of sent.places.entries()) outcomes[place] = answered[row] as Outcome;
    }
    return outcomes;
  }

  /** Whether nothing shows what the answer to so many rows means: none is declared for their kind, or got a row in. They go alone. */
  isUnproven(kind: RecordKind, rows: number): boolean {
    const { isDeclared } = answerRulesOf(kind, this.#session.contract.answers);
    return !isDeclared && !this.#proven.has(sentAs(kind, rows));
  }

  async #sendCall(sent: RowsCall, isInRate: boolean, together: number): Promise<readonly Outcome[]> {
    const { contract, breaker } = this.#session;
    const { kind, rules, rows } = sent;
    const first = await converse(sent, this.#session, isInRate);
    const end = await afterJob(sent, first, this.#session);
    const asked = end === first ? sent : { ...sent, rules: { ...rules, job: null } };
    const outcomes = outcomesOf(asked, end, this.#session, this.#ids);
    const isIn = outcomes.some(({ state }) => rowStates[state].isIn);
    if (isIn) this.#proven.add(sentAs(kind, together));
    const isUnproven = this.isUnproven(kind, rows.length);
    const isDoubted = isUnproven && outcomes.some(({ state }) => state === 'in-doubt');
    const reason = (isDoubted ? stopAtUndeclared(sent, end, contract) : null) ?? breaker.settled(outcomes, isUnproven);
    if (reason !== null) this.#stop(reason);
    await this.#show(sent, end);
    return outcomes;
  }

  /** Reads one record. It takes a slot of its own, so a caller that holds the last slot would wait forever. */
  read(kind: RecordKind, id: string): Promise<ReadResult> {
    const { address, contract } = this.#session;
    if (kind.readBy === undefined) throw new Error(`Records of ${kind.name} cannot be read.`);
    const body = address.bodyOf(kind.readBy, { id }, contract.requests[kind.name].read);
    const call = readCall(address.pathOf(kind.readBy, id), body, this.#session);
    return this.#ask(call, async (end) => {
      await this.#show(call, end);
      return readResultOf(end, kind, id, contract, this);
    });
  }

  /** Reads one page of balances into `keeper`. A page at another origin is refused without a request. */
  async keep(request: KeptRequest, keeper: BodyKeeper): Promise<KeptResult> {
    const { address, contract } = this.#session;
    const first = address.pathOf('getLoanBalances', null);
    const { query } = request;
    const page = request.page === undefined ? null : address.sameOrigin(request.page, first);
    if (request.page !== undefined && page === null) {
      const message = messageOf('page-elsewhere');
      return { state: 'failed', httpStatus: null, message, stopReason: this.stopReason };
    }
    const inPath = query.filter(([name]) => !Object.hasOwn(contract.balances.body?.rename ?? {}, name));
    const path = page === null ? pathWithQuery(first, inPath) : page.pathname + page.search;
    const valuesOf = (name: string) => query.flatMap(([each, value]) => (each === name ? value : []));
    const sent = query.map(([name]) => [name, valuesOf(name).length > 1 ? valuesOf(name) : valuesOf(name)[0]]);
    const body = address.bodyOf('getLoanBalances', Object.fromEntries(sent), contract.balances.body);
    const call = keptCall(path, body, keeper, this.#session);
    // Pages whose addresses are equal are told apart by their bodies.
    const inBody = [...placesIn(body)].map(([name, value]) => [name, String(value)] as const);
    const asked = pathWithQuery(path, inBody);
    return this.#ask(call, (end) => keptResultOf(end, asked, this.#session, this));
  }

  /** Makes text of a kept answer safe to show: on one line, without the token and anything that looks like an SSN. */
  readonly shown = (text: string): string => redacted(text, this.#session.secretsOf());

  async health(): Promise<HealthResult> {
    const { clock } = this.#session;
    const began = clock.now();
    let stopReason: StopReason | null = null;
    const stop = (reason: StopReason): void => {
      stopReason ??= reason;
    };
    const end = await this.#asked(healthCall(this.#session), { ...this.#session, stop }, false);
    return healthResultOf(end, { stopReason, shown: this.shown }, clock.now() - began);
  }

  async drain(): Promise<void> {
    this.#end(endedEarly);
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
    await this.#session.transport.end('close');
  }

  async close(): Promise<void> {
    this.#end(endedEarly);
    await this.#session.transport.end('destroy');
  }

  async #ask<Result>(call: Call, resultOf: (end: CallEnd) => Result | Promise<Result>): Promise<Result> {
    const leave = await this.#session.limiter.slot();
    try {
      return await resultOf(await this.#asked(call, this.#session, true));
    } finally {
      leave?.();
    }
  }

  async #asked(call: Call, session: Session, isInRate: boolean): Promise<CallEnd> {
    const end = await this.#track(converse(call, session, isInRate));
    if (this.listenerFailure !== null) throw this.listenerFailure;
    return end;
  }

  #track<Done>(work: Promise<Done>): Promise<Done> {
    this.#inFlight.add(work);
    return work.finally(() => this.#inFlight.delete(work));
  }

  async #show(call: Call, end: CallEnd): Promise<void> {
    if (this.#events.onExchange === undefined || end.kind !== 'answer') return;
    const { contract, secretsOf, tell } = this.#session;
    try {
      const proposal = proposalFor(call, end, contract);
      tell('onExchange', await exchangeOf(call, end.answer, secretsOf(call.rows), proposal));
    } catch (error) {
      this.#listenerFailed(error);
    }
  }

  /** Ends the run. Rows in flight still report their outcomes. */
  #listenerFailed(error: unknown): void {
    this.listenerFailure ??= error;
    this.#end(endedEarly);
  }

  #stop(reason: StopReason): void {
    if (this.stopReason !== null) return;
    this.stopReason = reason;
    this.#end(reason.message);
    this.#session.tell('onStop', reason);
  }

  #end(why: Message): void {
    this.#session.ended ??= why;
    this.#session.limiter.shut();
  }
}

/** Asks something with a client of its own, which is closed at the end, or once the signal says so. */
export async function asking<Result>(
  client: ServiceClient,
  ask: (client: ServiceClient) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const leave = () => client.close();
  signal?.addEventListener('abort', leave, { once: true });
  return ask(client).finally(() => {
    signal?.removeEventListener('abort', leave);
    return leave();
  });
}

/** The answer to several rows may have another shape than that to one. */
function sentAs({ name }: RecordKind, rows: number): string {
  return rows > 1 ? `${name} together` : name;
}

function stopAtUndeclared(sent: RowsCall, end: CallEnd, contract: ContractSettings): StopReason | null {
  if (end.kind !== 'answer' || end.means !== 'success' || end.answer.body.kind === 'unreadable') return null;
  const value = goodJsonIn(end);
  const shape = value === undefined ? end.answer.body.kind : shapeOf(value);
  const message = messageOf('stopped-undeclared', { kind: sent.kind.name, shape });
  const line = proposedLine(sent.kind, proposalFor(sent, end, contract), end.answer.status, contract);
  return stopReason(message, 'declare-answers', { line });
}

function proposalFor(
  { kind, rows: [first] = [] }: Call,
  end: CallEnd,
  contract: ContractSettings,
): DeclaredAnswers | null {
  if (kind === undefined || first === undefined || end.kind !== 'answer' || end.means !== 'success') return null;
  return proposedAnswers(kind, first, end.answer, contract);
}

/** A parameter of the path itself, such as that of the first page, gives way to one of the query. */
function pathWithQuery(path: string, query: readonly (readonly [string, string])[]): string {
  if (query.length === 0) return path;
  const parameters = new URLSearchParams();
  for (const [name, value] of query) parameters.append(name, value);
  const [, place = path, own = ''] = /^([^?]*)\?(.*)$/.exec(path) ?? [];
  const isOther = (each: string) =>
    each !== '' && ![...new URLSearchParams(each).keys()].some((name) => parameters.has(name));
  return `${place}?${[...own.split('&').filter(isOther), parameters].join('&')}`;
}
