/**
 * The limiter of a run, for all rows at once: how many rows are in flight, and when the next request may leave.
 * A service that refuses is left alone for as long as it says; where it says nothing, single requests find out how long that is.
 */
import pLimit from 'p-limit';
import type { Clock } from './clock.ts';
import { LearnedWait } from './learned-wait.ts';

export interface LimiterOptions {
  /** The most requests in flight. */
  readonly concurrency: number;
  /** The most requests a second, or `null`. */
  readonly rate: number | null;
  readonly clock: Clock;
  readonly onPace: (pace: PaceNow) => void;
  readonly onPause: (pause: Pause) => void;
}

export interface PaceNow {
  /** The most requests in flight at this moment. */
  readonly inFlight: number;
}

/** No request leaves for so long. */
export interface Pause {
  readonly milliseconds: number;
  /** `asked`: the service says how long. `limited`: it refuses and does not say. `used-up`: it says that its limit is used up. */
  readonly code: 'asked' | 'limited' | 'used-up';
  /** The status of the answer that led to it. */
  readonly status: number;
}

/** What an answer says about a limit: how many requests are left of it, and how long until there are new ones. */
export interface StatedLimit {
  readonly remaining: number | null;
  readonly resetMs: number | null;
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

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #clock: Clock;
  readonly #rows: ReturnType<typeof pLimit>;
  readonly #learned = new LearnedWait();
  readonly #waitingRequests: Waiter[] = [];
  readonly #waitingRows: Waiter[] = [];
  readonly #sleepers = new Set<() => void>();
  readonly #open = new Set<Ticket>();
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
  #isShut = false;
  #cancelTimer = (): void => {};

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#limit = Math.min(firstInFlight, options.concurrency);
    this.#rows = pLimit(this.#limit);
  }

  /** Waits for a place among the rows in flight; the answer gives it back. */
  enter(): Promise<() => void> {
    return new Promise((resolve) => {
      void this.#rows(() => new Promise<void>((leave) => resolve(leave)));
    });
  }

  /** Waits until a request may leave, and promises nothing: its ticket comes later. `null` when none may any more. */
  turn(): Promise<true | null> {
    return this.#queue(this.#waitingRows, true, () => true);
  }

  /**
   * Waits for the right to send one request, to be given back by one of `answered`, `overloaded`, `refused` and `release`.
   *
   * @param hadTurn  whether it has waited for its turn, and counts in the requests a second already
   * @returns `null` when none may leave any more
   */
  ticket(hadTurn: boolean): Promise<Ticket | null> {
    return this.#queue(this.#waitingRequests, !hadTurn, () => {
      const ticket = { epoch: this.#epoch };
      this.#open.add(ticket);
      if (this.#isProbing) this.#probe = ticket;
      return ticket;
    });
  }

  /** Whether the request may still leave at this very moment; else its ticket is given back and a new one asked for. */
  mayLeave(ticket: Ticket): boolean {
    return !this.#isShut && this.#isNew(ticket) && this.#clock.now() >= this.#pausedUntil;
  }

  /** Gives a ticket back that brought no answer. Does nothing when an answer has given it back before. */
  release(ticket: Ticket): void {
    this.#open.delete(ticket);
    if (this.#probe === ticket) this.#probe = null;
    this.#wake();
  }

  /** Notes an answer that was no refusal, whatever else it said. */
  answered(ticket: Ticket, status: number, { remaining, resetMs }: StatedLimit): void {
    if (this.#probe === ticket) {
      if (this.#waitedMs > 0) this.#learned.isThrough(this.#waitedMs);
      this.#waitedMs = 0;
      this.#isProbing = false;
    } else if (this.#isNew(ticket) && 2 * this.#rows.activeCount >= this.#limit) {
      this.#setLimit(this.#limit + (this.#isSlowStart ? slowStartGrowth : 1 / this.#limit));
    }
    this.release(ticket);
    // The requests on the way take what is left.
    const isUsedUp = remaining !== null && remaining <= this.#open.size;
    if (isUsedUp && resetMs !== null && resetMs <= longestWaitMs) this.#pause(resetMs, 'used-up', status);
  }

  /** Notes that the service has too much to do, without a word on when it will have less. */
  overloaded(ticket: Ticket): void {
    if (this.#probe === ticket) this.#isProbing = false;
    if (this.#isNew(ticket)) this.#cut();
    this.release(ticket);
  }

  /**
   * Notes a refusal (429, or 503 with Retry-After), and pauses all rows.
   *
   * @param askedMs  the wait that the service asks for, or `null`
   * @returns `stop` when it has let nothing through for so long that it is not waited for any more
   */
  refused(ticket: Ticket, status: number, askedMs: number | null): 'wait' | 'stop' {
    const isNew = this.#isNew(ticket);
    if (isNew && this.#waitedMs >= longestWaitMs) return 'stop';
    if (isNew && !this.#isProbing) this.#cut();
    if (askedMs !== null && askedMs > 0) {
      this.#learned.isTold();
      this.#waitedMs += this.#pause(askedMs, 'asked', status);
    } else if (isNew) {
      const waitMs = Math.min(longestWaitMs - this.#waitedMs, this.#learned.next(this.#clock.random()));
      this.#waitedMs += this.#pause(waitMs, 'limited', status);
    }
    this.release(ticket);
    return 'wait';
  }

  /** Resolves after so long, or when nothing may leave any more. */
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

  /** Lets nothing leave any more, and ends every wait. */
  shut(): void {
    this.#isShut = true;
    this.#cancelTimer();
    const waiting = [...this.#waitingRequests.splice(0), ...this.#waitingRows.splice(0)];
    for (const { sendAway } of waiting) sendAway();
    for (const end of [...this.#sleepers]) end();
  }

  #isNew(ticket: Ticket): boolean {
    return ticket.epoch === this.#epoch;
  }

  #queue<Given>(queue: Waiter[], isCounted: boolean, give: () => Given): Promise<Given | null> {
    return new Promise((resolve) => {
      if (this.#isShut) return resolve(null);
      queue.push({ isCounted, letThrough: () => resolve(give()), sendAway: () => resolve(null) });
      this.#wake();
    });
  }

  #cut(): void {
    this.#epoch += 1;
    this.#isSlowStart = false;
    this.#setLimit(Math.max(1, this.#limit * shareAfterCut));
  }

  #setLimit(limit: number): void {
    this.#limit = Math.min(this.#options.concurrency, limit);
    const inFlight = Math.floor(this.#limit);
    if (inFlight === this.#rows.concurrency) return;
    this.#rows.concurrency = inFlight;
    this.#options.onPace({ inFlight });
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
    if (!isTold) this.#options.onPause({ milliseconds, code, status });
    return longer;
  }

  /** Lets through whoever may go now: what has been refused before what is new. */
  #wake(): void {
    this.#cancelTimer();
    const now = this.#clock.now();
    while (this.#probe === null && !this.#isShut) {
      const queue = this.#waitingRequests.length > 0 ? this.#waitingRequests : this.#waitingRows;
      const [next] = queue;
      if (next === undefined) return;
      const waitMs = Math.max(this.#pausedUntil, next.isCounted ? this.#nextByRate : 0) - now;
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, () => this.#wake());
        return;
      }
      queue.shift();
      const { rate } = this.#options;
      if (next.isCounted && rate !== null) {
        this.#nextByRate = Math.max(this.#nextByRate, now - latenessMs) + 1000 / rate;
      }
      next.letThrough();
    }
  }
}

interface Waiter {
  /** Whether it counts in the requests a second. */
  readonly isCounted: boolean;
  readonly letThrough: () => void;
  readonly sendAway: () => void;
}
