/**
 * One call to the service, with everything that may be done about a bad answer: the token renewed, the request sent
 * again, the run stopped. It ends with an answer to judge, or without one and with what is then known.
 * Its one rule: a request that may have been applied is never repeated unless repeating is safe.
 */
import { meaningOf } from '../../contract/outcome-rules.ts';
import { type Answer, readAnswer } from '../answers/answer.ts';
import { longestWaitMs, retryAfterMs } from '../answers/retry-after.ts';
import { isGoodStatus } from '../answers/values-of-answer.ts';
import type { Clock } from '../pace/clock.ts';
import type { Pace } from '../pace/pace.ts';
import { backoffMs, longestReconnectMs, mostAttempts, type RetryBudget } from '../pace/retries.ts';
import type { Waits } from '../pace/waits.ts';
import type { StopReason } from '../records/outcome.ts';
import type { WireAnswer, WireRequest } from '../wire/attempt.ts';
import type { Transport } from '../wire/transport.ts';
import type { Breakers } from './breakers.ts';
import type { CallEnd } from './call-end.ts';
import type { Call } from './calls.ts';
import type { ServiceEvents } from './events.ts';
import { networkFaultOf } from './network-fault.ts';
import type { ServiceProxy } from './proxy.ts';
import type { Reach } from './reach.ts';
import type { RunTokens } from './run-tokens.ts';
import * as stopReasons from './stop-reasons.ts';

export interface Surroundings {
  readonly host: string;
  readonly proxy: ServiceProxy | null;
  readonly transport: Transport;
  readonly tokens: RunTokens;
  readonly pace: Pace;
  readonly budget: RetryBudget;
  readonly breakers: Breakers;
  readonly reach: Reach;
  readonly waits: Waits;
  readonly clock: Clock;
  readonly events: ServiceEvents;
  /** Stops the run. The first reason stays. */
  stop(reason: StopReason): void;
  /** Why the run has ended: its stop reason, or that it was drained or closed; `null` while it goes on. */
  readonly ended: string | null;
}

/** What is done after an answer or a fault: end the call, or go on after a wait. */
type Next = CallEnd | { readonly kind: 'again' };

export class Conversation {
  readonly #call: Call;
  readonly #around: Surroundings;
  #attempts = 0;
  /** Failures that count against the attempts of the row. */
  #failures = 0;
  /** Refusals for want of room, which do not. */
  #refusals = 0;
  /** What came of the first try that may have been applied, or `null` while there is none. */
  #doubt: string | null = null;
  #httpStatus: number | null = null;

  constructor(call: Call, around: Surroundings) {
    this.#call = call;
    this.#around = around;
  }

  /** @param hasTurn  whether the first request has had its turn already */
  async run(hasTurn: boolean): Promise<CallEnd> {
    let mayGo = hasTurn;
    for (;;) {
      mayGo ||= await this.#around.pace.turn();
      if (!mayGo || this.#around.ended !== null) return this.#ended();
      mayGo = false;
      const next = await this.#try();
      if (next.kind !== 'again') return next;
    }
  }

  async #try(): Promise<Next> {
    const { transport, clock, pace } = this.#around;
    const token = await this.#token();
    if (token === null) return this.#ended();
    let body: WireRequest['body'];
    try {
      body = await this.#call.body();
    } catch (error) {
      return this.#over('no', error instanceof Error ? error.message : 'The request could not be made.');
    }
    const { method, path, headers, bodyLimit, wholeTimeoutMs, silenceMs } = this.#call;
    const sentAt = clock.now();
    const exchange = await transport.exchange({
      method,
      path,
      headers: ['authorization', `Bearer ${token}`, ...headers],
      body,
      bodyLimit,
      keeper: this.#call.keeper ?? null,
      wholeTimeoutMs,
      silenceMs,
      mayLeave: () => pace.isOpen,
    });
    if (exchange.kind === 'held-back') return again;
    this.#attempts += 1;
    if (exchange.kind === 'no-answer') return this.#broken(exchange.left, exchange.error);
    this.#around.reach.answered();
    return this.#answered(exchange, token, sentAt);
  }

