/** A limit of requests a second: a bucket that fills at the rate and holds one second's worth. */

const millisecondsInSecond = 1000;

/** Gives for each request the seconds that it has to wait, or 0 when it may pass. */
export function openRateLimit(ratePerSecond: number | null, clock: () => number): () => number {
  if (ratePerSecond === null) return () => 0;
  const capacity = Math.max(1, ratePerSecond);
  let level = capacity;
  let filledAt = clock();
  return () => {
    const now = clock();
    const passed = Math.max(0, now - filledAt) / millisecondsInSecond;
    level = Math.min(capacity, level + passed * ratePerSecond);
    filledAt = now;
    if (level >= 1) {
      level -= 1;
      return 0;
    }
    return Math.max(1, Math.ceil((1 - level) / ratePerSecond));
  };
}
