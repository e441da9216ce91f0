/**
 * One call to the service, with everything that may be done about a bad answer: the token renewed, the request sent again, the run
 * stopped. Its one rule: a request that may have been applied is never repeated unless repeating is safe.
 */

import { meaningOf, type OutcomeRules } from '../contract/answer-rules.ts';
import { valuesAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { Message } from '../messages/message.ts';
import { serviceMessage } from '../messages/service.ts';
import type { ServiceAddress, ServiceProxy } from './address.ts';
import { type Answer, type BodyKeeper, jsonIn } from './answer.ts';
import {
  type CircuitBreaker,
  networkFaultOf,
  networkFaults,
  stopForFault,
  stopForWait,
  stopReason,
  stopWithoutToken,
} from './circuit-breaker.ts';
import { type Limiter, longestWaitMs, type Ticket } from './limiter.ts';
import type { OutgoingRecord, Secret, StopReason, Tell } from './outcome.ts';
import { backoffMs, type Clock, limitSaidBy, longestReconnectMs, mostAttempts } from './retry.ts';
import type { RunTokens } from './tokens.ts';
import type { WireRequest } from './wire/attempt.ts';
import type { Transport } from './wire/transport.ts';

export interface Call extends Omit<WireRequest, 'body' | 'mayLeave'> {
  readonly rules: OutcomeRules;
  readonly isRepeatable: boolean;
  /** Makes the body anew for each request. Rejects with a sentence when that cannot be done. */
  readonly body: () => WireRequest['body'] | Promise<WireRequest['body']>;
  /** The parts of a form by their names, the file by its own name: what a person is shown of the body. */
  readonly form?: Readonly<Record<string, unknown>>;
  readonly isAskedOnce?: boolean;
  /** Whether a good status comes with all that it should say. If not, and repeating is safe, the call is repeated. */
  readonly isClear: (answer: Answer) => boolean;
  readonly saysMade?: (answer: Answer) => boolean;
}

export interface Session {
  readonly address: ServiceAddress;
  readonly contract: ContractSettings;
  readonly timeoutMs: number;
  readonly idempotencyKeys: boolean;
  readonly host: string;
  readonly proxy: ServiceProxy | null;
  readonly transport: Transport;
  readonly tokens: RunTokens;
  readonly limiter: Limiter;
  readonly breaker: CircuitBreaker;
  readonly clock: Clock;
  readonly tell: Tell;
  /** What must not be repeated of a row, and the token. */
  secretsOf(record?: OutgoingRecord): readonly Secret[];
  stop(reason: StopReason): void;
  lease: SendingRight | null;
  /** Why the run has ended: its stop reason, or that it was drained or closed; `null` while it goes on. */
  ended: Message | null;
}

export type CallSettings = Pick<Session, 'address' | 'contract' | 'timeoutMs' | 'idempotencyKeys'>;

/** A right that wears off. */
export interface SendingRight {
  isHeld(): boolean;
  /** Asks whoever gives it where that is not known. */
  confirm(): Promise<boolean>;
}

export interface AnswerEnd {
  readonly kind: 'answer';
  readonly means: 'success' | 'rejected' | 'in-doubt';
  readonly answer: Answer;
  readonly attempts: number;
  /** What came of an earlier try that may have been applied: a no to this one proves nothing about that one. */
  readonly earlierDoubt: Message | null;
}

export type CallEnd =
  | AnswerEnd
  | {
      readonly kind: 'no-answer';
      /** `no`: proven not applied. */
      readonly applied: 'no' | 'unknown';
      readonly isStopped: boolean;
      readonly attempts: number;
      readonly httpStatus: number | null;
      readonly message: Message;
    };

export function goodJsonIn(end: CallEnd): unknown {
  return end.kind === 'answer' && end.means === 'success' ? jsonIn(end.answer) : undefined;
}

/** `null` where the request is to be sent again. */
type Next = CallEnd | null;

export class Conversation {
  readonly #call: Call;
  readonly #session: Session;
  #attempts = 0;
  #failures = 0;
  /** What came of the first try that may have been applied, or `null` while there is none. */
  #doubt: Message | null = null;
  #httpStatus: number | null = null;

  constructor(call: Call, session: Session) {
    this.#call = call;
    this.#session = session;
  }

  async run(hadTurn: boolean): Promise<CallEnd> {
    const { limiter } = this.#session;
    for (let isFirst = true; ; isFirst = false) {
      const ticket = await limiter.ticket(isFirst && hadTurn);
      if (ticket === null) return this.#ended();
      const end = await this.#try(ticket).finally(() => limiter.release(ticket));
      if (end !== null) return end;
    }
  }

  async #try(ticket: Ticket): Promise<Next> {
    const { transport, limiter, clock, lease } = this.#session;
    const token = await this.#session.tokens.current().catch((error: unknown) => {
      this.#session.stop(stopWithoutToken(error));
      return null;
    });
    if (token === null || this.#session.ended !== null || (await lease?.confirm()) === false) return this.#ended();
    let body: WireRequest['body'];
    try {
      body = await this.#call.body();
    } catch (error) {
      const why = error instanceof Error ? error.message : 'The request could not be made.';
      return this.#over('no', serviceMessage('request-not-made', { why }));
    }
    const leftAt = clock.now();
    const end = await transport.exchange({
      ...this.#call,
      headers: { authorization: `Bearer ${token}`, ...this.#call.headers, ...this.#session.contract.headers },
      body,
      mayLeave: () => limiter.mayLeave(ticket) && lease?.isHeld() !== false,
    });
    if (end.kind === 'held-back') return null;
    this.#attempts += 1;
    if (end.kind === 'no-answer') {
      limiter.release(ticket);
      return this.#broken(end.left, end.error);
    }
    this.#session.breaker.reached();
    return this.#answered(end.answer, token, leftAt, ticket);
  }

  async #broken(left: boolean, error: Error): Promise<Next> {
    const { host, proxy, breaker } = this.#session;
    const fault = networkFaultOf(error, host, left ? null : proxy);
    if (left) return this.#call.isRepeatable ? this.#failed(fault, true) : this.#over('unknown', fault);
    if (networkFaults[fault.code]?.isFinal === true) return this.#stopped(stopForFault(fault));
    this.#failures += 1;
    if (breaker.unreached(fault)) return this.#backoff(0, longestReconnectMs);
    return this.#failures < mostAttempts ? this.#backoff(0) : this.#stopped(stopForFault(fault));
  }

  async #answered(answer: Answer, token: string, leftAt: number, ticket: Ticket): Promise<Next> {
    const { limiter, clock, contract } = this.#session;
    const { status, headers, body } = answer;
    this.#httpStatus = status;
    const said = limitSaidBy(status, headers, clock.date());
    const refusedFor = limiter.answered(ticket, status, said);
    // A service may tell in the body of any answer that the token has ended: nothing was done then.
    const told = body.kind === 'text' ? body.text.trim() : 'value' in body ? body.value : undefined;
    const isOfToken = contract.token.some(({ path, is }) => valuesAt(told, path).includes(is));
    const meaning = isOfToken ? 'token' : meaningOf(this.#call.rules, status, said.retryAfterMs !== null);
    const isRetry = meaning === 'retry' || meaning === 'token';
    const isMade = isRetry && !this.#call.isRepeatable && this.#call.saysMade?.(answer) === true;
    if (meaning === 'token' && !isMade) {
      const reason = await this.#session.tokens.refused(token, leftAt);
      return reason === null ? null : this.#stopped(reason);
    }
    this.#session.tokens.taken(token);
    if (refusedFor !== null) this.#session.stop(refusedFor);
    if (isMade) return this.#judged('in-doubt', answer);
    const isClosed = meaning === 'closed';
    const closed = this.#call.isAskedOnce ? null : this.#session.breaker.answered(status, isClosed);
    if (closed !== null) this.#session.stop(closed);
    const reason = serviceMessage('answered', { status });
    switch (meaning) {
      case 'retry':
        // What failed inside the service may have been applied; what was told to wait was not.
        if (!said.isRefusal) return this.#failed(reason, status >= 500 && said.askedMs === null, said.askedMs ?? 0);
        if (refusedFor !== null) return this.#ended();
        // The limiter waits as long as it takes.
        return this.#call.isAskedOnce ? this.#over('no', reason) : null;
      case 'success':
        return this.#succeeded(answer);
      case 'stop':
        return this.#unusable(answer);
      case 'in-doubt':
        if (this.#call.isRepeatable) return this.#failed(reason, true, said.askedMs ?? 0);
        return this.#judged('in-doubt', answer);
      default:
        return this.#session.ended !== null && isClosed ? this.#ended() : this.#judged('rejected', answer);
    }
  }

  async #succeeded(answer: Answer): Promise<Next> {
    if (answer.body.kind === 'html' && answer.status !== 303) return this.#unusable(answer);
    if (this.#call.isClear(answer) || !this.#call.isRepeatable || this.#failures + 1 >= mostAttempts)
      return this.#judged('success', answer);
    return this.#failed(serviceMessage('read-unreadable', { status: answer.status }), true);
  }

  /** A redirect or a web page: whatever answers here is not the service, and nobody knows what it did. */
  #unusable(answer: Answer): CallEnd {
    const { host } = this.#session;
    const { status, body } = answer;
    const isRedirect = status >= 300 && status < 400;
    const message = isRedirect
      ? serviceMessage('stopped-by-redirect', { host, status })
      : serviceMessage('stopped-not-the-service', { host, status, isPage: body.kind === 'html' });
    this.#session.stop(stopReason(message, 'check-address'));
    return this.#judged('in-doubt', answer);
  }

  async #failed(reason: Message, mayBeApplied: boolean, leastMs = 0): Promise<Next> {
    if (mayBeApplied) this.#doubt ??= reason;
    this.#failures += 1;
    if (this.#call.isAskedOnce || this.#failures >= mostAttempts) return this.#over('no', reason);
    if (leastMs > longestWaitMs) return this.#stopped(stopForWait(this.#httpStatus, leastMs));
    const spent = this.#session.breaker.sentAgain();
    return spent === null ? this.#backoff(leastMs) : this.#stopped(spent);
  }

  async #backoff(leastMs: number, mostMs = Number.POSITIVE_INFINITY): Promise<null> {
    const { clock, limiter, tell } = this.#session;
    const waitMs = Math.min(mostMs, Math.max(leastMs, backoffMs(this.#failures, clock.random())));
    tell('onRetry', { attempt: this.#attempts + 1, waitMs });
    await limiter.sleep(waitMs);
    return null;
  }

  #stopped(reason: StopReason): CallEnd {
    this.#session.stop(reason);
    return this.#ended();
  }

  #judged(means: 'success' | 'rejected' | 'in-doubt', answer: Answer): CallEnd {
    this.#session.breaker.wentThrough();
    return { kind: 'answer', means, answer, attempts: this.#attempts, earlierDoubt: this.#doubt };
  }

  #over(applied: 'no' | 'unknown', message: Message, isStopped = false): CallEnd {
    const known = this.#doubt === null ? applied : 'unknown';
    const [attempts, httpStatus] = [this.#attempts, this.#httpStatus];
    return { kind: 'no-answer', applied: known, isStopped, attempts, httpStatus, message };
  }

  #ended(): CallEnd {
    return this.#over('no', this.#session.ended ?? serviceMessage('run-ended'), true);
  }
}

export const answerLimit = 5 * 1024 * 1024;
const recordLimit = 16 * 1024 * 1024;
/** An answer that goes to a file: more than this is no answer, but a fault without an end. */
const keptLimit = 4 * 1024 ** 3;
/** A whole exchange may take this many silences. */
export const wholeTimeouts = 2;
const wholeTimeoutsOfKept = 60;

/** An encoded answer could be a bomb; the answers are small anyway. */
export const acceptHeaders = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'dealsheet' };