  async #broken(left: boolean, error: Error): Promise<Next> {
    const { host, proxy } = this.#around;
    const fault = networkFaultOf(error, { host, proxy: left ? null : proxy });
    if (!left && fault.kind === 'certificate') {
      this.#around.stop(stopReasons.certificate(fault.message));
      return this.#ended();
    }
    if (!left && fault.kind === 'proxy') {
      this.#around.stop(stopReasons.refusedByProxy(fault.message));
      return this.#ended();
    }
    if (left) {
      this.#doubt ??= fault.message;
      if (!this.#call.isRepeatable) return this.#over('unknown', fault.message);
    }
    this.#failures += 1;
    if (!left && this.#around.reach.failed(fault.message)) return this.#wait(fault.message, 0, longestReconnectMs);
    if (this.#failures < mostAttempts) return left ? this.#retry(fault.message, 0) : this.#wait(fault.message, 0);
    if (!left) {
      this.#around.stop(stopReasons.unreachable(fault));
      return this.#ended();
    }
    return this.#over('unknown', fault.message);
  }

  async #answered(exchange: WireAnswer, token: string, sentAt: number): Promise<Next> {
    const { pace, clock } = this.#around;
    const { status, headers } = exchange;
    this.#httpStatus = status;
    const asked = retryAfterMs(headers, clock.date());
    const isRefusal = status === 429 || (status === 503 && asked !== null);
    if (!isRefusal) {
      if (status === 503) pace.overloaded(sentAt);
      else pace.answered(sentAt);
    }
    const meaning = meaningOf(this.#call.rules, status, asked !== null);
    const answer = readAnswer(exchange, this.#call.bodyLimit);
    if ((meaning === 'retry' || meaning === 'token') && !this.#call.isRepeatable && this.#call.saysMade(answer)) {
      this.#around.tokens.taken(token);
      if (isRefusal) this.#heldBack(status, sentAt, asked);
      return this.#judged('in-doubt', answer);
    }
    if (meaning === 'token') return this.#tokenRefused(token);
    this.#around.tokens.taken(token);
    const isMissing = status === 404 && this.#call.isPathFixed && this.#call.rules['404'] === undefined;
    const isClosed = meaning === 'closed' || isMissing;
    this.#noteClosed(status, isClosed);
    switch (meaning) {
      case 'retry':
        return isRefusal ? this.#refused(status, sentAt, asked) : this.#unserved(status, asked);
      case 'success':
        return this.#succeeded(answer);
      case 'stop':
        return this.#unusable(answer);
      case 'in-doubt':
        return this.#unclear(answer, asked);
      default:
        return this.#around.ended !== null && isClosed ? this.#ended() : this.#judged('rejected', answer);
    }
  }

  /** An update that failed inside the service may have been applied; one that was told to wait was not. */
  #unserved(status: number, asked: number | null): Promise<Next> {
    const reason = answered(status);
    if (status >= 500 && asked === null) this.#doubt ??= reason;
    return this.#failed(reason, asked ?? 0);
  }

  async #unclear(answer: Answer, asked: number | null): Promise<Next> {
    if (!this.#call.isRepeatable || isGoodStatus(answer.status)) return this.#judged('in-doubt', answer);
    const reason = answered(answer.status);
    this.#doubt ??= reason;
    return this.#failed(reason, asked ?? 0);
  }

  async #succeeded(answer: Answer): Promise<Next> {
    if (answer.body.kind === 'html') return this.#unusable(answer);
    if (this.#call.isClear(answer)) return this.#judged('success', answer);
    if (!this.#call.isRepeatable || this.#failures + 1 >= mostAttempts) return this.#judged('success', answer);
    const reason = `The service answered ${answer.status} with a body that could not be used.`;
    this.#doubt ??= reason;
    return this.#failed(reason, 0);
  }

  /** A redirect or a web page: whatever answers here is not the service, and nobody knows what it did. */
  #unusable(answer: Answer): CallEnd {
    const { host } = this.#around;
    this.#around.stop(
      answer.status >= 300 && answer.status < 400
        ? stopReasons.redirected(host, answer.status)
        : stopReasons.notTheService(host, answer.status, answer.body.kind === 'html'),
    );
    return this.#judged('in-doubt', answer);
  }

  #noteClosed(status: number, isClosed: boolean): void {
    const reason = this.#around.breakers.answered(status, isClosed);
    if (reason !== null) this.#around.stop(reason);
  }

