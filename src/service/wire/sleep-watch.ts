/**
 * Notices that the process did not run for a while, as after Ctrl-Z: the service may have closed every connection meanwhile, also
 * one whose answer is only read now. A computer that sleeps stops the clock as well on most systems, and is not noticed.
 */

const betweenLooksMs = 500;
/** A busy process is late by less. */
const leastSleepMs = 1_000;

/** Whether a timer rings so late that it was slept through. */
export function wasSleptThrough(dueAt: number): boolean {
  return performance.now() - dueAt > leastSleepMs;
}

export class SleepWatch {
  readonly #onWake: () => void;
  readonly #timer: NodeJS.Timeout;
  #dueAt = performance.now() + betweenLooksMs;

  /** @param onWake  told once after each sleep, at the first look */
  constructor(onWake: () => void) {
    this.#onWake = onWake;
    this.#timer = setInterval(() => this.#look(true), betweenLooksMs).unref();
  }

  /** To be called before a connection is used: what came in during a sleep is read before any timer rings. */
  look(): void {
    this.#look(false);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(hasRung: boolean): void {
    const hasSlept = wasSleptThrough(this.#dueAt);
    if (hasRung || hasSlept) this.#dueAt = performance.now() + betweenLooksMs;
    if (hasSlept) this.#onWake();
  }
}
