/** The circuit breaker: what stops a run early. It goes by the kinds of what happens. */
import type { Message } from '../messages/message.ts';
import { serviceMessage } from '../messages/service.ts';
import type { Clock } from './clock.ts';
import type { Outcome, StopReason, Tell } from './outcome.ts';
import { stopReason } from './stop-reasons.ts';

/** Answers in a row, from the first one on, that say the address is closed to this token. */
const closedAnswers = 5;
const doubtsInARow = 5;
const rejectionsInARow = 50;

interface BreakerOptions {
  readonly clock: Clock;
  /** For how long a service is tried again that has answered before and cannot be reached. */
  readonly patienceMs: number;
  readonly tell: Tell;
}

export class CircuitBreaker {
  readonly #options: BreakerOptions;
  #isReached = false;
  #lostAt: number | null = null;
  #onlyClosed = true;
  #closed = 0;
  #doubts = 0;
  #rejections = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Notes that the service has answered, whatever it said. */
  reached(): void {
    this.#isReached = true;
    this.#lostAt = null;
  }

  /**
   * Notes that no connection could be made. A service that has answered in this run may only be restarting.
   * @returns whether to try again for as long as it takes it to come back
   */
  unreached(fault: Message): boolean {
    const { clock, patienceMs, tell } = this.#options;
    if (!this.#isReached) return false;
    if (this.#lostAt === null) {
      this.#lostAt = clock.now();
      tell('onLost', { milliseconds: patienceMs, fault });
    }
    return clock.now() - this.#lostAt < patienceMs;
  }

  /**
   * Notes an answer to a request of the run.
   * @param isClosed  whether it said that the address is closed
   */
  answered(status: number, isClosed: boolean): StopReason | null {
    this.#onlyClosed &&= isClosed;
    if (this.#onlyClosed) this.#closed += 1;
    if (!this.#onlyClosed || this.#closed < closedAnswers) return null;
    return stopReason(serviceMessage('stopped-closed', { status, answers: closedAnswers }), 'check-access');
  }

  /** Notes what became of the rows of one request. A batch that is judged as one counts as one. */
  settled(all: readonly Outcome[]): StopReason | null {
    const isOne = all.every((outcome) => 'message' in outcome && outcome.state === all[0]?.state);
    const outcomes = isOne ? all.slice(0, 1) : all;
    this.#doubts = outcomes.some(({ state }) => state === 'in-doubt') ? this.#doubts + 1 : 0;
    if (this.#doubts >= doubtsInARow)
      return stopReason(serviceMessage('stopped-many-doubts', { requests: doubtsInARow }), 'look-up-doubts');
    for (const outcome of outcomes) {
      this.#rejections = outcome.state === 'rejected' ? this.#rejections + 1 : 0;
      if (outcome.state !== 'rejected' || this.#rejections < rejectionsInARow) continue;
      const message = serviceMessage('stopped-same-rejection', { rows: rejectionsInARow, refusal: outcome.message });
      return stopReason(message, 'correct-rows');
    }
    return null;
  }
}
