/** How long an answer asks to wait. */
import type { IncomingHttpHeaders } from 'node:http';
import { headerOf } from './answer.ts';

/** A wait beyond this is not waited for: the run stops, and is resumed later. */
export const longestWaitMs = 10 * 60_000;

/** `Tue, 30 Jun 2026 12:02:00 GMT` and its older forms; the parser alone would take `-5` for a date. */
const isDate = /^[a-z]{3}.*\d\d:\d\d:\d\d/i;

/**
 * The wait of a `Retry-After` in milliseconds, or `null` when there is none that can be understood.
 * A date counts from the answer's own `Date`, since the clock of this computer may be a year off.
 * @param date  this computer's date, for an answer without one
 */
export function retryAfterMs(headers: IncomingHttpHeaders, date: number): number | null {
  const text = headerOf(headers, 'retry-after').trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const until = isDate.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return null;
  const answered = Date.parse(headerOf(headers, 'date'));
  return Number.isNaN(answered) ? Math.max(0, until - date) : Math.max(0, until - answered);
}
