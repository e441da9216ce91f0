import { describe, expect, it } from 'vitest';
import {
  about,
  bucketLimiter,
  type Limiter,
  noLimiter,
  slidingLimiter,
  startRun,
  windowLimiter,
} from './limited-service.ts';
import { VirtualClock } from './virtual-clock.ts';

const workMs = 0.25;
/** Shares of refused requests count after this; the pace has settled well before the second moment. */
const firstSecondsMs = 10_000;
const settledMs = 30_000;
const endMs = 60_000;

async function run(
  limiter: Limiter,
  options: { latencyMs: number; retryAfter: 'none' | 'seconds'; rate?: number; seed?: number },
) {
  const clock = new VirtualClock(options.seed);
  const { counts } = startRun({
    clock,
    limiter,
    latencyMs: about(clock, options.latencyMs),
    workMs: () => workMs,
    retryAfter: options.retryAfter,
    concurrency: 32,
    rate: options.rate ?? null,
  });
  const at = async (time: number) => {
    await clock.runTo(time);
    return { ...counts };
  };
  return { first: await at(firstSecondsMs), settled: await at(settledMs), end: await at(endMs) };
}

describe('the pace against a service that allows so many requests a second, and does not say so', () => {
  const limiters: readonly (readonly [string, (rate: number) => Limiter])[] = [
    ['a window', (rate) => windowLimiter(rate)],
    ['a sliding window', (rate) => slidingLimiter(rate)],
    ['a bucket', (rate) => bucketLimiter(rate, rate)],
    ['a small bucket', (rate) => bucketLimiter(rate, Math.max(1, rate / 10))],
  ];
  const cases = [20, 100, 1000].flatMap((rate) =>
    limiters.flatMap(([name, make]) =>
      (['none', 'seconds'] as const).map((retryAfter) => ({ rate, name, make, retryAfter })),
    ),
  );

  it.each(cases)(
    'settles at 95 % of $rate or more, with at most 2 % refused ($name, Retry-After: $retryAfter)',
    async ({ rate, make, retryAfter }) => {
      for (const seed of rate === 1000 ? [1] : [1, 2, 3, 4, 5, 6]) {
        const { first, settled, end } = await run(make(rate), { latencyMs: 1, retryAfter, seed });
        const perSecond = (end.taken - settled.taken) / ((endMs - settledMs) / 1000);
        expect(perSecond / rate, `seed ${seed}`).toBeGreaterThanOrEqual(0.95);
        const refused = end.refused - first.refused;
        expect(refused / (refused + end.taken - first.taken), `seed ${seed}`).toBeLessThanOrEqual(0.02);
      }
    },
  );
});

describe('the pace against a service that refuses one request and no other', () => {
  it.each([
    { nth: 3, retryAfter: 'none' },
    { nth: 3, retryAfter: 'seconds' },
    { nth: 30, retryAfter: 'none' },
    { nth: 30, retryAfter: 'seconds' },
  ] as const)(
    'takes this for no limit: three seconds later it is at its ceiling (request $nth, Retry-After: $retryAfter)',
    async ({ nth, retryAfter }) => {
      const clock = new VirtualClock();
      let requests = 0;
      const refusesOne: Limiter = () => {
        requests += 1;
        return requests === nth ? 1 : 'taken';
      };
      const run = { limiter: refusesOne, latencyMs: about(clock, 50), workMs: () => workMs, retryAfter };
      const { counts } = startRun({ ...run, clock, concurrency: 32, rate: null });
      await clock.runTo(4000);
      const before = counts.taken;
      await clock.runTo(5000);
      expect(counts.refused).toBe(1);
      expect(counts.taken - before).toBeGreaterThan(0.9 * (32 / 0.05));
    },
  );
});

describe('the pace against a service that takes everything', () => {
  it('finds the ceiling by itself: 95 % of the ideal at 50 ms and 32 in flight', async () => {
    const { first } = await run(noLimiter, { latencyMs: 50, retryAfter: 'none' });
    const ideal = (32 * firstSecondsMs) / 50;
    expect(first.taken / ideal).toBeGreaterThan(0.9);
    const { settled, end } = await run(noLimiter, { latencyMs: 50, retryAfter: 'none' });
    expect((end.taken - settled.taken) / ((32 * (endMs - settledMs)) / 50)).toBeGreaterThan(0.95);
  });

  it('keeps the rate that a person sets', async () => {
    const { settled, end } = await run(noLimiter, { latencyMs: 5, retryAfter: 'none', rate: 50 });
    const perSecond = (end.taken - settled.taken) / ((endMs - settledMs) / 1000);
    expect(perSecond).toBeLessThanOrEqual(50);
    expect(perSecond).toBeGreaterThan(47);
  });
});
