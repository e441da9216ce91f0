/**
 * Whether a service that cannot be reached is still waited for. One that has answered in this run is perhaps only started anew, and
 * is tried for as long as it may be silent; one that never did is not.
 */
import type { Clock } from '../pace/clock.ts';
import type { ServiceEvents } from './events.ts';

export class Reach {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #events: Pick<ServiceEvents, 'onLost'>;
  #hasAnswered = false;
  #lostAt: number | null = null;

  constructor(clock: Clock, patienceMs: number, events: Pick<ServiceEvents, 'onLost'>) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    this.#events = events;
  }

  answered(): void {
    this.#hasAnswered = true;
    this.#lostAt = null;
  }

  /**
   * No connection could be made.
   *
   * @param reason  why, in a whole sentence
   * @returns whether it is worth another try
   */
  failed(reason: string): boolean {
    if (!this.#hasAnswered) return false;
    if (this.#lostAt === null) {
      this.#lostAt = this.#clock.now();
      this.#events.onLost({ milliseconds: this.#patienceMs, reason });
    }
    return this.#clock.now() - this.#lostAt < this.#patienceMs;
  }
}
