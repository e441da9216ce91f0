/** One call to the service: what is sent, and what may be done about its answer. Reads are made here, writes by the senders. */

import type { OutcomeRules } from '../contract/answer-rules.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { ServiceAddress } from './address.ts';
import type { Answer, BodyKeeper } from './answer.ts';
import type { WireRequest } from './wire/attempt.ts';

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
  /** Whether an answer that asks for another try says all the same that the record of a create was made. */
  readonly saysMade: (answer: Answer) => boolean;
}

export interface CallSettings {
  readonly address: ServiceAddress;
  readonly contract: ContractSettings;
  readonly timeoutMs: number;
  readonly idempotencyKeys: boolean;
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
    saysMade: () => false,
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

export function pathWithQuery(path: string, query: readonly (readonly [string, string])[]): string {
  if (query.length === 0) return path;
  const parameters = new URLSearchParams();
  for (const [name, value] of query) parameters.append(name, value);
  return `${path}${path.includes('?') ? '&' : '?'}${parameters}`;
}
