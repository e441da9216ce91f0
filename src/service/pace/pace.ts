/**
 * The pace of a run, for all rows at once: how many requests are in flight, how many leave a second, and whether any
 * may leave now. Found from the answers alone, below the two ceilings that a person gives.
 */
import pLimit from 'p-limit';
import type { Clock } from './clock.ts';
import { InFlight } from './in-flight.ts';
import { LearnedRate } from './learned-rate.ts';
import { Turnstile } from './turnstile.ts';

export interface PaceOptions {
  /** The most requests in flight. */
  readonly concurrency: number;
  /** The most requests a second, or `null`. */
  readonly rate: number | null;
  readonly clock: Clock;
  /** Told each change. */
  readonly onPace: (pace: PaceNow) => void;
}

/** The most requests in flight at this moment, and the most a second; `null` while no limit is known. */
export interface PaceNow {
  readonly inFlight: number;
  readonly ratePerSecond: number | null;
}

/** The pause after a refusal that does not say how long to wait; doubled when nothing was taken since. */
const firstPauseMs = 250;
const longestPauseMs = 30_000;

export class Pace {
  readonly #clock: Clock;
  readonly #onPace: PaceOptions['onPace'];
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #inFlight: InFlight;
  readonly #learned = new LearnedRate();
  readonly #turnstile: Turnstile;
  #pauses = 0;
  /** Requests that left after the last pause and were taken. */
  #takenSince = 1;
  #resumedAt = Number.NEGATIVE_INFINITY;

  constructor({ concurrency, rate, clock, onPace }: PaceOptions) {
    this.#clock = clock;
    this.#onPace = onPace;
    this.#inFlight = new InFlight(concurrency);
    this.#limit = pLimit(this.#inFlight.limit);
    this.#turnstile = new Turnstile(clock, (now) => lower(this.#learned.at(now), rate));
  }

  /** Waits for a place among the requests in flight; the answer gives it back. */
  enter(): Promise<() => void> {
    return new Promise((resolve) => {
      void this.#limit(() => new Promise<void>((leave) => resolve(leave)));
    });
  }

  /** Waits until one request may leave; `false` when none may any more. */
  turn(): Promise<boolean> {
    return this.#turnstile.pass();
  }

  /** Whether a request that has had its turn may leave at this very moment. */
  get isOpen(): boolean {
    return this.#turnstile.isOpen;
  }

  /** Notes an answer that was no refusal, whatever it said. */
  answered(sentAt: number): void {
    const now = this.#clock.now();
    this.#learned.accepted(now);
    if (sentAt >= this.#resumedAt) this.#takenSince += 1;
    this.#inFlight.answered(sentAt, now, this.#limit.pendingCount > 0 && this.#turnstile.waiting === 0);
    this.#apply();
  }

  /** Notes that the service has too much to do, without a word on how many requests it would take. */
  overloaded(sentAt: number): void {
    this.#inFlight.refused(sentAt, this.#clock.now());
    this.#apply();
  }

  /**
   * Notes a refusal (429, or 503 with Retry-After), and pauses all rows.
   * @param waitMs  the wait that the service asks for, or `null`
   */
  refused(sentAt: number, waitMs: number | null): void {
    const now = this.#clock.now();
    const resumesAt = now + (waitMs ?? this.#ownPause(sentAt, now));
    this.#inFlight.refused(sentAt, now);
    this.#learned.refused(sentAt, now, resumesAt);
    this.#turnstile.pauseUntil(resumesAt);
    this.#resumedAt = Math.max(this.#resumedAt, resumesAt);
    this.#apply();
  }

  /** Lets nothing leave any more. */
  shut(): void {
    this.#turnstile.shut();
  }

  #ownPause(sentAt: number, now: number): number {
    if (sentAt < this.#resumedAt) return Math.max(0, this.#resumedAt - now);
    this.#pauses = this.#takenSince > 0 ? 0 : this.#pauses + 1;
    this.#takenSince = 0;
    const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#pauses);
    return longest * (0.5 + this.#clock.random() / 2);
  }

  #apply(): void {
    const { limit } = this.#inFlight;
    if (limit === this.#limit.concurrency) return;
    this.#limit.concurrency = limit;
    this.#onPace({ inFlight: limit, ratePerSecond: this.#learned.at(this.#clock.now()) });
  }
}

function lower(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.min(a, b);
}
