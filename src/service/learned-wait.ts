/** How long a service refuses that does not say so: tried out by single requests, and remembered for the next time. */

const firstLearnedMs = 250;
const leastLearnedMs = 150;
/** The first try comes a little before the time that it took before, the others at growing distances after that. */
const firstTryShare = 0.7;
const firstTryJitter = 0.2;
const stepShare = 0.1;
const leastStepMs = 100;

export class LearnedWait {
  #waitMs = firstLearnedMs;
  #tries = 0;
  #isTold = false;

  /** The wait before the next try, in milliseconds. */
  next(random: number): number {
    this.#tries += 1;
    if (this.#tries === 1) return Math.round((firstTryShare + firstTryJitter * random) * this.#waitMs);
    const stepMs = Math.max(leastStepMs, stepShare * this.#waitMs) * 2 ** (this.#tries - 2);
    return Math.round(stepMs * (0.5 + random / 2));
  }

  /** The service says how long to wait: what it takes to get through then shows nothing. */
  isTold(): void {
    this.#isTold = true;
  }

  isThrough(waitedMs: number): void {
    if (!this.#isTold) this.#waitMs = Math.max(leastLearnedMs, waitedMs);
    this.#isTold = false;
    this.#tries = 0;
  }
}
