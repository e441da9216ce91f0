/**
 * The limiter of a run: how many rows are in flight, and when the next request may leave. After a refusal it waits as long as the
 * service asks; when the service does not say, it probes with single requests.
 */
import { serviceMessage } from '../messages/service.ts';
import { stopForWait, stopReason } from './circuit-breaker.ts';
import type { Pause, StopReason, Tell } from './outcome.ts';
import type { Clock, SaidLimit } from './retry.ts';

export interface LimiterOptions {
  readonly concurrency: number;
  readonly rate: number | null;
  readonly clock: Clock;
  readonly tell: Tell;
}

/** The right to send one request, held until the request ends. */
export interface Ticket {
  readonly epoch: number;
}

/** A longer wait stops the run, and so does a service that lets nothing through for this long. */
export const longestWaitMs = 15 * 60_000;

const firstInFlight = 4;
/** Before the first refusal each answer adds two requests in flight, so the limit triples with each round trip. */
const slowStartGrowth = 2;
const shareAfterCut = 0.5;
/** A timer may fire this late. The requests that it held back then leave at once. */
const latenessMs = 15;
/** A pause that grows by less is not announced again. */
const leastShownMs = 1_000;
const overloaded = 503;
const firstLearnedMs = 250;
const leastLearnedMs = 150;
const firstTryShare = 0.7;
const firstTryJitter = 0.2;
const stepShare = 0.1;
const leastStepMs = 100;

export type Limiter = ReturnType<typeof limiterOf>;

