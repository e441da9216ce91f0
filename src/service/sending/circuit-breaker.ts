/** The circuit breaker: what stops a run early, and what a person is told then. It goes by the kinds of what happens. */
import { isDealsheetError } from '../../errors.ts';
import type { Clock } from '../clock.ts';
import type { Outcome, StopReason } from '../records/outcome.ts';
import { type NetworkFault, networkFaultText } from './network-fault.ts';

/** Answers in a row, from the first one on, that say the address is closed to this token. */
const closedAnswers = 5;
const doubtsInARow = 5;
const rejectionsInARow = 50;
const millisecondsInMinute = 60_000;

export interface BreakerOptions {
  readonly clock: Clock;
  /** For how long a service is tried again that has answered before and cannot be reached. */
  readonly patienceMs: number;
  readonly onLost: (lost: { readonly milliseconds: number; readonly fault: NetworkFault }) => void;
}

export class CircuitBreaker {
  readonly #options: BreakerOptions;
  #isReached = false;
  #lostAt: number | null = null;
  #onlyClosed = true;
  #closed = 0;
  #doubts = 0;
  #rejection = '';
  #rejections = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Notes that the service has answered, whatever it said. */
  reached(): void {
    this.#isReached = true;
    this.#lostAt = null;
  }

  /**
   * Notes that no connection could be made. A service that has answered in this run may only be restarting.
   *
   * @returns whether to try again for as long as it takes it to come back
   */
  unreached(fault: NetworkFault): boolean {
    const { clock, patienceMs, onLost } = this.#options;
    if (!this.#isReached) return false;
    if (this.#lostAt === null) {
      this.#lostAt = clock.now();
      onLost({ milliseconds: patienceMs, fault });
    }
    return clock.now() - this.#lostAt < patienceMs;
  }

  /**
   * Notes an answer to a request of the run.
   *
   * @param isClosed  whether it said that the address is closed
   */
  answered(status: number, isClosed: boolean): StopReason | null {
    this.#onlyClosed &&= isClosed;
    if (!this.#onlyClosed) return null;
    this.#closed += 1;
    return this.#closed < closedAnswers ? null : closed(status);
  }

  /** Notes what became of a request: one outcome, or the outcomes of the rows in one request. */
  settled(outcomes: readonly Outcome[]): StopReason | null {
    if (outcomes.length === 0) return null;
    this.#doubts = outcomes.some(({ state }) => state === 'in-doubt') ? this.#doubts + 1 : 0;
    if (this.#doubts >= doubtsInARow) return manyDoubts();
    for (const outcome of outcomes) {
      const rejection = rejectionOf(outcome);
      this.#rejections = rejection === this.#rejection ? this.#rejections + 1 : 1;
      this.#rejection = rejection;
      if (outcome.state === 'rejected' && this.#rejections >= rejectionsInARow) return sameRejection(outcome.message);
    }
    return null;
  }
}

/** Rejections with the same status and fields are the same; what does not reject is empty. */
function rejectionOf(outcome: Outcome): string {
  if (outcome.state !== 'rejected') return '';
  return JSON.stringify([outcome.httpStatus, ...outcome.fields.map(({ path }) => path)]);
}

/** A read and a health check leave nothing in doubt and have no run to go on with: they are done again. */
function unusable(kind: StopReason['kind'], message: string, remedy: string): StopReason {
  return {
    code: 'service-unusable',
    kind,
    message,
    remedy: `${remedy}, then go on with the run.`,
    remedyOfRead: `${remedy}, then try again.`,
  };
}

function closed(status: number): StopReason {
  return unusable(
    'closed',
    `The service answered ${status} to everything: the first ${closedAnswers} requests were all refused in the same way.`,
    'Check the service address and what the token may do',
  );
}

function manyDoubts(): StopReason {
  return unusable(
    'many-doubts',
    `The answers to ${doubtsInARow} requests in a row left it open whether their records were made.`,
    'Find out what is wrong with the service, look up the rows in doubt there',
  );
}

function sameRejection(message: string): StopReason {
  const told = `The service rejected ${rejectionsInARow} rows in a row with the same status for the same fields, the last with: ${message}`;
  return {
    ...unusable('same-rejection', told, 'Correct what they have in common'),
    remedy: 'Correct what they have in common, then import the results file.',
  };
}

export function certificate(fault: NetworkFault): StopReason {
  return unusable(
    'certificate',
    `${networkFaultText(fault)} Nothing was sent over this connection.`,
    'Check the service address and the date of this computer. If the service uses its own authority, name it in NODE_EXTRA_CA_CERTS',
  );
}

export function unreachable(fault: NetworkFault): StopReason {
  const text = networkFaultText(fault);
  return unusable(
    'unreachable',
    fault.kind === 'proxy' ? text : `${text} It was tried several times.`,
    ways[fault.kind],
  );
}

const checkNetwork = 'Check the network and the service address';
/** What helps against a way that is closed. */
const ways: Readonly<Record<NetworkFault['kind'], string>> = {
  certificate: checkNetwork,
  other: checkNetwork,
  'open-files': 'Name a lower --concurrency, or raise the limit of open files (ulimit -n)',
  proxy:
    'Put its name and password into the variable (http://NAME:PASSWORD@host:port), or name the service in NO_PROXY when it is reached without the proxy',
};

export function redirected(host: string, status: number): StopReason {
  const message = `${host} answered ${status} and named another address. It was not followed: records and token go to the chosen address alone.`;
  return {
    ...unusable('redirected', message, 'Check the service address'),
    remedy: 'Find out the right service address. If it is another one, start a new run there.',
  };
}

export function notTheService(host: string, status: number, isPage: boolean): StopReason {
  const message = `${host} answered ${status} ${isPage ? 'with a web page' : 'in a way that the service never should'}. Something else than the service may stand at this address, such as a sign-in page.`;
  return {
    ...unusable('not-the-service', message, 'Check the service address'),
    remedy: 'Check the service address, look up the rows in doubt in the service, then go on with the run.',
  };
}

export function longWait(status: number | null, waitMs: number): StopReason {
  const minutes = Math.ceil(waitMs / millisecondsInMinute);
  return unusable(
    'long-wait',
    `The service answered ${status} and asks for a wait of ${minutes} minutes.`,
    `Wait ${minutes} minutes`,
  );
}

export function nothingThrough(status: number, waitedMs: number): StopReason {
  return unusable(
    'long-wait',
    `The service has let no request through for ${Math.round(waitedMs / millisecondsInMinute)} minutes. The last one was answered ${status}.`,
    'Wait until the service takes requests again',
  );
}

export function budgetSpent(): StopReason {
  return unusable(
    'budget-spent',
    'The service failed so often that all retries of this run are used up.',
    'Wait until the service has recovered',
  );
}

/** @param from  where the token comes from, where that is known */
export function tokenRefused(from: string | null, wasRenewed: boolean): StopReason {
  // The message stands in a results sheet, too, which goes to others: where a person keeps a token is none of their business.
  const place = from === null ? '' : `The token is from ${from}. `;
  const message = `The service refused the token${wasRenewed ? ', and the renewed one as well' : ''}.`;
  return { ...unusable('token-refused', message, `${place}Get a new token`), code: 'token-refused' };
}

/** The source of the token has failed. */
export function noToken(error: unknown): StopReason {
  const unread = unusable('token-refused', 'The token could not be read.', 'Check where the token comes from');
  const known = isDealsheetError(error)
    ? { message: error.message, remedy: error.remedy, remedyOfRead: error.remedy }
    : {};
  return { ...unread, ...known, code: 'token-refused' };
}
