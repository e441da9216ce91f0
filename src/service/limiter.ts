/**
 * The limiter of a run, for all rows at once: how many rows are in flight, and when the next request may leave.
 * A service that refuses is left alone for as long as it says; where it says nothing, single requests find out how long that is.
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

/** The right to send one request, from the moment at which it may leave to its end. */
export interface Ticket {
  readonly epoch: number;
}

/** A longer wait is not waited for, nor a service that lets nothing through for so long. */
export const longestWaitMs = 15 * 60_000;

const firstInFlight = 4;
/** Until the first refusal each answer lets in two further requests: three times as many with each round trip. */
const slowStartGrowth = 2;
const shareAfterCut = 0.5;
/** A timer may be so late; the requests that it should have let through then follow at once. */
const latenessMs = 15;
/** A pause that grows by less than this is told once. */
const leastToldMs = 1_000;
const overloaded = 503;
const firstLearnedMs = 250;
const leastLearnedMs = 150;
const firstTryShare = 0.7;
const firstTryJitter = 0.2;
const stepShare = 0.1;
const leastStepMs = 100;

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #clock: Clock;
  readonly #waitingRequests: Waiter[] = [];
  readonly #waitingRows: Waiter[] = [];
  readonly #sleepers = new Set<() => void>();
  readonly #open = new Set<Ticket>();
  #rows = 0;
  #limit: number;
  #isSlowStart = true;
  /** Grows with each pause and cut. What an older ticket brings says nothing about what holds now. */
  #epoch = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #nextByRate = Number.NEGATIVE_INFINITY;
  /** After a pause one request goes first, and the others wait for its answer. */
  #isProbing = false;
  #probe: Ticket | null = null;
  /** The pauses since the service last let a request through that had been refused before. */
  #waitedMs = 0;
  /** How long the service refuses without saying so, as far as it is known, and which try of a pause it is. */
  #learnedMs = firstLearnedMs;
  #tries = 0;
  /** Whether the service says itself how long to wait: what it takes to get through then shows nothing. */
  #isTold = false;
  #isShut = false;
  #cancelTimer = (): void => {};

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#limit = Math.min(firstInFlight, options.concurrency);
  }

  /** Waits for room among the rows in flight, and until a request may leave; what it gives ends the room. `null` once shut. */
  room(): Promise<(() => void) | null> {
    return this.#queue(this.#waitingRows, true, () => {
      this.#rows += 1;
      let isKept = true;
      return () => {
        if (isKept) this.#rows -= 1;
        isKept = false;
        this.#wake();
      };
    });
  }

  /**
   * Waits for the right to send one request, to be given back by `answered` or `release`.
   *
   * @param isFirst  whether it is the first of its room, which counts in the requests a second already
   * @returns `null` when none may leave any more
   */
  ticket(isFirst: boolean): Promise<Ticket | null> {
    return this.#queue(this.#waitingRequests, !isFirst, () => {
      const ticket = { epoch: this.#epoch };
      this.#open.add(ticket);
      if (this.#isProbing) this.#probe = ticket;
      return ticket;
    });
  }

  mayLeave(ticket: Ticket): boolean {
    return !this.#isShut && ticket.epoch === this.#epoch && this.#clock.now() >= this.#pausedUntil;
  }

  /** Gives a ticket back that brought no answer. Does nothing when an answer has given it back before. */
  release(ticket: Ticket): void {
    this.#open.delete(ticket);
    if (this.#probe === ticket) this.#probe = null;
    this.#wake();
  }

  answered(ticket: Ticket, status: number, said: SaidLimit): StopReason | null {
    const isNew = ticket.epoch === this.#epoch;
    if (said.isRefusal) {
      if ((said.askedMs ?? 0) > longestWaitMs) return stopForWait(status, said.askedMs ?? 0);
      if (isNew && this.#waitedMs >= longestWaitMs) {
        const minutes = Math.round(longestWaitMs / 60_000);
        return stopReason(serviceMessage('stopped-nothing-through', { status, minutes }), 'wait-for-service');
      }
      this.#refused(isNew, status, said.askedMs);
    } else if (status === overloaded) {
      if (this.#probe === ticket) this.#isProbing = false;
      if (isNew) this.#cut();
    } else if (this.#probe === ticket) {
      if (this.#waitedMs > 0) this.#through(this.#waitedMs);
      this.#isProbing = false;
    } else if (isNew && 2 * this.#rows >= this.#limit) {
      this.#setLimit(this.#limit + (this.#isSlowStart ? slowStartGrowth : 1 / this.#limit));
    }
    this.release(ticket);
    // The requests on the way take what is left.
    const { remaining, resetMs } = said;
    const isUsedUp = !said.isRefusal && remaining !== null && remaining <= this.#open.size;
    if (isUsedUp && resetMs !== null && resetMs <= longestWaitMs) this.#pause(resetMs, 'used-up', status);
    return null;
  }

  async sleep(milliseconds: number): Promise<void> {
    if (this.#isShut || milliseconds <= 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(milliseconds, () => end());
      const end = (): void => {
        cancel();
        this.#sleepers.delete(end);
        resolve();
      };
      this.#sleepers.add(end);
    });
  }

  shut(): void {
    this.#isShut = true;
    this.#cancelTimer();
    for (const { sendAway } of [...this.#waitingRequests.splice(0), ...this.#waitingRows.splice(0)]) sendAway();
    for (const end of [...this.#sleepers]) end();
  }

  #queue<Given>(queue: Waiter[], isCounted: boolean, give: () => Given): Promise<Given | null> {
    return new Promise((resolve) => {
      if (this.#isShut) return resolve(null);
      queue.push({ isCounted, letThrough: () => resolve(give()), sendAway: () => resolve(null) });
      this.#wake();
    });
  }

  #refused(isNew: boolean, status: number, askedMs: number | null): void {
    if (isNew && !this.#isProbing) this.#cut();
    if (askedMs !== null && askedMs > 0) {
      this.#isTold = true;
      this.#waitedMs += this.#pause(askedMs, 'asked', status);
    } else if (isNew) {
      const waitMs = Math.min(longestWaitMs - this.#waitedMs, this.#nextTryMs(this.#clock.random()));
      this.#waitedMs += this.#pause(waitMs, 'limited', status);
    }
  }

  /** Single requests try out how long the service refuses: the first a little before the time that it took before. */
  #nextTryMs(random: number): number {
    this.#tries += 1;
    if (this.#tries === 1) return Math.round((firstTryShare + firstTryJitter * random) * this.#learnedMs);
    const stepMs = Math.max(leastStepMs, stepShare * this.#learnedMs) * 2 ** (this.#tries - 2);
    return Math.round(stepMs * (0.5 + random / 2));
  }

  #through(waitedMs: number): void {
    if (!this.#isTold) this.#learnedMs = Math.max(leastLearnedMs, waitedMs);
    this.#isTold = false;
    this.#tries = 0;
    this.#waitedMs = 0;
  }

  #cut(): void {
    this.#epoch += 1;
    this.#isSlowStart = false;
    this.#setLimit(Math.max(1, this.#limit * shareAfterCut));
  }

  #setLimit(limit: number): void {
    const before = Math.floor(this.#limit);
    this.#limit = Math.min(this.#options.concurrency, limit);
    const inFlight = Math.floor(this.#limit);
    if (inFlight !== before) this.#options.tell('onPace', { inFlight });
  }

  /** @returns by how many milliseconds the pause has become longer */
  #pause(milliseconds: number, code: Pause['code'], status: number): number {
    const now = this.#clock.now();
    const longer = now + milliseconds - Math.max(now, this.#pausedUntil);
    if (longer <= 0) return 0;
    const isTold = now < this.#pausedUntil && longer < leastToldMs;
    this.#pausedUntil = now + milliseconds;
    this.#epoch += 1;
    this.#isProbing = true;
    this.#probe = null;
    if (!isTold) this.#options.tell('onWait', { milliseconds, code, status });
    return longer;
  }

  #wake(): void {
    this.#cancelTimer();
    const now = this.#clock.now();
    const { rate } = this.#options;
    while (this.#probe === null && !this.#isShut) {
      const hasRoom = this.#rows < Math.floor(this.#limit);
      const queue = this.#waitingRequests.length > 0 || !hasRoom ? this.#waitingRequests : this.#waitingRows;
      const [next] = queue;
      if (next === undefined) return;
      const waitMs = Math.max(this.#pausedUntil, next.isCounted ? this.#nextByRate : 0) - now;
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, () => this.#wake());
        return;
      }
      queue.shift();
      if (next.isCounted && rate !== null) {
        this.#nextByRate = Math.max(this.#nextByRate, now - latenessMs) + 1000 / rate;
      }
      next.letThrough();
    }
  }
}

interface Waiter {
  readonly isCounted: boolean;
  readonly letThrough: () => void;
  readonly sendAway: () => void;
}
