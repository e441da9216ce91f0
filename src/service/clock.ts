/** Time as the service client sees it, so that a test can own it. Nothing here reads the date to decide anything. */

export interface Clock {
  /** Milliseconds since some fixed moment; never steps, whatever happens to the date. */
  now(): number;
  /** The date, in milliseconds since 1970; may be a year off. */
  date(): number;
  /** The answer cancels it. */
  after(milliseconds: number, action: () => void): () => void;
  random(): number;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  after: (milliseconds, action) => {
    const timer = setTimeout(action, timerMs(milliseconds));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** A timer takes 24 days at most; Node takes a longer time for a millisecond. */
export function timerMs(milliseconds: number): number {
  return Math.min(milliseconds, 2 ** 31 - 1);
}