export function limiterOf({ concurrency, rate, clock, tell }: LimiterOptions) {
  const waitingRequests: Waiter[] = [];
  const waitingRows: Waiter[] = [];
  const sleepers = new Set<() => void>();
  const open = new Set<Ticket>();
  let rows = 0;
  let limit = Math.min(firstInFlight, concurrency);
  let isSlowStart = true;
  /** Increases with each pause and cut. A refusal of a ticket from an older epoch is not news. */
  let epoch = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let nextByRate = Number.NEGATIVE_INFINITY;
  /** After a pause one request leaves as a probe, and the others wait for its answer. */
  let isProbing = false;
  let probe: Ticket | null = null;
  /** Total length of the pauses since a probe last got through. */
  let waitedMs = 0;
  /** How long a refusal without a stated wait lasts, as learned so far, and the number of the current probe. */
  let learnedMs = firstLearnedMs;
  let tries = 0;
  /** Whether the service stated its wait. The time until a probe gets through then teaches nothing. */
  let isStated = false;
  let isShut = false;
  let cancelTimer = (): void => {};

  function queue<Given>(waiting: Waiter[], isCounted: boolean, give: () => Given): Promise<Given | null> {
    return new Promise((resolve) => {
      if (isShut) return resolve(null);
      waiting.push({ isCounted, letThrough: () => resolve(give()), sendAway: () => resolve(null) });
      wake();
    });
  }

  function refused(isNew: boolean, status: number, askedMs: number | null): void {
    if (isNew && !isProbing) cut();
    if (askedMs !== null && askedMs > 0) {
      isStated = true;
      waitedMs += pause(askedMs, 'asked', status);
    } else if (isNew) {
      const waitMs = Math.min(longestWaitMs - waitedMs, nextTryMs(clock.random()));
      waitedMs += pause(waitMs, 'limited', status);
    }
  }

  /** Milliseconds until the next probe. The first comes shortly before the learned time is over. */
  function nextTryMs(random: number): number {
    tries += 1;
    if (tries === 1) return Math.round((firstTryShare + firstTryJitter * random) * learnedMs);
    const stepMs = Math.max(leastStepMs, stepShare * learnedMs) * 2 ** (tries - 2);
    return Math.round(stepMs * (0.5 + random / 2));
  }

  function cut(): void {
    epoch += 1;
    isSlowStart = false;
    setLimit(Math.max(1, limit * shareAfterCut));
  }

  function setLimit(wanted: number): void {
    const before = Math.floor(limit);
    limit = Math.min(concurrency, wanted);
    const inFlight = Math.floor(limit);
    if (inFlight !== before) tell('onPace', { inFlight });
  }

  /** @returns by how many milliseconds the pause grew */
  function pause(milliseconds: number, code: Pause['code'], status: number): number {
    const now = clock.now();
    const longer = now + milliseconds - Math.max(now, pausedUntil);
    if (longer <= 0) return 0;
    const wasShown = now < pausedUntil && longer < leastShownMs;
    pausedUntil = now + milliseconds;
    epoch += 1;
    isProbing = true;
    probe = null;
    if (!wasShown) tell('onWait', { milliseconds, code, status });
    return longer;
  }

  function wake(): void {
    cancelTimer();
    const now = clock.now();
    while (probe === null && !isShut) {
      const hasRoom = rows < Math.floor(limit);
      const waiting = waitingRequests.length > 0 || !hasRoom ? waitingRequests : waitingRows;
      const [next] = waiting;
      if (next === undefined) return;
      const waitMs = Math.max(pausedUntil, next.isCounted ? nextByRate : 0) - now;
      if (waitMs > 0) {
        cancelTimer = clock.after(waitMs, () => wake());
        return;
      }
      waiting.shift();
      if (next.isCounted && rate !== null) nextByRate = Math.max(nextByRate, now - latenessMs) + 1000 / rate;
      next.letThrough();
    }
  }

  const limiter = {
    /** Waits until one more row may be in flight. @returns the release function, or `null` once the limiter is shut */
    slot(): Promise<(() => void) | null> {
      return queue(waitingRows, true, () => {
        rows += 1;
        let isKept = true;
        return () => {
          if (isKept) rows -= 1;
          isKept = false;
          wake();
        };
      });
    },

    /**
     * Waits for the right to send one request. Return it with `answered` or `release`.
     *
     * @param isFirst  whether this is the first request of its slot, which already counted against the rate
     * @returns `null` when nothing more may leave
     */
    ticket(isFirst: boolean): Promise<Ticket | null> {
      return queue(waitingRequests, !isFirst, () => {
        const ticket = { epoch };
        open.add(ticket);
        if (isProbing) probe = ticket;
        return ticket;
      });
    },

    mayLeave(ticket: Ticket): boolean {
      return !isShut && ticket.epoch === epoch && clock.now() >= pausedUntil;
    },

    /** Returns a ticket that got no answer. A no-op after `answered`. */
    release(ticket: Ticket): void {
      open.delete(ticket);
      if (probe === ticket) probe = null;
      wake();
    },

    answered(ticket: Ticket, status: number, said: SaidLimit): StopReason | null {
      const isNew = ticket.epoch === epoch;
      if (said.isRefusal) {
        if ((said.askedMs ?? 0) > longestWaitMs) return stopForWait(status, said.askedMs ?? 0);
        if (isNew && waitedMs >= longestWaitMs) {
          const minutes = Math.round(longestWaitMs / 60_000);
          return stopReason(serviceMessage('stopped-nothing-through', { status, minutes }), 'wait-for-service');
        }
        refused(isNew, status, said.askedMs);
      } else if (status === overloaded) {
        if (probe === ticket) isProbing = false;
        if (isNew) cut();
      } else if (probe === ticket) {
        if (!isStated && waitedMs > 0) learnedMs = Math.max(leastLearnedMs, waitedMs);
        [isProbing, isStated, tries, waitedMs] = [false, false, 0, 0];
      } else if (isNew && 2 * rows >= limit) {
        setLimit(limit + (isSlowStart ? slowStartGrowth : 1 / limit));
      }
      limiter.release(ticket);
      // Requests already in flight use up what remains.
      const { remaining, resetMs } = said;
      const isUsedUp = !said.isRefusal && remaining !== null && remaining <= open.size;
      if (isUsedUp && resetMs !== null && resetMs <= longestWaitMs) pause(resetMs, 'used-up', status);
      return null;
    },

    async sleep(milliseconds: number): Promise<void> {
      if (isShut || milliseconds <= 0) return;
      await new Promise<void>((resolve) => {
        const cancel = clock.after(milliseconds, () => end());
        const end = (): void => {
          cancel();
          sleepers.delete(end);
          resolve();
        };
        sleepers.add(end);
      });
    },

    shut(): void {
      isShut = true;
      cancelTimer();
      for (const { sendAway } of [...waitingRequests.splice(0), ...waitingRows.splice(0)]) sendAway();
      for (const end of [...sleepers]) end();
    },
  };
  return limiter;
}

interface Waiter {
  readonly isCounted: boolean;
  readonly letThrough: () => void;
  readonly sendAway: () => void;
}
