/**
 * One call to the service, with everything that a bad answer may need: a renewed token, a retry, a stop of the run. Its one rule: a
 * request that may have been applied is repeated only when repeating is safe.
 */

import { type AnswerRules, meaningOf, type OutcomeRules } from '../contract/answer-rules.ts';
import { valuesAt } from '../contract/body-path.ts';
import { type ContractSettings, headersWith, isForm, isLines } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { formText } from '../contract/rename.ts';
import { jsonOf } from '../contract/value-types.ts';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import type { ServiceAddress, ServiceProxy } from './address.ts';
import { type Answer, type BodyKeeper, jsonIn, valueIn, withLongNumbersAsTexts } from './answer.ts';
import {
  type CircuitBreaker,
  networkFaultOf,
  networkFaults,
  stopForFault,
  stopForWait,
  stopReason,
  stopWithoutToken,
} from './circuit-breaker.ts';
import { type AnswerToRows, saysMade } from './classify.ts';
import { type Limiter, longestWaitMs, type Ticket } from './limiter.ts';
import type { OutgoingRecord, Secret, StopReason, Tell } from './outcome.ts';
import { reasonOfAnswer, redacted } from './reason.ts';
import { backoffMs, type Clock, limitSaidBy, longestReconnectMs, mostAttempts } from './retry.ts';
import type { RunTokens } from './tokens.ts';
import type { WireRequest } from './wire/attempt.ts';
import type { Transport } from './wire/transport.ts';

export interface Call extends Omit<WireRequest, 'body' | 'mayLeave'> {
  /** Declared for its kind alone. */
  readonly ownHeaders?: Readonly<Record<string, string>>;
  readonly outcomes: OutcomeRules;
  readonly isRepeatable: boolean;
  /**
   * Makes a new body for each attempt. Rejects with a complete sentence when it cannot. An upload stops when the right to send is lost.
   */
  readonly body: (right: SendingRight | null) => WireRequest['body'] | Promise<WireRequest['body']>;
  /** What its body holds, with a file as its name. */
  readonly shown?: () => unknown;
  readonly isAskedOnce?: boolean;
  /** Whether a successful answer holds everything it should. If not, a repeatable call is retried. */
  readonly isClear: (answer: Answer) => boolean;
  /** What it carries, and how the service answers to that. */
  readonly kind?: RecordKind;
  readonly rows?: readonly OutgoingRecord[];
  readonly rules?: AnswerRules;
}

export interface RowsCall extends Call {
  readonly kind: RecordKind;
  readonly rows: readonly OutgoingRecord[];
  readonly rules: AnswerRules;
  /** Where its rows stand among those handed over together. */
  readonly places: readonly number[];
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
  /** The token, and the values of the rows that must not be shown. */
  secretsOf(rows?: readonly OutgoingRecord[]): readonly Secret[];
  stop(reason: StopReason): void;
  lease: SendingRight | null;
  /** Why the run has ended (stop reason, drain or close), or `null` while it runs. */
  ended: Message | null;
  /** The jobs that are asked for right now, by their place. */
  readonly jobs: Map<string, { requests: number; isShared: boolean }>;
}

export type CallSettings = Pick<Session, 'address' | 'contract' | 'timeoutMs' | 'idempotencyKeys'>;

/** A right to send that expires, such as a lease. */
export interface SendingRight {
  isHeld(): boolean;
  /** Whether the right is held, after renewing it if needed. */
  confirm(): Promise<boolean>;
}

