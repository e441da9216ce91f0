/** Services that limit requests, each in its own way, in the time of a virtual clock; and a load into them. */

import { limiterOf } from '../../../src/service/limiter.ts';
import { limitSaidBy, type SaidLimit } from '../../../src/service/retry.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Takes a request at a moment, or says how many milliseconds to wait. */
export type ServiceLimit = (now: number) => 'taken' | number;

/** So many requests in each window; the windows stand at fixed times. */
export function windowLimit(size: number, windowMs = 1000, phaseMs = 370): ServiceLimit {
  let current = -1;
  let used = 0;
  return (now) => {
    const index = Math.floor((now + phaseMs) / windowMs);
    if (index !== current) {
      current = index;
      used = 0;
    }
    if (used >= size) return (index + 1) * windowMs - (now + phaseMs);
    used += 1;
    return 'taken';
  };
}

/** A bucket that fills evenly up to `capacity`, full at the start. */
export function bucketLimit(perSecond: number, capacity: number): ServiceLimit {
  let tokens = capacity;
  let filledAt = 0;
  return (now) => {
    tokens = Math.min(capacity, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (tokens < 1) return ((1 - tokens) / perSecond) * 1000;
    tokens -= 1;
    return 'taken';
  };
}

/** So many requests in any second that ends now. */
export function slidingLimit(perSecond: number): ServiceLimit {
  const taken: number[] = [];
  return (now) => {
    while (taken[0] !== undefined && taken[0] <= now - 1000) taken.shift();
    if (taken.length >= perSecond) return (taken[0] ?? now) + 1000 - now;
    taken.push(now);
    return 'taken';
  };
}

export const noLimit: ServiceLimit = () => 'taken';

/** A tenth more or less than this. */
export function about(clock: VirtualClock, milliseconds: number): () => number {
  return () => milliseconds * (0.9 + 0.2 * clock.random());
}

export interface SimulatedLoad {
  readonly clock: VirtualClock;
  readonly limit: ServiceLimit;
  readonly latencyMs: () => number;
  /** What a refusal says: seconds, a moment in seconds since 1970, each rounded up, as most services do; or nothing. */
  readonly says: 'nothing' | 'retry-after' | 'reset';
  /** What each answer that is no refusal says of the limit. */
  readonly stated?: (now: number) => Pick<SaidLimit, 'remaining' | 'resetMs'>;
  readonly concurrency: number;
  readonly rate: number | null;
  readonly rows: number;
}

const nothingStated = { remaining: null, resetMs: null };

/** Starts a load; what is counted goes up while the clock runs. */
export function startLoad(load: SimulatedLoad) {
  const { clock, limit, latencyMs, says, stated = () => nothingStated, concurrency, rate, rows } = load;
  const counts = { taken: 0, refused: 0, early: 0, inFlight: 0, endedAt: Number.POSITIVE_INFINITY, stopped: false };
  let earliest = 0;
  const limiter = limiterOf({ concurrency, rate, clock, tell() {} });
  const pass = (milliseconds: number) => new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
  const send = async (): Promise<void> => {
    for (let isFirst = true; ; isFirst = false) {
      const ticket = await limiter.ticket(isFirst);
      if (ticket === null || !limiter.mayLeave(ticket)) {
        if (ticket === null) return;
        limiter.release(ticket);
        continue;
      }
      if (clock.now() < earliest) counts.early += 1;
      counts.inFlight += 1;
      const way = latencyMs() / 2;
      await pass(way);
      const verdict = limit(clock.now());
      const told = stated(clock.now());
      const answeredAt = clock.date();
      await pass(way);
      counts.inFlight -= 1;
      if (verdict === 'taken') {
        counts.taken += 1;
        if (counts.taken === rows) counts.endedAt = clock.now();
        limiter.answered(ticket, 201, { ...limitSaidBy(201, {}, clock.date()), ...told });
        return;
      }
      counts.refused += 1;
      const headers = {
        nothing: {},
        'retry-after': { 'retry-after': String(Math.ceil(verdict / 1000)) },
        reset: { 'x-ratelimit-reset': String(Math.ceil((answeredAt + verdict) / 1000)) },
      }[says];
      const said = limitSaidBy(429, headers, clock.date());
      if (limiter.answered(ticket, 429, said) !== null) {
        counts.stopped = true;
        limiter.shut();
      }
      earliest = Math.max(earliest, clock.now() + (said.askedMs ?? 0));
    }
  };
  const produce = async (): Promise<void> => {
    for (let row = 0; row < rows; row += 1) {
      const leave = await limiter.slot();
      if (leave === null) return;
      void send().finally(leave);
    }
  };
  void produce();
  return counts;
}
