/** The clock, backoff, and the waits that a service asks for. conversation.ts decides whether to retry. */
import type { IncomingHttpHeaders } from 'node:http';
import { headerOf } from './answer.ts';

export const mostAttempts = 5;
const firstBackoffMs = 500;
const longestBackoffMs = 30_000;
/** A refused connection costs nothing, so frequent retries find a returning service soon. */
export const longestReconnectMs = 5_000;

/** The wait after so many failures. Full jitter: random, up to a bound that doubles with each. */
export function backoffMs(failures: number, random: number): number {
  return random * Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failures - 1));
}

export interface SaidLimit {
  /** 429, or 503 with `Retry-After`. */
  readonly isRefusal: boolean;
  readonly retryAfterMs: number | null;
  /** The wait before another try. For a refusal it lasts until the limit resets, unless requests remain. */
  readonly askedMs: number | null;
  readonly remaining: number | null;
  readonly resetMs: number | null;
}

/** An HTTP date in any of its forms, or `2026-06-30T12:02:00Z`. `Date.parse` alone would accept `-5`. */
const isDate = /^(?:[a-z]{3}.*|\d{4}-\d\d-\d\dT)\d\d:\d\d:\d\d/i;
const seconds = /^(\d+(?:\.\d+)?)\s*(?:s|sec|seconds)?$/i;
/** Larger numbers are Unix times in seconds or milliseconds, not waits. */
const firstMoment = 1e9;
const firstMomentMs = 1e11;

/** Most services send no such header, and the rest is skipped. */
const anyOfLimit = /^retry-after$|rate-?limit/;
const resetNames = /^(?:x-)?rate-?limit-reset(?:-after)?$/;
const remainingNames = /^(?:x-)?rate-?limit-remaining$/;

export function limitSaidBy(status: number, headers: IncomingHttpHeaders, date: number): SaidLimit {
  if (!Object.keys(headers).some((name) => anyOfLimit.test(name)))
    return { isRefusal: status === 429, retryAfterMs: null, askedMs: null, remaining: null, resetMs: null };
  const retryAfter = retryAfterMs(headers, date);
  const isRefusal = status === 429 || (status === 503 && retryAfter !== null);
  const counts = textsOf(headers, remainingNames).flatMap((text) => (/^\d+$/.test(text) ? Number(text) : []));
  const remaining = counts.length === 0 ? null : Math.min(...counts);
  const resetMs = longestWait(headers, resetNames, date);
  // A limit with requests left is not the one that refused.
  const isUsedUp = isRefusal && resetMs !== null && (remaining ?? 0) === 0;
  const askedMs = isUsedUp ? Math.max(retryAfter ?? 0, resetMs) : retryAfter;
  return { isRefusal, retryAfterMs: retryAfter, askedMs, remaining, resetMs };
}

/** The longest of several waits counts. A date is relative to the answer's own `Date`, because the local clock may be wrong. */
export function retryAfterMs(headers: IncomingHttpHeaders, date: number): number | null {
  return longestWait(headers, /^retry-after$/, date);
}

function longestWait(headers: IncomingHttpHeaders, names: RegExp, date: number): number | null {
  const answered = Date.parse(headerOf(headers, 'date'));
  const now = Number.isNaN(answered) ? date : answered;
  const waits = textsOf(headers, names).flatMap((text) => waitOf(text, now) ?? []);
  return waits.length === 0 ? null : Math.max(...waits);
}

function textsOf(headers: IncomingHttpHeaders, names: RegExp): readonly string[] {
  return Object.entries(headers)
    .filter(([name]) => names.test(name))
    .flatMap(([, given]) => given ?? [])
    .flatMap((text) => (/^[\d.,\s]+$/.test(text) ? text.split(',') : [text]))
    .map((text) => text.trim());
}

function waitOf(text: string, now: number): number | null {
  const number = Number(seconds.exec(text)?.[1] ?? Number.NaN);
  if (number < firstMoment) return number * 1000;
  const written = isDate.test(text) ? Date.parse(text) : Number.NaN;
  const until = number >= firstMomentMs ? number : number >= firstMoment ? number * 1000 : written;
  return Number.isNaN(until) ? null : Math.max(0, until - now);
}

/** Time as the client sees it. Tests replace it. */
export interface Clock {
  /** Monotonic milliseconds since an arbitrary moment. */
  now(): number;
  /** Milliseconds since 1970, by the clock of this computer, which may be wrong. */
  date(): number;
  after(milliseconds: number, action: () => void): () => void;
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

/** Node fires a timer of more than 24 days after one millisecond. */
export function timerMs(milliseconds: number): number {
  return Math.min(milliseconds, 2 ** 31 - 1);
}
