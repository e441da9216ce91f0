/**
 * The limiter of a run: how many rows are in flight, and when the next request may leave. After a refusal it waits as long as the
 * service asks; when the service does not say, it probes with single requests.
 */
import pLimit from 'p-limit';
import { messageOf } from '../messages/text.ts';
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
/** The first probe leaves shortly before the learned wait is over, each further one after this share of the wait so far. */
const [shareOfLearned, shareOfWaited, leastWaitMs] = [0.8, 0.4, 100];

/** The pauses since requests last got through. */
interface Pauses {
  /** After a pause one request leaves as a probe, and the others wait for its answer. */
  isProbing: boolean;
  probe: Ticket | null;
  waitedMs: number;
  /** Whether the service stated a wait. The time until a probe gets through then teaches nothing. */
  isStated: boolean;
}
const noPauses = (): Pauses => ({ isProbing: false, probe: null, waitedMs: 0, isStated: false });

export type Limiter = ReturnType<typeof limiterOf>;

export function limiterOf({ concurrency, rate, clock, tell }: LimiterOptions) {
  const waitingRequests: Waiter[] = [];
  const waitingRows: Waiter[] = [];
  const sleepers = new Set<() => void>();
  const open = new Set<Ticket>();
  let limit = Math.min(firstInFlight, concurrency);
  const rows = pLimit(limit);
  let isSlowStart = true;
  /** Increases with each pause and cut. A refusal of a ticket from an older epoch is not news. */
  let epoch = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let nextByRate = Number.NEGATIVE_INFINITY;
  let pauses = noPauses();
  /** How long a refusal without a stated wait lasts, as learned so far. */
  let learnedMs = firstLearnedMs;
  let isShut = false;
  let cancelTimer = (): void => {};

  function queue<Given>(waiting: Waiter[], needsRate: boolean, give: () => Given): Promise<Given | null> {
    return new Promise((resolve) => {
      if (isShut) return resolve(null);
      waiting.push({ needsRate, end: (isLet) => resolve(isLet ? give() : null) });
      wake();
    });
  }

  function refused(isNew: boolean, status: number, askedMs: number | null): void {
    if (isNew && !pauses.isProbing) cut();
    const { waitedMs } = pauses;
    const isAsked = askedMs !== null && askedMs > 0;
    if (isAsked) pauses.isStated = true;
    const untilProbeMs = Math.max(leastWaitMs, waitedMs === 0 ? shareOfLearned * learnedMs : shareOfWaited * waitedMs);
    if (isAsked) pauses.waitedMs += pause(askedMs, 'asked', status);
    else if (isNew) pauses.waitedMs += pause(Math.min(longestWaitMs - waitedMs, untilProbeMs), 'limited', status);
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
    if (inFlight === before) return;
    rows.concurrency = inFlight;
    tell('onPace', { inFlight });
  }

  /** @returns by how many milliseconds the pause grew */
  function pause(milliseconds: number, code: Pause['code'], status: number): number {
    const now = clock.now();
    const longer = now + milliseconds - Math.max(now, pausedUntil);
    if (longer <= 0) return 0;
    const wasShown = now < pausedUntil && longer < leastShownMs;
    pausedUntil = now + milliseconds;
    epoch += 1;
    pauses.isProbing = true;
    pauses.probe = null;
    if (!wasShown) tell('onWait', { milliseconds, code, status });
    return longer;
  }

  function wake(): void {
    cancelTimer();
    const now = clock.now();
    while (pauses.probe === null && !isShut) {
      const waiting = waitingRequests.length > 0 ? waitingRequests : waitingRows;
      const [next] = waiting;
      if (next === undefined) return;
      const waitMs = Math.max(pausedUntil, next.needsRate ? nextByRate : 0) - now;
      if (waitMs > 0) {
        cancelTimer = clock.after(waitMs, () => wake());
        return;
      }
      waiting.shift();
      if (next.needsRate && rate !== null) nextByRate = Math.max(nextByRate, now - latenessMs) + 1000 / rate;
      next.end(true);
    }
  }

  const limiter = {
    /** Waits until one more row may be in flight. @returns the release function, or `null` once the limiter is shut */
    async slot(): Promise<(() => void) | null> {
      // p-limit counts a row until its promise resolves: `leave` resolves it.
      const leave = await new Promise<() => void>((enter) => void rows(() => new Promise<void>(enter)));
      const given = await queue(waitingRows, true, () => leave);
      if (given === null) leave();
      return given;
    },

    /**
     * Waits for the right to send one request. Return it with `answered` or `release`.
     *
     * @param isInRate  whether its slot has counted it against the rate already
     * @returns `null` when nothing more may leave
     */
    ticket(isInRate: boolean): Promise<Ticket | null> {
      return queue(waitingRequests, !isInRate, () => {
        const ticket = { epoch };
        open.add(ticket);
        if (pauses.isProbing) pauses.probe = ticket;
        return ticket;
      });
    },

    mayLeave(ticket: Ticket): boolean {
      return !isShut && ticket.epoch === epoch && clock.now() >= pausedUntil;
    },

    /** Returns a ticket that got no answer. A no-op after `answered`. */
    release(ticket: Ticket): void {
      open.delete(ticket);
      if (pauses.probe === ticket) pauses.probe = null;
      wake();
    },

    answered(ticket: Ticket, status: number, said: SaidLimit): StopReason | null {
      const isNew = ticket.epoch === epoch;
      if (said.isRefusal) {
        if ((said.askedMs ?? 0) > longestWaitMs) return stopForWait(status, said.askedMs ?? 0);
        if (isNew && pauses.waitedMs >= longestWaitMs) {
          const minutes = Math.round(longestWaitMs / 60_000);
          return stopReason(messageOf('stopped-nothing-through', { status, minutes }), 'wait-for-service');
        }
        refused(isNew, status, said.askedMs);
      } else if (status === overloaded) {
        if (pauses.probe === ticket) pauses.isProbing = false;
        if (isNew) cut();
      } else if (pauses.probe === ticket || (isNew && pauses.waitedMs > 0)) {
        if (!pauses.isStated && pauses.waitedMs > 0) learnedMs = pauses.waitedMs;
        pauses = noPauses();
      } else if (isNew && 2 * (rows.activeCount - waitingRows.length) >= limit) {
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
      // Rows that wait for room are sent away, too.
      rows.concurrency = Number.POSITIVE_INFINITY;
      for (const waiter of [...waitingRequests.splice(0), ...waitingRows.splice(0)]) waiter.end(false);
      for (const end of [...sleepers]) end();
    },
  };
  return limiter;
}

interface Waiter {
  readonly needsRate: boolean;
  /** Lets it through, or sends it away. */
  readonly end: (isLet: boolean) => void;
}
