/** Moments as answers and pages show them. */

/** Milliseconds since 1970 as an ISO text in UTC. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}
