/**
 * Notices that the process did not run for a while, as after Ctrl-Z: the service may have closed every connection meanwhile, also
 * one whose answer is only read now. A computer that sleeps stops the clock as well on most systems, and is not noticed.
 */

const betweenLooksMs = 500;
/** A busy process is late by less. */
const leastSleepMs = 1_000;
/** What has come while the process slept is read in less. */
const timeToReadMs = 1_000;
/** Node takes a longer timer for one of a millisecond. */
const longestTimerMs = 2 ** 31 - 1;

/** Whether a timer rings so late that it was slept through. */
function wasSleptThrough(dueAt: number): boolean {
  return performance.now() - dueAt > leastSleepMs;
}

/** The time, or the longest that a timer takes (24 days): nobody waits for that. */
export function timerMs(milliseconds: number): number {
  return Math.min(milliseconds, longestTimerMs);
}

export class SleepWatch {
  readonly #onWake: () => void;
  readonly #timer: NodeJS.Timeout;
  #dueAt = performance.now() + betweenLooksMs;

  /** @param onWake  told once after each sleep, at the first look */
  constructor(onWake: () => void) {
    this.#onWake = onWake;
    this.#timer = setInterval(() => this.look(true), betweenLooksMs).unref();
  }

  /** To be called before a connection is used: what came in during a sleep is read before any timer rings. */
  look(hasRung = false): void {
    const hasSlept = wasSleptThrough(this.#dueAt);
    if (hasRung || hasSlept) this.#dueAt = performance.now() + betweenLooksMs;
    if (hasSlept) this.#onWake();
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

/** The time that an answer may take. */
export class AnswerTimer {
  readonly #onOver: () => void;
  #timer: NodeJS.Timeout;

  constructor(milliseconds: number, onOver: () => void) {
    this.#onOver = onOver;
    this.#timer = this.#runningFor(timerMs(milliseconds));
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** One that rings late was slept through: the answer may have come meanwhile, and is read now. */
  #runningFor(milliseconds: number): NodeJS.Timeout {
    const dueAt = performance.now() + milliseconds;
    return setTimeout(() => {
      if (wasSleptThrough(dueAt)) this.#timer = this.#runningFor(timeToReadMs);
      else this.#onOver();
    }, milliseconds);
  }
}
