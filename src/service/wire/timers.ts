/** How long a timer can be: Node takes a longer one for one of a millisecond, and every answer would come too late for it. */
const longestTimerMs = 2 ** 31 - 1;

/** The time, or the longest that a timer takes (24 days): nobody waits for that. */
export function timerMs(milliseconds: number): number {
  return Math.min(milliseconds, longestTimerMs);
}
