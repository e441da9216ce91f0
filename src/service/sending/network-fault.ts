/** What went wrong on the way to the service or back. Says nothing about whether a request had left. */
import { plainText, shortened } from '../text/plain-text.ts';
import { WholeTimeoutError } from '../wire/attempt.ts';
import type { ServiceProxy } from './proxy.ts';

export interface NetworkFault {
  /**
   * `certificate`: it is somebody else, or nobody knows who it is. `proxy`: it lets nobody through who comes like this. Trying
   * again does not help with either. `open-files`: this computer gives no more connections.
   */
  readonly kind: 'certificate' | 'proxy' | 'open-files' | 'other';
  /** The code of the error, the status of a proxy's answer, or empty. */
  readonly code: string;
  /** The service's host and port. */
  readonly host: string;
  /** The proxy that was asked for a tunnel to it, without its password, and the variable that names it. */
  readonly proxy: { readonly host: string; readonly from: string } | null;
  /** What a certificate lacks, in the words of the system. */
  readonly detail: string;
}

const certificateCodes =
  /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED/;
/** A connection counts as an open file, for the process and for the whole computer. */
const openFilesCodes: readonly string[] = ['EMFILE', 'ENFILE'];
const longestReason = 120;
/** Of an answer to `CONNECT` undici tells nothing but a sentence with its status. */
const proxyAnswer = /^Proxy response \((\d{3})\)/;
const loginWanted = '407';
const finalProxyAnswers: readonly string[] = ['403', loginWanted];
const tooSlow = 'too-slow';

/** @param proxy  the proxy, where it was the connection by it that failed; or `null` */
export function networkFaultOf(error: Error, host: string, proxy: ServiceProxy | null): NetworkFault {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const way = { host, proxy: proxy === null ? null : { host: proxy.url.host, from: proxy.from }, detail: '' };
  if (certificateCodes.test(code)) {
    return { ...way, kind: 'certificate', code, detail: shortened(plainText(error.message), longestReason) };
  }
  if (openFilesCodes.includes(code)) return { ...way, kind: 'open-files', code };
  const refusal = proxy === null ? undefined : proxyAnswer.exec(error.message)?.[1];
  if (refusal === undefined) {
    return { ...way, kind: 'other', code: error instanceof WholeTimeoutError ? tooSlow : code };
  }
  return { ...way, kind: finalProxyAnswers.includes(refusal) ? 'proxy' : 'other', code: refusal };
}

/** A whole sentence. */
export function networkFaultText({ kind, code, host, proxy, detail }: NetworkFault): string {
  if (kind === 'certificate') return `The certificate of ${host} is not valid (${detail}).`;
  if (kind === 'open-files')
    return `No connection to ${host} could be opened: this computer opens no more files (${code}).`;
  const peer = proxy === null ? host : `the proxy ${proxy.host} (${proxy.from})`;
  const told = /^\d+$/.test(code)
    ? `${peer} ${code === loginWanted ? 'wants a name and a password' : `did not open the way to ${host}`} (${code}).`
    : sentences[code]?.(peer, proxy === null ? 'The service' : peer);
  return (told ?? `The connection to ${peer} broke.`).replace(/^the /, 'The ');
}

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
  [tooSlow]: () => 'The service did not complete its answer in time.',
};
