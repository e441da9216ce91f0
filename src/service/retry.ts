/** What is sent again, how often and after which wait. Whether that is safe at all is for the call: see its conversation. */

/** Requests for one row, the first included. */
export const mostAttempts = 5;
const firstBackoffMs = 500;
const longestBackoffMs = 30_000;
/** A connection that is refused costs nobody anything: a service that comes back is soon met again. */
export const longestReconnectMs = 5_000;

/** What a failure counts against: the attempts of its row, and the retries of the run. */
const counted = {
  /** 429: the limiter waits as long as it takes. */
  limited: { inRow: false, inRun: false },
  /** 503 with Retry-After: the limiter waits, but a service that says nothing else is broken. */
  busy: { inRow: false, inRun: true },
  /** An answer or a broken connection after which the request is repeated. */
  failed: { inRow: true, inRun: true },
  /** No connection could be made. */
  unreached: { inRow: true, inRun: false },
} as const;
export type Failure = keyof typeof counted;

/** How many requests may still be sent again in a whole run. */
export interface RetryBudget {
  left: number;
}

/** The failures of one call. */
export class Retries {
  readonly #budget: RetryBudget;
  #failures = 0;

  constructor(budget: RetryBudget) {
    this.#budget = budget;
  }

  /** Whether one more failure of the call would be its last. */
  get isLastTry(): boolean {
    return this.#failures + 1 >= mostAttempts;
  }

  /** @returns whether to try again, or what does not allow it */
  after(failure: Failure): 'again' | 'row-spent' | 'run-spent' {
    const { inRow, inRun } = counted[failure];
    if (inRow) this.#failures += 1;
    if (inRow && this.#failures >= mostAttempts) return 'row-spent';
    if (!inRun) return 'again';
    if (this.#budget.left <= 0) return 'run-spent';
    this.#budget.left -= 1;
    return 'again';
  }

  /** Full jitter: anything up to a bound that doubles with each failure. */
  backoffMs(random: number): number {
    return random * Math.min(longestBackoffMs, firstBackoffMs * 2 ** (this.#failures - 1));
  }
}
