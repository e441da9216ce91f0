/** Durations in seconds. */

export const millisecondsOfSecond = 1000;

/** @param began  from `performance.now` */
export function secondsSince(began: number): number {
  return (performance.now() - began) / millisecondsOfSecond;
}

/** To the millisecond, for programs to read. */
export function rounded(seconds: number): number {
  return Math.round(seconds * millisecondsOfSecond) / millisecondsOfSecond;
}
