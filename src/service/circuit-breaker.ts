/** Stops a run early: every stop, with its message and remedy. */
import { rowStates } from '../contract/row-state.ts';
import { isDealsheetError } from '../errors.ts';
import type { Message, Parameters } from '../messages/message.ts';
import { plainText, shortened } from '../messages/plain-text.ts';
import type { remedyTexts } from '../messages/service.ts';
import { messageOf } from '../messages/text.ts';
import type { ServiceProxy } from './address.ts';
import type { Outcome, StopReason, Tell } from './outcome.ts';
import type { Clock } from './retry.ts';
import { WholeTimeoutError } from './wire/attempt.ts';

/** So many answers in a row, from the first one, show that the address is closed to this token. */
const closedAnswers = 5;
const doubtsInARow = 5;
/** Retries per run: fifty, plus one for each five requests that went through. */
const [fewRetries, requestsPerRetry] = [50, 5];
const rejectionsInARow = 50;

export type CircuitBreaker = ReturnType<typeof circuitBreaker>;

export function circuitBreaker(clock: Clock, patienceMs: number, tell: Tell) {
  let isReached = false;
  let lostAt: number | null = null;
  /** Closed answers so far; `null` once an answer was anything else. */
  let closed: number | null = 0;
  let [doubts, retries, throughs, rejections, rejectedRows] = [0, 0, 0, 0, 0];
  return {
    reached(): void {
      isReached = true;
      lostAt = null;
    },

    /** Whether to retry an unreachable service. One that has answered in this run may be restarting. */
    unreached(fault: Message): boolean {
      if (!isReached) return false;
      if (lostAt === null) tell('onLost', { milliseconds: patienceMs, fault });
      lostAt ??= clock.now();
      return clock.now() - lostAt < patienceMs;
    },

    answered(status: number, isClosed: boolean): StopReason | null {
      closed = isClosed && closed !== null ? closed + 1 : null;
      if (closed === null || closed < closedAnswers) return null;
      return stopReason(messageOf('stopped-closed', { status, answers: closedAnswers }), 'check-access');
    },

    wentThrough(): void {
      throughs += 1;
    },

    sentAgain(): StopReason | null {
      if (retries >= fewRetries + Math.floor(throughs / requestsPerRetry))
        return stopReason(messageOf('stopped-many-failures', { retries }), 'wait-for-service');
      retries += 1;
      return null;
    },

    /**
     * A batch whose rows all got the same bad outcome counts as one.
     *
     * @param isUnproven  whether nothing shows yet what the answers mean, so that the first doubt is one too many
     */
    settled(all: readonly Outcome[], isUnproven: boolean): StopReason | null {
      const isOne = all.every(({ state }) => !rowStates[state].isIn && state === all[0]?.state);
      const outcomes = isOne ? all.slice(0, 1) : all;
      doubts = outcomes.some(({ state }) => state === 'in-doubt') ? doubts + 1 : 0;
      if (doubts >= (isUnproven ? 1 : doubtsInARow))
        return stopReason(messageOf('stopped-many-doubts', { requests: doubts, isUnproven }), 'look-up-doubts');
      for (const outcome of outcomes) {
        const isRejected = outcome.state === 'rejected';
        [rejections, rejectedRows] = isRejected
          ? [rejections + 1, rejectedRows + all.length / outcomes.length]
          : [0, 0];
        if (!isRejected || rejections < rejectionsInARow) continue;
        const message = messageOf('stopped-same-rejection', { rows: rejectedRows, refusal: outcome.message });
        return stopReason(message, 'correct-rows');
      }
      return null;
    },
  };
}

const certificateCodes =
  /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED/;
/** A connection counts as an open file, for the process and for the system. */
const openFilesCodes: readonly string[] = ['EMFILE', 'ENFILE'];
const longestReason = 120;
/** undici reports the answer to `CONNECT` only as this sentence. */
const proxyAnswer = /^Proxy response \((\d{3})\)/;

export function networkFaultOf(error: Error, host: string, proxy: ServiceProxy | null): Message {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (certificateCodes.test(code)) {
    return messageOf('certificate-invalid', { host, why: shortened(plainText(error.message), longestReason) });
  }
  if (openFilesCodes.includes(code)) return messageOf('open-files', { host, error: code });
  const peer = proxy === null ? host : `the proxy ${proxy.url.host} (${proxy.from})`;
  const status = Number(proxyAnswer.exec(error.message)?.[1]);
  if (status === 403 || status === 407) return messageOf('proxy-refused', { proxy: peer, host, status });
  const fault = Number.isNaN(status) ? code : `answer ${status}`;
  return messageOf('connection-failed', { error: error instanceof WholeTimeoutError ? 'TOO_SLOW' : fault, peer });
}

/** The remedy of each network fault. `isFinal`: a retry would end the same way. */
export const networkFaults: Readonly<Record<string, { remedy: keyof typeof remedyTexts; isFinal: boolean }>> = {
  'certificate-invalid': { remedy: 'check-certificate', isFinal: true },
  'proxy-refused': { remedy: 'name-proxy', isFinal: true },
  'open-files': { remedy: 'lower-concurrency', isFinal: false },
  'connection-failed': { remedy: 'check-network', isFinal: false },
};

/** @param params  of the remedy alone: the message goes into a results sheet that others read */
export function stopReason(message: Message, remedy: keyof typeof remedyTexts, params: Parameters = {}): StopReason {
  const isOfToken = remedy === 'get-token' || remedy === 'check-token';
  const code = isOfToken ? 'token-refused' : 'service-unusable';
  return { code, message, remedy: { code: remedy, params } };
}

export function stopForFault(fault: Message): StopReason {
  return stopReason(fault, networkFaults[fault.code]?.remedy ?? 'check-network');
}

export function stopForWait(status: number | null, waitMs: number): StopReason {
  const minutes = Math.ceil(waitMs / 60_000);
  return stopReason(messageOf('stopped-long-wait', { status, minutes }), 'wait-minutes', { minutes });
}

export function stopWithoutToken(error: unknown): StopReason {
  const { message, remedy } = isDealsheetError(error) ? error : { message: null, remedy: null };
  return stopReason(messageOf('stopped-no-token', { why: message }), 'check-token', { why: remedy });
}