export function readCall(path: string, { contract, timeoutMs }: CallSettings): Call {
  return {
    method: 'GET',
    path,
    rules: contract.outcomes.read,
    isRepeatable: true,
    headers: acceptHeaders,
    body: () => null,
    bodyLimit: recordLimit,
    wholeTimeoutMs: timeoutMs * wholeTimeouts,
    silenceMs: timeoutMs,
    isClear: (answer) => answer.body.kind === 'json',
  };
}

export function keptCall(path: string, keeper: BodyKeeper, settings: CallSettings): Call {
  return {
    ...readCall(path, settings),
    keeper,
    bodyLimit: keptLimit,
    wholeTimeoutMs: settings.timeoutMs * wholeTimeoutsOfKept,
    // A place that takes nothing is no better at the next try.
    isClear: (answer) => answer.body.kind === 'kept' || keeper.failure !== null,
  };
}

/** A question about a job: one that goes on may be answered without a body, and one that is done lead on to its record. */
export function jobCall(path: string, settings: CallSettings): Call {
  const call = readCall(path, settings);
  const isClear = ({ status, body }: Answer): boolean => status !== 200 || body.kind === 'json';
  return { ...call, rules: { ...call.rules, '303': 'success' }, isClear };
}

export function healthCall(settings: CallSettings): Call {
  const path = settings.address.pathOf('health', null);
  return { ...readCall(path, settings), isRepeatable: false, isAskedOnce: true, isClear: () => true };
}
