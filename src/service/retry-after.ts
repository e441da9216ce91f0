/** How long an answer asks to wait. */
import type { IncomingHttpHeaders } from 'node:http';
import { headerOf } from './answer.ts';

/** A wait beyond this is not waited for: the run stops, and is resumed later. */
export const longestWaitMs = 10 * 60_000;

/**
 * The wait of a `Retry-After` in milliseconds, or `null` when there is none that can be understood.
 * A date counts from the answer's own `Date`, since the clock of this computer may be a year off.
 * @param date  this computer's date, for an answer without one
 */
export function retryAfterMs(headers: IncomingHttpHeaders, date: number): number | null {
  const text = headerOf(headers, 'retry-after').trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  if (text === '' || Number.isNaN(until)) return null;
  const answered = Date.parse(headerOf(headers, 'date'));
  // The header counts whole seconds, and the answer may have been made at the end of one.
  return Number.isNaN(answered) ? Math.max(0, until - date) : Math.max(0, until - answered);
}
