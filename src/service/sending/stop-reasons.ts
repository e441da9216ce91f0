/** Why a run stops, in the words that a person reads. Each says what happened, and what to do now. */
import { isDealsheetError } from '../../errors.ts';
import type { StopReason } from '../records/outcome.ts';
import type { NetworkFault } from './network-fault.ts';

const millisecondsInMinute = 60_000;

export function certificate(message: string): StopReason {
  return {
    code: 'service-unusable',
    kind: 'certificate',
    message: `${message} Nothing was sent over this connection.`,
    remedy:
      'Check the service address and the date of this computer. If the service uses its own authority, name it in NODE_EXTRA_CA_CERTS.',
  };
}

export function unreachable({ kind, message }: NetworkFault): StopReason {
  return {
    code: 'service-unusable',
    kind: 'unreachable',
    message: `${message} It was tried several times.`,
    remedy:
      kind === 'open-files'
        ? 'Name a lower --concurrency, or raise the limit of open files (ulimit -n), and go on with the run.'
        : 'Check the network and the service address, then go on with the run.',
  };
}

export function refusedByProxy(message: string): StopReason {
  return {
    code: 'service-unusable',
    kind: 'unreachable',
    message,
    remedy:
      'Put its name and password into the variable (http://NAME:PASSWORD@host:port), or name the service in NO_PROXY when it is reached without the proxy; then go on with the run.',
  };
}

export function redirected(host: string, status: number): StopReason {
  return {
    code: 'service-unusable',
    kind: 'redirected',
    message: `${host} answered ${status} and named another address. It was not followed: records and token go to the chosen address alone.`,
    remedy: 'Find out the right service address. If it is another one, start a new run there.',
  };
}

export function notTheService(host: string, status: number, isPage: boolean): StopReason {
  return {
    code: 'service-unusable',
    kind: 'not-the-service',
    message: `${host} answered ${status} ${isPage ? 'with a web page' : 'in a way that the service never should'}. Something else than the service may stand at this address, such as a sign-in page.`,
    remedy: 'Check the service address, look up the rows in doubt in the service, then go on with the run.',
  };
}

export function longWait(status: number | null, waitMs: number): StopReason {
  const minutes = Math.ceil(waitMs / millisecondsInMinute);
  return {
    code: 'service-unusable',
    kind: 'long-wait',
    message: `The service answered ${status} and asks for a wait of ${minutes} minutes.`,
    remedy: `Go on with the run in ${minutes} minutes.`,
  };
}

export function budgetSpent(): StopReason {
  return {
    code: 'service-unusable',
    kind: 'budget-spent',
    message: 'The service failed so often that all retries of this run are used up.',
    remedy: 'Wait until the service has recovered, then go on with the run.',
  };
}

/** @param from  where the token comes from, where that is known */
export function tokenRefused(from: string | null, wasRenewed: boolean): StopReason {
  // The message stands in a results sheet, too, which goes to others: where a person keeps a token is none of their business.
  const place = from === null ? '' : `The token is from ${from}. `;
  return {
    code: 'token-refused',
    kind: 'token-refused',
    message: `The service refused the token${wasRenewed ? ', and the renewed one as well' : ''}.`,
    remedy: `${place}Get a new token, then go on with the run.`,
  };
}

/** A reading and a health check leave nothing in doubt and have no run to go on with: they are done again. */
export function remedyOfReading({ kind, remedy }: StopReason): string {
  if (kind === 'not-the-service' || kind === 'redirected') return 'Check the service address, and try again.';
  return remedy.replace(/(then )?go on with the run/i, (_, then?: string) => (then ? 'then try again' : 'Try again'));
}

/** The source of the token has failed. */
export function noToken(error: unknown): StopReason {
  const isKnown = isDealsheetError(error);
  return {
    code: 'token-refused',
    kind: 'token-refused',
    message: isKnown ? error.message : 'The token could not be read.',
    remedy: isKnown ? error.remedy : 'Check where the token comes from, then go on with the run.',
  };
}
