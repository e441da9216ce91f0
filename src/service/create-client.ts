/** The client over HTTP: what its parts share, and the order in which a row meets them. */

import { type AnswerRules, answerRulesOf, type DeclaredAnswers } from '../contract/answer-rules.ts';
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import { refuseWrongOptions } from '../errors.ts';
import type { Message } from '../messages/message.ts';
import { serviceMessage } from '../messages/service.ts';
import { identityOf, ServiceAddress } from './address.ts';
import { type Call, type CallSettings, healthCall, jobCall, keptCall, pathWithQuery, readCall } from './call.ts';
import type { CallEnd } from './call-end.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { referenceIn } from './classify.ts';
import type { Room, ServiceClient, ServiceOptions } from './client.ts';
import { type Clock, systemClock } from './clock.ts';
import { Conversation, type Surroundings } from './conversation.ts';
import { guardedEvents } from './events.ts';
import { exchangeOf } from './exchange.ts';
import { IdChecks } from './id-checks.ts';
import { afterJob, type JobWays } from './job.ts';
import { type Judging, outcomesOf, sentRow } from './judgement.ts';
import { Limiter } from './limiter.ts';
import type { Outcome, StopReason } from './outcome.ts';
import type { OutgoingRecord, Secret, Secrets } from './outgoing-record.ts';
import { proposedAnswers, proposedLine } from './proposal.ts';
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
import { shapeOf } from './reason.ts';
import { redacted, tokenLabel } from './redaction.ts';
import { RetryBudget } from './retry.ts';
import { callsOf, type RowsCall } from './senders.ts';
import { stopReasons } from './stop-reasons.ts';
import { RunTokens } from './tokens/run-tokens.ts';
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
const endedEarly = serviceMessage('run-ended');

class HttpServiceClient implements ServiceClient {
  readonly identity: string;
  readonly #settings: CallSettings;
  readonly #onExchange: ServiceOptions['onExchange'];
  readonly #limiter: Limiter;
  readonly #around: Surroundings;
  readonly #ids: IdChecks;
  readonly #inFlight = new Set<Promise<unknown>>();
  #stopReason: StopReason | null = null;
  #listenerFailure: unknown = null;
  #ended: Message | null = null;
  /** Kinds whose answers are not declared, and have been a yes in this run. */
  readonly #proven = new Set<RecordKindName>();
  /** The one row of such a kind that is on its way. */
  readonly #underWay = new Map<RecordKindName, Promise<unknown>>();

  constructor(options: ServiceOptions, clock: Clock) {
    const { contract, timeoutMs, idempotencyKeys, concurrency, rate, credentials, proxy = null } = options;
    const events = guardedEvents(options.events, this.#listenerFailed);
    const address = new ServiceAddress(options.url, contract);
    this.identity = identityOf(options.url);
    this.#onExchange = options.onExchange;
    this.#settings = { address, contract, timeoutMs, idempotencyKeys };
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
      tokens: new RunTokens(credentials, clock),
      limiter: this.#limiter,
      budget: new RetryBudget(options.retryBudget),
      breaker: new CircuitBreaker({ clock, patienceMs: timeoutMs, onLost: events.onLost }),
      tokenSigns: contract.token,
      headers: contract.headers,
      clock,
      events,
      stop: (reason) => this.#stop(reason),
      get ended() {
        return client.#ended;
      },
    };
    this.#ids = new IdChecks(this.#around, this.#secretsOf);
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
    return {
      send: async (kind, records) => {
        if (!isFree) throw new Error('This room has been used or given back: ask for another one.');
        isFree = false;
        return await this.#track(() => this.#send(kind, records)).finally(leave);
      },
      release: () => {
        if (isFree) leave();
        isFree = false;
      },
    };
  }

