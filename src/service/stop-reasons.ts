/** Why a run stops, and what to do then. */
import { isDealsheetError } from '../errors.ts';
import type { Message } from '../messages/message.ts';
import { remedyMessage, serviceMessage } from '../messages/service.ts';
import type { NetworkFault } from './network-fault.ts';
import type { StopReason } from './outcome.ts';

const millisecondsInMinute = 60_000;
const resume = { next: 'resume' } as const;

function unusable(kind: StopReason['kind'], message: Message, remedy: Message): StopReason {
  return { code: 'service-unusable', kind, message, remedy };
}

export const stopReasons = {
  certificate: (fault: Message): StopReason =>
    unusable(
      'certificate',
      serviceMessage('stopped-by-certificate', { fault }),
      remedyMessage('check-certificate', resume),
    ),
  unreachable: ({ kind, message: fault }: NetworkFault): StopReason =>
    unusable(
      'unreachable',
      serviceMessage('stopped-unreachable', { fault }),
      remedyMessage(kind === 'open-files' ? 'lower-concurrency' : 'check-network', resume),
    ),
  refusedByProxy: (fault: Message): StopReason => unusable('unreachable', fault, remedyMessage('name-proxy', resume)),
  redirected: (host: string, status: number): StopReason =>
    unusable(
      'redirected',
      serviceMessage('stopped-by-redirect', { host, status }),
      remedyMessage('find-address', resume),
    ),
  notTheService: (host: string, status: number, isPage: boolean): StopReason =>
    unusable(
      'not-the-service',
      serviceMessage('stopped-not-the-service', { host, status, isPage }),
      remedyMessage('check-address', resume),
    ),
  longWait: (status: number | null, waitMs: number): StopReason => {
    const minutes = Math.ceil(waitMs / millisecondsInMinute);
    return unusable(
      'long-wait',
      serviceMessage('stopped-long-wait', { status, minutes }),
      remedyMessage('wait-minutes', { minutes, ...resume }),
    );
  },
  nothingThrough: (status: number, waitedMs: number): StopReason =>
    unusable(
      'long-wait',
      serviceMessage('stopped-nothing-through', { status, minutes: Math.round(waitedMs / millisecondsInMinute) }),
      remedyMessage('wait-for-service', resume),
    ),
  budgetSpent: (): StopReason =>
    unusable('budget-spent', serviceMessage('stopped-budget-spent'), remedyMessage('wait-for-service', resume)),
  closed: (status: number, answers: number): StopReason =>
    unusable('closed', serviceMessage('stopped-closed', { status, answers }), remedyMessage('check-access', resume)),
  manyDoubts: (requests: number): StopReason =>
    unusable(
      'many-doubts',
      serviceMessage('stopped-many-doubts', { requests }),
      remedyMessage('look-up-doubts', resume),
    ),
  undeclared: (kind: string, shape: string, line: string): StopReason =>
    unusable(
      'undeclared-answer',
      serviceMessage('stopped-undeclared', { kind, shape }),
      remedyMessage('declare-answers', { line }),
    ),
  sameRejection: (rows: number, refusal: Message): StopReason =>
    unusable(
      'same-rejection',
      serviceMessage('stopped-same-rejection', { rows, refusal }),
      remedyMessage('correct-rows'),
    ),
  /** The message stands in a results sheet, which goes to others; where a token is kept is told in the remedy alone. */
  tokenRefused: (from: string | null, wasRenewed: boolean): StopReason => ({
    code: 'token-refused',
    kind: 'token-refused',
    message: serviceMessage('stopped-token-refused', { wasRenewed }),
    remedy: remedyMessage('get-token', { from, ...resume }),
  }),
  noToken: (error: unknown): StopReason => ({
    code: 'token-refused',
    kind: 'token-refused',
    message: serviceMessage('stopped-no-token', {
      why: isDealsheetError(error) ? error.message : 'The token could not be read.',
    }),
    remedy: remedyMessage('check-token', { why: isDealsheetError(error) ? error.remedy : null, ...resume }),
  }),
};

/** A read and a health check leave nothing in doubt and have no run to resume: they are made again. */
export function remedyOfReading({ remedy }: StopReason): Message {
  return 'next' in remedy.params ? { ...remedy, params: { ...remedy.params, next: 'again' } } : remedy;
}
