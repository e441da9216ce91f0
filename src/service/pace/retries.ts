/** How often and after which wait a request is sent again. */

/** Requests for one row, the first included. */
export const mostAttempts = 5;
const firstBackoffMs = 500;
const longestBackoffMs = 30_000;
/** A connection that is refused costs nobody anything: a service that comes back is soon met again. */
export const longestReconnectMs = 5_000;

/**
 * Full jitter: anything up to a bound that doubles each time.
 * @param failures  how often the request has failed so far, from 1
 * @param random  from 0 up to, and without, 1
 */
export function backoffMs(failures: number, random: number): number {
  return random * Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failures - 1));
}

/** How many requests may be sent again in a whole run. */
export class RetryBudget {
  #left: number;

  constructor(retries: number) {
    this.#left = retries;
  }

  /** Takes one retry; `false` when none is left. */
  take(): boolean {
    if (this.#left <= 0) return false;
    this.#left -= 1;
    return true;
  }
}
