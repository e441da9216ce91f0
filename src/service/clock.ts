/** Time as the service client sees it, so that a test can own it. Nothing here reads the date to decide anything. */
import { timerMs } from './wire/sleep-watch.ts';

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
