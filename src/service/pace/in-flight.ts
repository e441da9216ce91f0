/**
 * How many requests may be in flight: doubled in each round trip while the service keeps up, then one more in each; a
 * third fewer when it refuses.
 */

const firstInFlight = 4;
/** What is left of the number after a refusal. */
const afterRefusal = 2 / 3;
/** An answer that takes this many times the best, and this much longer, says that the service no longer keeps up. */
const slowFactor = 2;
const slowMs = 20;
/** The best answer time is forgotten after so long: a service may become slower for good. */
const bestLastsMs = 60_000;

export class InFlight {
  readonly #ceiling: number;
  #number: number;
  #doubling = true;
  #roundBegan = 0;
  #roundLatency = 0;
  #roundAnswers = 0;
  #keepsUp = true;
  #best = Number.POSITIVE_INFINITY;
  #nextBest = Number.POSITIVE_INFINITY;
  #bestSince = 0;
  #cutAt = Number.NEGATIVE_INFINITY;

  /** @param ceiling  the most requests in flight, at least 1 */
  constructor(ceiling: number) {
    this.#ceiling = ceiling;
    this.#number = Math.min(firstInFlight, ceiling);
  }

  /** A whole number from 1 to the ceiling. */
  get limit(): number {
    return Math.floor(this.#number);
  }

  /**
   * Notes an answer that was no refusal.
   * @param isFull  whether more would be in flight if the number were higher; else its height has not been tried
   */
  answered(sentAt: number, now: number, isFull: boolean): void {
    this.#noteLatency(sentAt, now);
    if (!isFull || !this.#keepsUp) return;
    this.#number = Math.min(this.#ceiling, this.#number + (this.#doubling ? 1 : 1 / this.#number));
  }

  /** Notes a refusal. Requests that had left before the last cut tell nothing new. */
  refused(sentAt: number, now: number): void {
    if (sentAt <= this.#cutAt) return;
    this.#cutAt = now;
    this.#doubling = false;
    this.#number = Math.max(1, this.#number * afterRefusal);
  }

  #noteLatency(sentAt: number, now: number): void {
    const latency = now - sentAt;
    if (now - this.#bestSince > bestLastsMs) {
      this.#best = this.#nextBest;
      this.#nextBest = Number.POSITIVE_INFINITY;
      this.#bestSince = now;
    }
    this.#best = Math.min(this.#best, latency);
    this.#nextBest = Math.min(this.#nextBest, latency);
    this.#roundLatency += latency;
    this.#roundAnswers += 1;
    if (sentAt < this.#roundBegan) return;
    const mean = this.#roundLatency / this.#roundAnswers;
    this.#keepsUp = mean <= Math.max(this.#best * slowFactor, this.#best + slowMs);
    if (!this.#keepsUp) this.#doubling = false;
    this.#roundBegan = now;
    this.#roundLatency = 0;
    this.#roundAnswers = 0;
  }
}
