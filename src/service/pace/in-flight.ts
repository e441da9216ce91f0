/**
 * How many requests may be in flight: twice as many, step by step, while the service answers more of them for it; a third
 * fewer when it refuses, and once it has refused twice within a while, one more in each round trip.
 * Its one rule: a step is judged by the answers just before it alone. Answers of other requests, or of another hour, may take
 * many times as long: those to a health check, to rows that are refused, to files of any size.
 */
import { aloneMs } from './learned-rate.ts';

const firstInFlight = 4;
/** What is left of the number after a refusal. */
const afterRefusal = 2 / 3;
/** Twice as many requests that take this many times as long are still a quarter more answers. */
const slowFactor = 1.6;
/** Answers within this are no sign that the service has too much to do. */
const quickMs = 20;
/** So many answers at least tell how long they take at a number: a few alone would stop every third step by chance. */
const leastAnswers = 8;
/** A step that brought no more answers is tried again after so long: the service may have had a bad moment. */
const nextTryMs = 1_000;

export class InFlight {
  readonly #ceiling: number;
  #number: number;
  /** Whether refusals come one after another: one by itself is no sign of a limit. */
  #isLimited = false;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #cutAt = Number.NEGATIVE_INFINITY;
  /** The number before the last step and how long answers took then, until the step is judged. */
  #before: { readonly number: number; readonly latencyMs: number } | null = null;
  #stepsFrom = Number.NEGATIVE_INFINITY;
  /** Of requests that left since the number is what it is. */
  #since = Number.NEGATIVE_INFINITY;
  #answers = 0;
  #latencyMs = 0;

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
    if (!isFull || sentAt < this.#since) return;
    if (this.#isLimited) {
      this.#number = Math.min(this.#ceiling, this.#number + 1 / this.#number);
      return;
    }
    this.#answers += 1;
    this.#latencyMs += now - sentAt;
    if (this.#answers >= Math.max(leastAnswers, this.limit)) this.#judge(now, this.#latencyMs / this.#answers);
  }

  /** Notes a refusal. Requests that had left before the last cut tell nothing new. */
  refused(sentAt: number, now: number): void {
    this.#isLimited ||= now - this.#refusedAt <= aloneMs;
    this.#refusedAt = now;
    if (sentAt <= this.#cutAt) return;
    this.#cutAt = now;
    this.#before = null;
    this.#set(Math.max(1, this.#number * afterRefusal), now);
  }

  #judge(now: number, latencyMs: number): void {
    const before = this.#before;
    this.#before = null;
    if (before !== null && latencyMs > Math.max(quickMs, slowFactor * before.latencyMs)) {
      this.#stepsFrom = now + nextTryMs;
      this.#set(before.number, now);
    } else if (now >= this.#stepsFrom && this.#number < this.#ceiling) {
      this.#before = { number: this.#number, latencyMs };
      this.#set(Math.min(this.#ceiling, 2 * this.#number), now);
    } else this.#set(this.#number, now);
  }

  #set(number: number, now: number): void {
    this.#number = number;
    this.#since = now;
    this.#answers = 0;
    this.#latencyMs = 0;
  }
}
