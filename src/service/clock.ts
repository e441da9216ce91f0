/** Time as the service client sees it, so that a test can own it. Nothing here reads the date to decide anything. */

export interface Clock {
  /** Milliseconds since some fixed moment; never steps, whatever happens to the date. */
  now(): number;
  /** The date, in milliseconds since 1970; may be a year off. */
  date(): number;
  /** Calls `action` once after so many milliseconds; the answer cancels it. */
  after(milliseconds: number, action: () => void): () => void;
  /** A number from 0 up to, and without, 1. */
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

/** The time, or the longest that a timer takes (24 days), for Node takes a longer one for a millisecond. */
export function timerMs(milliseconds: number): number {
  return Math.min(milliseconds, 2 ** 31 - 1);
}
