/** How long something took. */

export const millisecondsOfSecond = 1000;

/** @param began  as `performance.now` gave it */
export function secondsSince(began: number): number {
  return (performance.now() - began) / millisecondsOfSecond;
}

/** As a program is told of them: to the millisecond. */
export function rounded(seconds: number): number {
  return Math.round(seconds * millisecondsOfSecond) / millisecondsOfSecond;
}
