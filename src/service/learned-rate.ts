/**
 * How many requests a second the service takes, learnt from what it refused. Nothing is known, and nothing is held
 * back, before the first refusal. The interface names no limit (service interface 8), nor how one would be counted: in
 * windows of a second or from a bucket that fills, either must be found.
 */

/** Accepted requests are counted over this time, in slices. */
const countedMs = 1_000;
const slices = 20;
const sliceMs = countedMs / slices;

/** A refusal takes at least so much off the rate, and at most a third: one count may be off by a whole window. */
const smallestCut = 0.97;
const largestCut = 2 / 3;
/** What of a counted rate is used: the rest covers the unevenness of the network. */
const shareUsed = 0.99;
const lowestRate = 0.5;

/** Two findings this near to each other are one and the same limit. */
const sameLimit = 0.08;
/** While the limit is searched: growth a second, after so long without a refusal. */
const searchGrowth = 0.1;
const searchHoldMs = 1_000;
/** Once it is found: a rare, slow look whether it has moved. Each look may cost a pause. */
const settledGrowth = 0.01;
const settledHoldMs = 30_000;
const longestHoldMs = 300_000;
/** Beyond this growth without a refusal the limit has moved, and is searched again. */
const moved = 1.1;

export class LearnedRate {
  /** A second; `null` while no refusal has been seen. */
  #base: number | null = null;
  #growsFrom = 0;
  #growth = searchGrowth;
  #timesFound = 0;
  #cutAt = Number.NEGATIVE_INFINITY;
  readonly #counts: number[] = new Array<number>(slices).fill(0);
  #slice = 0;

  /** Requests a second at this moment, or `null` for no known limit. */
  at(now: number): number | null {
    if (this.#base === null) return null;
    const seconds = (now - this.#growsFrom) / 1000;
    if (seconds <= 0) return this.#base;
    const grown = this.#base * (1 + this.#growth) ** seconds;
    if (this.#growth === searchGrowth || grown < this.#base * moved) return grown;
    this.#base = grown;
    this.#growth = searchGrowth;
    this.#growsFrom = now;
    this.#timesFound = 0;
    return grown;
  }

  /** Notes a request that the service took. */
  accepted(now: number): void {
    this.#turnTo(now);
    this.#counts[this.#slice % slices] = (this.#counts[this.#slice % slices] ?? 0) + 1;
  }

  /**
   * Notes a refusal. Requests that had left before the last cut tell nothing new.
   * @param resumesAt  when requests may leave again
   */
  refused(sentAt: number, now: number, resumesAt: number): void {
    if (sentAt < this.#cutAt) return;
    const before = this.at(now);
    this.#turnTo(now);
    const counted = (this.#counts.reduce((sum, count) => sum + count, 0) / countedMs) * 1000 * shareUsed;
    const rate = before === null ? counted : clamp(counted, before * largestCut, before * smallestCut);
    const isFound = this.#base !== null && Math.abs(rate - this.#base) <= this.#base * sameLimit;
    this.#timesFound = isFound ? this.#timesFound + 1 : 0;
    this.#base = Math.max(lowestRate, rate);
    this.#growth = isFound ? settledGrowth : searchGrowth;
    const hold = isFound ? Math.min(longestHoldMs, settledHoldMs * 2 ** (this.#timesFound - 1)) : searchHoldMs;
    this.#growsFrom = resumesAt + hold;
    this.#cutAt = Math.max(now, resumesAt);
  }

  #turnTo(now: number): void {
    const slice = Math.floor(now / sliceMs);
    const steps = Math.min(slices, slice - this.#slice);
    for (let step = 1; step <= steps; step += 1) this.#counts[(slice - steps + step) % slices] = 0;
    this.#slice = Math.max(this.#slice, slice);
  }
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value));
}
