/** What went wrong on the way to the service or back, in words. Says nothing about whether a request had left. */
import { plainText, shortened } from '../text/plain-text.ts';
import { WholeTimeoutError } from '../wire/transport.ts';

export interface NetworkFault {
  /**
   * `certificate`: it is somebody else, or nobody knows who it is. Trying again does not help. `open-files`: this computer gives
   * no more connections.
   */
  readonly kind: 'certificate' | 'open-files' | 'other';
  /** A whole sentence. */
  readonly message: string;
}

const certificateCodes =
  /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED/;
/** A connection counts as an open file, for the process and for the whole computer. */
const openFilesCodes: readonly string[] = ['EMFILE', 'ENFILE'];
const longestReason = 120;

/** @param host  the service's host and port, for the message */
export function networkFaultOf(error: Error, host: string): NetworkFault {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (certificateCodes.test(code)) {
    const reason = shortened(plainText(error.message), longestReason);
    return { kind: 'certificate', message: `The certificate of ${host} is not valid (${reason}).` };
  }
  if (openFilesCodes.includes(code)) {
    return {
      kind: 'open-files',
      message: `No connection to ${host} could be opened: this computer opens no more files (${code}).`,
    };
  }
  return {
    kind: 'other',
    message:
      error instanceof WholeTimeoutError ? tooSlow : (sentences[code]?.(host) ?? `The connection to ${host} broke.`),
  };
}

const tooSlow = 'The service did not complete its answer in time.';

const sentences: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `The name of ${host} could not be found.`,
  EAI_AGAIN: (host) => `The name of ${host} could not be looked up.`,
  ECONNREFUSED: (host) => `${host} refused the connection.`,
  UND_ERR_CONNECT_TIMEOUT: (host) => `${host} did not take the connection in time.`,
  ETIMEDOUT: (host) => `The connection to ${host} timed out.`,
  EHOSTUNREACH: (host) => `There is no way to ${host} from here.`,
  ENETUNREACH: (host) => `There is no way to ${host} from here.`,
  UND_ERR_HEADERS_TIMEOUT: () => 'The service did not answer in time.',
  UND_ERR_HEADERS_OVERFLOW: (host) => `${host} answered with more headers than can be read.`,
  EPROTO: (host) => `${host} does not speak TLS as it should.`,
};