  async #send(kind: RecordKind, records: readonly OutgoingRecord[]): Promise<readonly Outcome[]> {
    const rules = answerRulesOf(kind, this.#settings.contract.answers);
    const outcomes: Outcome[] = [];
    let isFirst = true;
    for (const rows of callsOf(kind, records, this.#settings)) {
      const hadTurn = isFirst;
      isFirst = false;
      const answered = await this.#inTurn(kind, rules, () => this.#sendCall(kind, records, rows, rules, hadTurn));
      rows.places.forEach((place, at) => {
        outcomes[place] = answered[at] as Outcome;
      });
    }
    return outcomes;
  }

  /** The first rows of a kind whose answers are not declared go one by one, until one has been a yes. */
  async #inTurn<Sent extends readonly Outcome[]>(
    { name }: RecordKind,
    { isDeclared }: AnswerRules,
    send: () => Promise<Sent>,
  ): Promise<Sent> {
    while (!isDeclared && !this.#proven.has(name)) {
      const before = this.#underWay.get(name);
      if (before === undefined) {
        const sending = send();
        this.#underWay.set(
          name,
          sending.then(
            () => this.#underWay.delete(name),
            () => this.#underWay.delete(name),
          ),
        );
        return sending;
      }
      await before;
    }
    return send();
  }

  async #sendCall(
    kind: RecordKind,
    records: readonly OutgoingRecord[],
    { call, places }: RowsCall,
    rules: AnswerRules,
    hadTurn: boolean,
  ): Promise<readonly Outcome[]> {
    const rows = places.map((place) => records[place] as OutgoingRecord);
    const first = await new Conversation(call, this.#around).run(hadTurn);
    const end = await afterJob(first, rules, this.#jobWays(call.path));
    const { contract, address } = this.#settings;
    const judging = { kind, records: rows, path: call.path, contract, address, secretsOf: this.#secretsOf };
    const judged = outcomesOf(end, judging, end === first ? rules : { ...rules, job: null });
    const outcomes = this.#ids.checked(kind, rows, judged, idGivenIn(end, rules));
    const proposal = () => proposalFor(end, judging);
    this.#note(kind, rules, end, outcomes, proposal);
    await this.#show(
      call,
      end,
      rows.flatMap((row) => this.#secretsOf(row)()),
      proposal,
    );
    return outcomes;
  }

  #jobWays(path: string): JobWays {
    const { limiter, clock } = this.#around;
    return {
      address: this.#settings.address,
      path,
      ask: (place) => new Conversation(jobCall(place, this.#settings), this.#around).run(false),
      wait: async (milliseconds: number) => {
        await limiter.sleep(milliseconds);
        return this.#ended === null;
      },
      now: () => clock.now(),
      date: () => clock.date(),
    };
  }

  read(endpoint: ReadEndpoint, { id, query }: ReadOptions): Promise<ReadResult> {
    const path = pathWithQuery(this.#settings.address.pathOf(endpoint, id), query);
    const call = readCall(path, id === null, endpoint === 'getLoanBalances', this.#settings);
    const { contract } = this.#settings;
    return this.#ask(call, async (end) => {
      await this.#show(call, end, this.#tokenSecrets(), () => null);
      return readResultOf(end, this.#asked(), { endpoint, id, contract });
    });
  }

  async keep(request: KeptRequest, keeper: BodyKeeper): Promise<KeptResult> {
    const { address } = this.#settings;
    if (!('page' in request)) {
      const { endpoint, id, query } = request;
      return this.#keep(pathWithQuery(address.pathOf(endpoint, id), query), id === null, keeper);
    }
    const url = address.sameOrigin(request.page, address.pathOf('getLoanBalances', null));
    if (url !== null) return this.#keep(url.pathname + url.search, true, keeper);
    const message = serviceMessage('page-elsewhere');
    return { state: 'failed', httpStatus: null, message, stopReason: this.#stopReason };
  }

  shown(text: string): string {
    return redacted(text, this.#tokenSecrets());
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

  async #ask<Result>(call: Call, resultOf: (end: CallEnd) => Result | Promise<Result>): Promise<Result> {
    const room = await this.#limiter.enter();
    try {
      const end = await this.#track(() => new Conversation(call, this.#around).run(false));
      this.#throwListenerFailure();
      return await resultOf(end);
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

  async #show(
    call: Call,
    end: CallEnd,
    secrets: readonly Secret[],
    proposal: () => DeclaredAnswers | null,
  ): Promise<void> {
    if (this.#onExchange === undefined || end.kind !== 'answer') return;
    try {
      this.#onExchange(await exchangeOf(call, end.answer, secrets, proposal()));
    } catch (error) {
      this.#listenerFailed(error);
    }
  }

  /** What came of a row is told all the same. */
  readonly #listenerFailed = (error: unknown): void => {
    this.#listenerFailure ??= error;
    this.#end(endedEarly);
  };

  #note(
    kind: RecordKind,
    rules: AnswerRules,
    end: CallEnd,
    outcomes: readonly Outcome[],
    proposal: () => DeclaredAnswers | null,
  ): void {
    if (outcomes.some((outcome) => !('message' in outcome))) this.#proven.add(kind.name);
    // A batch that is judged as one counts as one answer.
    const isForAll = outcomes.every(
      (outcome) =>
        'message' in outcome && 'message' in (outcomes[0] as Outcome) && outcome.state === outcomes[0]?.state,
    );
    const reason =
      this.#undeclared(kind, rules, end, outcomes, proposal) ??
      this.#around.breaker.settled(isForAll ? outcomes.slice(0, 1) : outcomes);
    if (reason !== null) this.#stop(reason);
  }

  /** Why to stop after an answer that is no declared yes, of a kind that has had none in this run. */
  #undeclared(
    kind: RecordKind,
    rules: AnswerRules,
    end: CallEnd,
    outcomes: readonly Outcome[],
    proposal: () => DeclaredAnswers | null,
  ): StopReason | null {
    if (rules.isDeclared || this.#proven.has(kind.name)) return null;
    if (end.kind !== 'answer' || end.verdict !== 'success' || end.answer.body.kind !== 'json') return null;
    if (!outcomes.some(({ state }) => state === 'in-doubt')) return null;
    const { value } = end.answer.body;
    const line = proposedLine(kind, proposal());
    return stopReasons.undeclared(kind.name, shapeOf(value), line);
  }

  #stop(reason: StopReason): void {
    if (this.#stopReason !== null) return;
    this.#stopReason = reason;
    this.#end(reason.message);
    this.#around.events.onStop(reason);
  }

  #end(why: Message): void {
    this.#ended ??= why;
    this.#limiter.shut();
  }

  #throwListenerFailure(): void {
    if (this.#listenerFailure !== null) throw this.#listenerFailure;
  }

  #asked(): Asked {
    return { stopReason: this.#stopReason, secrets: this.#tokenSecrets };
  }

  readonly #secretsOf =
    (record: OutgoingRecord): Secrets =>
    () => [...record.secrets(), ...this.#tokenSecrets()];

  readonly #tokenSecrets = (): readonly Secret[] =>
    this.#around.tokens.known.map((value) => ({ value, label: tokenLabel }));
}

/** What could be declared, so that an answer that leaves a doubt would leave none. */
function proposalFor(end: CallEnd, { kind, records, contract }: Judging): DeclaredAnswers | null {
  if (end.kind !== 'answer' || end.verdict !== 'success' || end.answer.body.kind !== 'json') return null;
  const { status, body } = end.answer;
  const rows = records.map((record) => sentRow(kind, record, answerRulesOf(kind, contract.answers)));
  return proposedAnswers({ kind, body: body.value, status, rows }, contract);
}

function idGivenIn(end: CallEnd, rules: AnswerRules): string | null {
  return end.kind === 'answer' && end.answer.body.kind === 'json' ? referenceIn(end.answer.body.value, rules).id : null;
}
