/** What goes wrong on the way to the service, and why a run stops: each stop with its message and the remedy. */
import { isDealsheetError } from '../errors.ts';
import type { Message, Parameters } from '../messages/message.ts';
import { type remedyTexts, serviceMessage } from '../messages/service.ts';
import type { StopReason } from './outcome.ts';
import { plainText, shortened } from './plain-text.ts';
import type { ServiceProxy } from './proxy.ts';
import { WholeTimeoutError } from './wire/attempt.ts';

const certificateCodes =
  /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED/;
/** A connection counts as an open file, for the process and for the whole computer. */
const openFilesCodes: readonly string[] = ['EMFILE', 'ENFILE'];
const longestReason = 120;
/** Of an answer to `CONNECT` undici tells nothing but a sentence with its status. */
const proxyAnswer = /^Proxy response \((\d{3})\)/;
const forbidden = 403;
const loginWanted = 407;

/**
 * What went wrong on the way to the service or back. Says nothing about whether a request had left.
 * @param proxy  the proxy, where it was the connection by it that failed; or `null`
 */
export function networkFaultOf(error: Error, host: string, proxy: ServiceProxy | null): Message {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (certificateCodes.test(code)) {
    return serviceMessage('certificate-invalid', { host, why: shortened(plainText(error.message), longestReason) });
  }
  if (openFilesCodes.includes(code)) return serviceMessage('open-files', { host, error: code });
  const peer = proxy === null ? host : `the proxy ${proxy.url.host} (${proxy.from})`;
  const refusal = proxyAnswer.exec(error.message)?.[1];
  if (proxy !== null && refusal !== undefined) {
    return serviceMessage('proxy-refused', { proxy: peer, host, status: Number(refusal) });
  }
  return serviceMessage('connection-failed', { error: error instanceof WholeTimeoutError ? 'TOO_SLOW' : code, peer });
}

/** Whether trying again does not help: it is somebody else, or the proxy lets nobody through who comes like this. */
export function isFinal({ code, params: { status } }: Message): boolean {
  return (
    code === 'certificate-invalid' || (code === 'proxy-refused' && (status === forbidden || status === loginWanted))
  );
}

/** @param params  of the remedy: a message stands in a results sheet, which goes to others, and not all is for them */
export function stopReason(message: Message, remedy: keyof typeof remedyTexts, params: Parameters = {}): StopReason {
  const isOfToken = remedy === 'get-token' || remedy === 'check-token';
  const code = isOfToken ? 'token-refused' : 'service-unusable';
  return { code, message, remedy: { code: remedy, params: { next: 'resume', ...params } } };
}

export function stopForFault(fault: Message): StopReason {
  if (fault.code === 'certificate-invalid')
    return stopReason(serviceMessage('stopped-by-certificate', { fault }), 'check-certificate');
  if (isFinal(fault)) return stopReason(fault, 'name-proxy');
  const remedy = fault.code === 'open-files' ? 'lower-concurrency' : 'check-network';
  return stopReason(serviceMessage('stopped-unreachable', { fault }), remedy);
}

export function stopForWait(status: number | null, waitMs: number): StopReason {
  const minutes = Math.ceil(waitMs / 60_000);
  return stopReason(serviceMessage('stopped-long-wait', { status, minutes }), 'wait-minutes', { minutes });
}

export function stopWithoutToken(error: unknown): StopReason {
  const { message, remedy } = isDealsheetError(error)
    ? error
    : { message: 'The token could not be read.', remedy: null };
  return stopReason(serviceMessage('stopped-no-token', { why: message }), 'check-token', { why: remedy });
}

/** A read and a health check leave nothing in doubt and have no run to resume: they are made again. */
export function remedyOfReading({ remedy }: StopReason): Message {
  return { ...remedy, params: { ...remedy.params, next: 'again' } };
}