export interface AnswerEnd extends Pick<AnswerToRows, 'means'> {
  readonly kind: 'answer';
  readonly answer: Answer;
  readonly attempts: number;
  /** The fault of an earlier attempt that may have been applied. A rejection of this attempt proves nothing about that one. */
  readonly earlierDoubt: Message | null;
  /** What a job whose end stays unknown last said at the declared path of its state. */
  readonly jobState?: string;
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

/** `null`: send the request again. */
type Next = CallEnd | null;

export async function converse(call: Call, session: Session, isInRate: boolean): Promise<CallEnd> {
  const { limiter, clock, tokens, breaker, transport, contract, host, proxy } = session;
  const { rules } = call;
  let [attempts, failures] = [0, 0];
  /** The reason of the first attempt that may have been applied, or `null`. */
  let doubt: Message | null = null;
  let httpStatus: number | null = null;

  const over = (applied: 'no' | 'unknown', message: Message, isStopped = false): CallEnd => {
    const known = doubt === null ? applied : 'unknown';
    return { kind: 'no-answer', applied: known, isStopped, attempts, httpStatus, message };
  };
  const ended = (): CallEnd => over('no', session.ended ?? messageOf('run-ended'), true);
  const stopped = (reason: StopReason): CallEnd => {
    session.stop(reason);
    return ended();
  };
  const answeredAs = (means: AnswerEnd['means'], answer: Answer): CallEnd => {
    breaker.wentThrough();
    return { kind: 'answer', means, answer, attempts, earlierDoubt: doubt };
  };
  const backoff = async (leastMs: number, mostMs = Number.POSITIVE_INFINITY): Promise<null> => {
    const waitMs = Math.min(mostMs, Math.max(leastMs, backoffMs(failures, clock.random())));
    session.tell('onRetry', { attempt: attempts + 1, waitMs });
    await limiter.sleep(waitMs);
    return null;
  };
  const failed = async (reason: Message, mayBeApplied: boolean, leastMs = 0): Promise<Next> => {
    if (mayBeApplied) doubt ??= reason;
    failures += 1;
    if (call.isAskedOnce || failures >= mostAttempts) return over('no', reason);
    if (leastMs > longestWaitMs) return stopped(stopForWait(httpStatus, leastMs));
    const spent = breaker.sentAgain();
    return spent === null ? backoff(leastMs) : stopped(spent);
  };

  /** A redirect or a web page: something other than the service answered, so it is unknown what was done. */
  function unusable(answer: Answer): CallEnd {
    const { status, body } = answer;
    const isRedirect = status >= 300 && status < 400;
    const message = isRedirect
      ? messageOf('stopped-by-redirect', { host, status })
      : messageOf('stopped-not-the-service', { host, status, isPage: body.kind === 'html' });
    session.stop(stopReason(message, 'check-address'));
    return answeredAs('in-doubt', answer);
  }

  async function succeeded(answer: Answer): Promise<Next> {
    const isPage = answer.body.kind === 'html' && (rules === undefined || valueIn(answer.body, rules) === undefined);
    if (isPage && answer.status !== 303) return unusable(answer);
    if (call.isClear(answer) || !call.isRepeatable || failures + 1 >= mostAttempts)
      return answeredAs('success', answer);
    return failed(messageOf('read-unreadable', { status: answer.status }), true);
  }

  async function answered(answer: Answer, token: string, leftAt: number, ticket: Ticket): Promise<Next> {
    const { headers, body } = answer;
    httpStatus = answer.status;
    // The body of any answer may report an expired token, or a limit. Nothing was applied then.
    const stated = body.kind === 'text' ? body.text.trim() : 'value' in body ? body.value : undefined;
    const says = (signs: typeof contract.token) => signs.some(({ path, is }) => valuesAt(stated, path).includes(is));
    const status = says(contract.busy) ? 429 : httpStatus;
    const said = limitSaidBy(status, headers, clock.date());
    const refusedFor = limiter.answered(ticket, answer.status, said);
    const meaning = says(contract.token) ? 'token' : meaningOf(call.outcomes, status, said.retryAfterMs !== null);
    const isRetry = meaning === 'retry' || meaning === 'token';
    const mayBeMade = isRetry && !call.isRepeatable && rules !== undefined;
    const isMade = mayBeMade && saysMade(valueIn(body, rules), answer.status, rules);
    if (meaning === 'token' && !isMade) {
      const reason = await tokens.refused(token, leftAt);
      return reason === null ? null : stopped(reason);
    }
    tokens.taken(token);
    if (refusedFor !== null) session.stop(refusedFor);
    if (isMade) return answeredAs('in-doubt', answer);
    const isClosed = meaning === 'closed';
    const closed = call.isAskedOnce ? null : breaker.answered(status, isClosed);
    if (closed !== null) session.stop(closed);
    const reason = () => {
      const given = reasonOfAnswer(body, rules?.reason ?? []);
      return messageOf('answered', {
        status: answer.status,
        reason: given && redacted(given, session.secretsOf(call.rows)),
      });
    };
    switch (meaning) {
      case 'retry':
        // A failure inside the service may have been applied; a request that was told to wait was not.
        if (!said.isRefusal) return failed(reason(), status >= 500 && said.askedMs === null, said.askedMs ?? 0);
        if (refusedFor !== null) return ended();
        // The limiter does the waiting, so this does not count as a failure.
        return call.isAskedOnce ? over('no', reason()) : null;
      case 'success':
        return succeeded(answer);
      case 'stop':
        return unusable(answer);
      case 'in-doubt':
        if (call.isRepeatable) return failed(reason(), true, said.askedMs ?? 0);
        return answeredAs('in-doubt', answer);
      default:
        return session.ended !== null && isClosed ? ended() : answeredAs('rejected', answer);
    }
  }

  async function broken(left: boolean, error: Error): Promise<Next> {
    const fault = networkFaultOf(error, host, left ? null : proxy);
    if (left) return call.isRepeatable ? failed(fault, true) : over('unknown', fault);
    if (networkFaults[fault.code]?.isFinal === true) return stopped(stopForFault(fault));
    failures += 1;
    if (breaker.unreached(fault)) return backoff(0, longestReconnectMs);
    return failures < mostAttempts ? backoff(0) : stopped(stopForFault(fault));
  }

  async function attempt(ticket: Ticket): Promise<Next> {
    const { lease } = session;
    const token = await tokens.current().catch((error: unknown) => {
      session.stop(stopWithoutToken(error));
      return null;
    });
    if (token === null || session.ended !== null || (await lease?.confirm()) === false) return ended();
    let body: WireRequest['body'];
    try {
      body = await call.body(lease);
    } catch (error) {
      const why = error instanceof Error ? error.message : null;
      return over('no', messageOf('request-not-made', { why }));
    }
    const leftAt = clock.now();
    const end = await transport.exchange({
      mayLeave: () => limiter.mayLeave(ticket) && lease?.isHeld() !== false,
      ...call,
      headers: Object.assign({}, call.headers, headersWith(token, contract), call.ownHeaders),
      body,
    });
    if (end.kind === 'held-back') return null;
    attempts += 1;
    if (end.kind === 'no-answer') {
      limiter.release(ticket);
      return broken(end.left, end.error);
    }
    breaker.reached();
    return answered(end.answer, token, leftAt, ticket);
  }

  for (let isFirst = true; ; isFirst = false) {
    const ticket = await limiter.ticket(isFirst && isInRate);
    if (ticket === null) return ended();
    const end = await attempt(ticket).finally(() => limiter.release(ticket));
    if (end !== null) return end;
  }
}

export const answerLimit = 5 * 1024 * 1024;
const recordLimit = 16 * 1024 * 1024;
/** Limit of an answer kept in a file. A longer one is a fault that never ends. */
const keptLimit = 4 * 1024 ** 3;
/** A whole exchange may take this many times the silence timeout. */
export const wholeTimeouts = 2;
const wholeTimeoutsOfKept = 60;

/** Answers are small, and an encoded one could be a decompression bomb. */
export const acceptHeaders = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'dealsheet' };