  /** A refusal for want of room counts against the run, not against the row. */
  async #refused(status: number, sentAt: number, asked: number | null): Promise<Next> {
    const { events } = this.#around;
    if (!this.#heldBack(status, sentAt, asked)) return this.#ended();
    this.#refusals += 1;
    if (!this.#around.budget.take()) return this.#budgetSpent();
    const reason = answered(status);
    if (asked !== null) {
      events.onWait({ milliseconds: asked, reason });
      return again;
    }
    return this.#wait(reason, 0);
  }

  /** Slows all rows down, for as long as was asked. `false` when that is too long, and the run stops. */
  #heldBack(status: number, sentAt: number, asked: number | null): boolean {
    if (asked !== null && asked > longestWaitMs) {
      this.#around.stop(stopReasons.longWait(status, asked));
      return false;
    }
    this.#around.pace.refused(sentAt, asked);
    return true;
  }

  async #failed(reason: string, leastWaitMs: number): Promise<Next> {
    this.#failures += 1;
    if (this.#failures >= mostAttempts) return this.#over('no', reason);
    return this.#retry(reason, leastWaitMs);
  }

  async #retry(reason: string, leastWaitMs: number): Promise<Next> {
    if (!this.#around.budget.take()) return this.#budgetSpent();
    return this.#wait(reason, leastWaitMs);
  }

  async #wait(reason: string, leastWaitMs: number, mostWaitMs = Number.POSITIVE_INFINITY): Promise<Next> {
    const { clock, waits, events } = this.#around;
    if (leastWaitMs > longestWaitMs) {
      this.#around.stop(stopReasons.longWait(this.#httpStatus, leastWaitMs));
      return this.#ended();
    }
    const backoff = backoffMs(this.#failures + this.#refusals, clock.random());
    const waitMs = Math.min(mostWaitMs, Math.max(leastWaitMs, backoff));
    events.onRetry({ attempt: this.#attempts + 1, waitMs, reason });
    await waits.wait(waitMs);
    return again;
  }

  #budgetSpent(): CallEnd {
    this.#around.stop(stopReasons.budgetSpent());
    return this.#ended();
  }

  async #token(): Promise<string | null> {
    try {
      return await this.#around.tokens.current();
    } catch (error) {
      this.#around.stop(stopReasons.noToken(error));
      return null;
    }
  }

  async #tokenRefused(token: string): Promise<Next> {
    const reason = await this.#around.tokens.refused(token);
    if (reason === null) return again;
    this.#around.stop(reason);
    return this.#ended();
  }

  #judged(verdict: 'success' | 'rejected' | 'in-doubt', answer: Answer): CallEnd {
    return { kind: 'answer', verdict, answer, attempts: this.#attempts, earlierDoubt: this.#doubt };
  }

  #over(applied: 'no' | 'unknown', message: string, isStopped = false): CallEnd {
    const known = this.#doubt === null ? applied : 'unknown';
    return {
      kind: 'no-answer',
      applied: known,
      isStopped,
      attempts: this.#attempts,
      httpStatus: this.#httpStatus,
      message,
    };
  }

  #ended(): CallEnd {
    return this.#over('no', this.#around.ended ?? 'The run was ended.', true);
  }
}

const again = { kind: 'again' } as const;

function answered(status: number): string {
  return `The service answered ${status}.`;
}
