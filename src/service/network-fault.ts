/** What went wrong on the way to the service or back, in words. Says nothing about whether a request had left. */
import type { Message } from '../messages/message.ts';
import { serviceMessage } from '../messages/service.ts';
import { plainText, shortened } from './plain-text.ts';
import type { ServiceProxy } from './proxy.ts';
import { WholeTimeoutError } from './wire/attempt.ts';

export interface NetworkFault {
  /**
   * `certificate`: it is somebody else, or nobody knows who it is. `proxy`: it lets nobody through who comes like this. Trying
   * again does not help with either. `open-files`: this computer gives no more connections.
   */
  readonly kind: 'certificate' | 'proxy' | 'open-files' | 'other';
  readonly message: Message;
}

const certificateCodes =
  /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED/;
/** A connection counts as an open file, for the process and for the whole computer. */
const openFilesCodes: readonly string[] = ['EMFILE', 'ENFILE'];
const longestReason = 120;
/** Of an answer to `CONNECT` undici tells nothing but a sentence with its status. */
const proxyAnswer = /^Proxy response \((\d{3})\)/;
const forbidden = 403;
const loginWanted = 407;

/** @param proxy  the proxy, where it was the connection by it that failed; or `null` */
export function networkFaultOf(error: Error, host: string, proxy: ServiceProxy | null): NetworkFault {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (certificateCodes.test(code)) {
    const why = shortened(plainText(error.message), longestReason);
    return { kind: 'certificate', message: serviceMessage('certificate-invalid', { host, why }) };
  }
  if (openFilesCodes.includes(code)) {
    return { kind: 'open-files', message: serviceMessage('open-files', { host, error: code }) };
  }
  const peer = proxy === null ? host : `the proxy ${proxy.url.host} (${proxy.from})`;
  const refusal = proxyAnswer.exec(error.message)?.[1];
  if (proxy !== null && refusal !== undefined) {
    const status = Number(refusal);
    const isFinal = status === forbidden || status === loginWanted;
    return {
      kind: isFinal ? 'proxy' : 'other',
      message: serviceMessage('proxy-refused', { proxy: peer, host, status }),
    };
  }
  const name = error instanceof WholeTimeoutError ? 'TOO_SLOW' : code;
  return { kind: 'other', message: serviceMessage('connection-failed', { error: name, peer }) };
}
