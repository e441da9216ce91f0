/** Lets requests through one by one, evenly spaced at a rate, and none at all during a pause. First come, first served. */
import type { Clock } from './clock.ts';

/** A timer may be so late; the requests that it should have let through then follow at once. */
const latenessMs = 15;

export class Turnstile {
  readonly #clock: Clock;
  readonly #rateAt: (now: number) => number | null;
  readonly #waiting: ((passed: boolean) => void)[] = [];
  #head = 0;
  #next = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #shut = false;
  #cancelTimer: (() => void) | null = null;

  /** @param rateAt  requests a second at a moment, or `null` for no limit */
  constructor(clock: Clock, rateAt: (now: number) => number | null) {
    this.#clock = clock;
    this.#rateAt = rateAt;
  }

  /** Whether a request may leave at this moment, its turn given. */
  get isOpen(): boolean {
    return !this.#shut && this.#clock.now() >= this.#pausedUntil;
  }

  get waiting(): number {
    return this.#waiting.length - this.#head;
  }

  /** Waits for a turn; `false` when there will be none any more. */
  async pass(): Promise<boolean> {
    if (this.#shut) return false;
    if (this.waiting === 0 && this.#takeTurn(this.#clock.now())) return true;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#wake();
    });
  }

  /** Holds everything back until then; a longer pause that is on already stays. */
  pauseUntil(time: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, time);
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#wake();
  }

  /** Sends everybody away, now and later. */
  shut(): void {
    this.#shut = true;
    this.#cancelTimer?.();
    for (const resolve of this.#waiting.splice(this.#head)) resolve(false);
    this.#waiting.length = 0;
    this.#head = 0;
  }

  #takeTurn(now: number): boolean {
    if (now < this.#pausedUntil) return false;
    const rate = this.#rateAt(now);
    if (rate === null) return true;
    if (now < this.#next) return false;
    const earliest = Math.max(this.#pausedUntil, now - latenessMs);
    this.#next = Math.max(this.#next, earliest) + 1000 / rate;
    return true;
  }

  #letThrough(): void {
    this.#cancelTimer = null;
    const now = this.#clock.now();
    while (this.waiting > 0 && this.#takeTurn(now)) {
      this.#waiting[this.#head]?.(true);
      this.#head += 1;
    }
    if (this.waiting === 0) {
      this.#waiting.length = 0;
      this.#head = 0;
    }
    this.#wake();
  }

  #wake(): void {
    if (this.waiting === 0 || this.#cancelTimer !== null || this.#shut) return;
    const wait = Math.max(this.#pausedUntil, this.#next) - this.#clock.now();
    this.#cancelTimer = this.#clock.after(Math.max(0, wait), () => this.#letThrough());
  }
}
