/** How long an answer asks to wait. */
import type { IncomingHttpHeaders } from 'node:http';
import { headerOf } from './answer.ts';

/** A wait beyond this is not waited for: the run stops, and is resumed later. */
export const longestWaitMs = 10 * 60_000;

/** `Tue, 30 Jun 2026 12:02:00 GMT` and its older forms; the parser alone would take `-5` for a date. */
const isDate = /^[a-z]{3}.*\d\d:\d\d:\d\d/i;
/** `120`, and `120s` as some write it. */
const seconds = /^(\d+(?:\.\d+)?)\s*(?:s|sec|seconds)?$/i;

/**
 * The wait of a `Retry-After` in milliseconds, or `null` when there is none that can be understood. Where it comes twice, as
 * of a service and of what stands in front of it, the longest is kept. A date counts from the answer's own `Date`, since the
 * clock of this computer may be a year off.
 * @param date  this computer's date, for an answer without one
 */
export function retryAfterMs(headers: IncomingHttpHeaders, date: number): number | null {
  const given: string | readonly string[] | undefined = headers['retry-after'];
  const texts = typeof given === 'string' ? [given] : (given ?? []);
  const answered = Date.parse(headerOf(headers, 'date'));
  const waits = texts
    .flatMap((text) => (/^[\d.,\s]+$/.test(text) ? text.split(',') : [text]))
    .flatMap((text) => waitOf(text.trim(), Number.isNaN(answered) ? date : answered) ?? []);
  return waits.length === 0 ? null : Math.max(...waits);
}

function waitOf(text: string, now: number): number | null {
  const [, number] = seconds.exec(text) ?? [];
  if (number !== undefined) return Number(number) * 1000;
  const until = isDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? null : Math.max(0, until - now);
}
