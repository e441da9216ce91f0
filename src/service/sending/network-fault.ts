/** What went wrong on the way to the service or back, in words. Says nothing about whether a request had left. */
import { plainText, shortened } from '../text/plain-text.ts';
import { WholeTimeoutError } from '../wire/attempt.ts';
import type { ServiceProxy } from './proxy.ts';

export interface NetworkFault {
  /**
   * `certificate`: it is somebody else, or nobody knows who it is. `proxy`: it lets nobody through who comes like this. Trying
   * again does not help with either. `open-files`: this computer gives no more connections.
   */
  readonly kind: 'certificate' | 'proxy' | 'open-files' | 'other';
  /** A whole sentence. */
  readonly message: string;
}

/** What was spoken to. */
export interface Way {
  /** The service's host and port. */
  readonly host: string;
  /** The proxy that was asked for a tunnel to it, where it was the connection that failed; or `null`. */
  readonly proxy: ServiceProxy | null;
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

export function networkFaultOf(error: Error, { host, proxy }: Way): NetworkFault {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (certificateCodes.test(code)) {
    const reason = shortened(plainText(error.message), longestReason);
    return { kind: 'certificate', message: `The certificate of ${host} is not valid (${reason}).` };
  }
  if (openFilesCodes.includes(code)) {
    const message = `No connection to ${host} could be opened: this computer opens no more files (${code}).`;
    return { kind: 'open-files', message };
  }
  const peer = proxy === null ? host : `the proxy ${proxy.url.host} (${proxy.from})`;
  const refusal = proxyAnswer.exec(error.message)?.[1];
  if (proxy !== null && refusal !== undefined) return refusalOf(Number(refusal), peer, host);
  const told =
    error instanceof WholeTimeoutError ? tooSlow : sentences[code]?.(peer, proxy === null ? 'The service' : peer);
  return { kind: 'other', message: capitalized(told ?? `The connection to ${peer} broke.`) };
}

function refusalOf(status: number, proxy: string, host: string): NetworkFault {
  const isFinal = status === forbidden || status === loginWanted;
  const why = status === loginWanted ? 'wants a name and a password' : `did not open the way to ${host}`;
  return { kind: isFinal ? 'proxy' : 'other', message: capitalized(`${proxy} ${why} (${status}).`) };
}

function capitalized(sentence: string): string {
  return sentence.replace(/^the /, 'The ');
}

const tooSlow = 'The service did not complete its answer in time.';

const sentences: Readonly<Record<string, (peer: string, answerer: string) => string>> = {
  ENOTFOUND: (peer) => `The name of ${peer} could not be found.`,
  EAI_AGAIN: (peer) => `The name of ${peer} could not be looked up.`,
  ECONNREFUSED: (peer) => `${peer} refused the connection.`,
  UND_ERR_CONNECT_TIMEOUT: (peer) => `${peer} did not take the connection in time.`,
  ETIMEDOUT: (peer) => `The connection to ${peer} timed out.`,
  EHOSTUNREACH: (peer) => `There is no way to ${peer} from here.`,
  ENETUNREACH: (peer) => `There is no way to ${peer} from here.`,
  UND_ERR_HEADERS_TIMEOUT: (_peer, answerer) => `${answerer} did not answer in time.`,
  UND_ERR_HEADERS_OVERFLOW: (peer) => `${peer} answered with more headers than can be read.`,
  EPROTO: (peer) => `${peer} does not speak TLS as it should.`,
};
