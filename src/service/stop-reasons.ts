/** Why a run stops, and what to do then: each message with the kind of its stop and the remedy. */
import { isDealsheetError } from '../errors.ts';
import type { Message, Parameters } from '../messages/message.ts';
import { type remedyTexts, serviceMessage } from '../messages/service.ts';
import type { NetworkFault } from './network-fault.ts';
import type { StopReason } from './outcome.ts';

type RemedyCode = keyof typeof remedyTexts;

const stops: Readonly<Record<string, readonly [StopReason['kind'], RemedyCode]>> = {
  'stopped-by-certificate': ['certificate', 'check-certificate'],
  'stopped-unreachable': ['unreachable', 'check-network'],
  'proxy-refused': ['unreachable', 'name-proxy'],
  'stopped-by-redirect': ['redirected', 'find-address'],
  'stopped-not-the-service': ['not-the-service', 'check-address'],
  'stopped-long-wait': ['long-wait', 'wait-minutes'],
  'stopped-nothing-through': ['long-wait', 'wait-for-service'],
  'stopped-budget-spent': ['budget-spent', 'wait-for-service'],
  'stopped-closed': ['closed', 'check-access'],
  'stopped-many-doubts': ['many-doubts', 'look-up-doubts'],
  'stopped-undeclared': ['undeclared-answer', 'declare-answers'],
  'stopped-same-rejection': ['same-rejection', 'correct-rows'],
  'stopped-token-refused': ['token-refused', 'get-token'],
  'stopped-no-token': ['token-refused', 'check-token'],
};

/** @param params  of the remedy: a message stands in a results sheet, which goes to others, and not all is for them */
export function stopReason(message: Message, params: Parameters = {}, remedy?: RemedyCode): StopReason {
  const [kind, usual] = stops[message.code] ?? (['unreachable', 'check-network'] as const);
  return {
    code: kind === 'token-refused' ? kind : 'service-unusable',
    kind,
    message,
    remedy: { code: remedy ?? usual, params: { next: 'resume', ...params } },
  };
}

export function stopForFault({ kind, message: fault }: NetworkFault): StopReason {
  if (kind === 'proxy') return stopReason(fault);
  if (kind === 'certificate') return stopReason(serviceMessage('stopped-by-certificate', { fault }));
  const remedy = kind === 'open-files' ? 'lower-concurrency' : 'check-network';
  return stopReason(serviceMessage('stopped-unreachable', { fault }), {}, remedy);
}

export function stopForWait(status: number | null, waitMs: number): StopReason {
  const minutes = Math.ceil(waitMs / 60_000);
  return stopReason(serviceMessage('stopped-long-wait', { status, minutes }), { minutes });
}

export function stopWithoutToken(error: unknown): StopReason {
  const { message, remedy } = isDealsheetError(error)
    ? error
    : { message: 'The token could not be read.', remedy: null };
  return stopReason(serviceMessage('stopped-no-token', { why: message }), { why: remedy });
}

/** A read and a health check leave nothing in doubt and have no run to resume: they are made again. */
export function remedyOfReading({ remedy }: StopReason): Message {
  return { ...remedy, params: { ...remedy.params, next: 'again' } };
}
