/** Services that limit requests, each in its own way, in the time of a virtual clock; and a run against them. */
import { Pace } from '../../../src/service/pace/pace.ts';
import { backoffMs } from '../../../src/service/pace/retries.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Takes a request at a moment, or says how many milliseconds to wait. */
export type Limiter = (now: number) => 'taken' | number;

/** So many requests in each window; the windows stand at fixed times. */
export function windowLimiter(perSecond: number, windowMs = 1000, phaseMs = 370): Limiter {
  const size = (perSecond * windowMs) / 1000;
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
export function bucketLimiter(perSecond: number, capacity: number): Limiter {
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
export function slidingLimiter(perSecond: number): Limiter {
  const taken: number[] = [];
  return (now) => {
    while (taken[0] !== undefined && taken[0] <= now - 1000) taken.shift();
    if (taken.length >= perSecond) return (taken[0] ?? now) + 1000 - now;
    taken.push(now);
    return 'taken';
  };
}

export const noLimiter: Limiter = () => 'taken';

/** A tenth more or less than this. */
export function about(clock: VirtualClock, milliseconds: number): () => number {
  return () => milliseconds * (0.9 + 0.2 * clock.random());
}

/** As services answer: half of the answers within the median, some in a fifth of it, and a few in five times as much. */
export function widelySpread(clock: VirtualClock, medianMs: number): () => number {
  const logarithmicSpread = 0.7;
  const normal = () => Math.sqrt(-2 * Math.log(1 - clock.random())) * Math.cos(2 * Math.PI * clock.random());
  return () => medianMs * Math.exp(logarithmicSpread * normal());
}

export interface SimulatedRun {
  readonly clock: VirtualClock;
  readonly limiter: Limiter;
  /** What the next request takes besides the work on it. */
  readonly latencyMs: () => number;
  /** What one request keeps the service's only worker busy for. */
  readonly workMs: () => number;
  /** `seconds`: whole seconds, rounded up, as most services do. */
  readonly retryAfter: 'none' | 'seconds';
  readonly concurrency: number;
  readonly rate: number | null;
}

export interface Counts {
  taken: number;
  refused: number;
}

/** Starts a run that never ends; `counts` go up while the clock runs. */
export function startRun({ clock, limiter, latencyMs, workMs, retryAfter, concurrency, rate }: SimulatedRun): {
  counts: Counts;
  inFlight: () => number;
} {
  const counts: Counts = { taken: 0, refused: 0 };
  let inFlight = 0;
  let workerFreeAt = 0;
  const pace = new Pace({ concurrency, rate, clock, onPace() {} });
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void clock.after(milliseconds, resolve));

  const request = async (leave: () => void): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      while (!pace.isOpen) await pace.turn();
      const sentAt = clock.now();
      inFlight += 1;
      const way = latencyMs() / 2;
      await pause(way);
      workerFreeAt = Math.max(workerFreeAt, clock.now()) + workMs();
      await pause(workerFreeAt - clock.now());
      const verdict = limiter(clock.now());
      await pause(way);
      inFlight -= 1;
      if (verdict === 'taken') {
        counts.taken += 1;
        pace.answered(sentAt);
        return leave();
      }
      counts.refused += 1;
      pace.refused(sentAt, retryAfter === 'none' ? null : Math.ceil(verdict / 1000) * 1000);
      if (retryAfter === 'none') await pause(backoffMs(tries, clock.random()));
      await pace.turn();
    }
  };
  const produce = async (): Promise<void> => {
    for (;;) {
      const leave = await pace.enter();
      await pace.turn();
      void request(leave);
    }
  };
  void produce();
  return { counts, inFlight: () => inFlight };
}