/** JSON, or lines of it, as it is, or as the fields of a form. */
export function bodyOf(json: string, { headers }: Pick<Call, 'headers'>): Required<Pick<Call, 'body' | 'shown'>> {
  const lines = () => json.trimEnd().split('\n').map(withLongNumbersAsTexts);
  const shown = (): unknown => JSON.parse(isLines(headers['content-type']) ? `[${lines().join(',')}]` : lines().join());
  return { body: isForm(headers['content-type']) ? () => formText(shown()) : () => json, shown };
}

/** @param body  of a POST; `null` for a GET */
export function readCall(path: string, body: object | null, { contract, timeoutMs }: CallSettings): Call {
  const headers = { ...(body && { 'content-type': contract.wire.mediaType }), ...acceptHeaders };
  return {
    ...(body === null ? { body: () => null } : bodyOf(jsonOf(body), { headers })),
    method: body === null ? 'GET' : 'POST',
    path,
    outcomes: contract.outcomes.read,
    isRepeatable: true,
    headers,
    bodyLimit: recordLimit,
    wholeTimeoutMs: timeoutMs * wholeTimeouts,
    silenceMs: timeoutMs,
    isClear: (answer) => answer.body.kind === 'json',
  };
}

export function keptCall(path: string, body: object | null, keeper: BodyKeeper, settings: CallSettings): Call {
  return {
    ...readCall(path, body, settings),
    keeper,
    bodyLimit: keptLimit,
    wholeTimeoutMs: settings.timeoutMs * wholeTimeoutsOfKept,
    // A retry does not help a keeper that cannot write.
    isClear: (answer) => answer.body.kind === 'kept' || keeper.failure !== null,
  };
}

/** Asks for the state of a job. A running job may answer without a body; a finished one may redirect (303) to its record. */
export function jobCall(path: string, settings: CallSettings): Call {
  const call = readCall(path, null, settings);
  const isClear = ({ status, body }: Answer): boolean => status !== 200 || body.kind === 'json';
  return { ...call, outcomes: { ...call.outcomes, '303': 'success' }, isClear };
}

export function healthCall(settings: CallSettings): Call {
  const path = settings.address.pathOf('health', null);
  const body = settings.address.bodyOf('health', {});
  return { ...readCall(path, body, settings), isRepeatable: false, isAskedOnce: true, isClear: () => true };
}
