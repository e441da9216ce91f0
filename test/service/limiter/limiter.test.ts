import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limiterOf, longestWaitMs } from '../../../src/service/limiter.ts';
import { limitSaidBy } from '../../../src/service/retry.ts';
import {
  about,
  bucketLimit,
  noLimit,
  type ServiceLimit,
  type SimulatedLoad,
  slidingLimit,
  startLoad,
  windowLimit,
} from './limited-service.ts';
import { VirtualClock } from './virtual-clock.ts';

const ceiling = 32;
const endless = Number.POSITIVE_INFINITY;

function start(clock: VirtualClock, latencyMs: number, changes: Partial<SimulatedLoad>) {
  const usual = { limit: noLimit, says: 'nothing', concurrency: ceiling, rate: null, rows: endless } as const;
  return startLoad({ clock, latencyMs: about(clock, latencyMs), ...usual, ...changes });
}

describe('a service that keeps up', () => {
  it.each([5, 50, 500])('has the ceiling in flight within three round trips of %i ms', async (latencyMs) => {
    const clock = new VirtualClock();
    const counts = start(clock, latencyMs, {});
    // Each of these round trips takes a tenth more at most.
    await clock.runTo(3 * 1.1 * latencyMs);
    expect(counts.inFlight).toBe(ceiling);
    await clock.runTo(20 * latencyMs);
    expect(counts.inFlight).toBe(ceiling);
  });

  it('has no more requests a second than a person sets', async () => {
    const clock = new VirtualClock();
    const counts = start(clock, 5, { rate: 50 });
    await clock.runTo(20_000);
    expect(counts.taken).toBeLessThanOrEqual(50 * 20 + 1);
    expect(counts.taken).toBeGreaterThan(47 * 20);
  });

  it('gets no more at once for rows that only wait for the rate', async () => {
    const clock = new VirtualClock();
    const told: unknown[] = [];
    const limiter = limiterOf({ concurrency: ceiling, rate: 10, clock, tell: (...of) => told.push(of) });
    const send = async () => {
      const leave = await limiter.slot();
      const ticket = await limiter.ticket(true);
      if (ticket !== null) limiter.answered(ticket, 201, limitSaidBy(201, {}, clock.date()));
      leave?.();
    };
    for (let row = 0; row < ceiling; row += 1) void send();
    await clock.runTo(1_000);
    expect(told).toEqual([]);
  });

  it.each(['nothing', 'retry-after'] as const)('is at its ceiling soon after a single refusal (%s)', async (says) => {
    const clock = new VirtualClock();
    let requests = 0;
    const limit: ServiceLimit = () => (++requests === 30 ? 1 : 'taken');
    const counts = start(clock, 50, { limit, says });
    await clock.runTo(4_000);
    expect(counts).toMatchObject({ refused: 1, inFlight: ceiling });
  });
});

describe('a service that allows so many requests a second', () => {
  const limits: readonly (readonly [string, (rate: number) => ServiceLimit])[] = [
    ['a window', (rate) => windowLimit(rate)],
    ['a sliding window', (rate) => slidingLimit(rate)],
    ['a bucket', (rate) => bucketLimit(rate, rate)],
    ['a small bucket', (rate) => bucketLimit(rate, Math.max(1, rate / 10))],
  ];
  it.each([20, 200].flatMap((rate) => limits.map(([name, make]) => ({ rate, name, make }))))(
    'is used to more than half, though it says nothing ($rate, $name)',
    async ({ rate, make }) => {
      for (const seed of [1, 2]) {
        const clock = new VirtualClock(seed);
        const counts = start(clock, 10, { limit: make(rate) });
        await clock.runTo(20_000);
        expect(counts.taken / (20 * rate), `seed ${seed}`).toBeGreaterThan(0.5);
      }
    },
  );
});

describe('P28: a service with a window of any length', () => {
  it.each(['nothing', 'retry-after', 'reset'] as const)(
    'takes every row in a time near the shortest, and no request before it said (says %s)',
    async (says) => {
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            seconds: fc.integer({ min: 1, max: 60 }),
            size: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 300 })),
            windows: fc.integer({ min: 1, max: 6 }),
            latencyMs: fc.integer({ min: 1, max: 300 }),
            phase: fc.double({ min: 0, max: 1, noNaN: true }),
            seed: fc.integer({ min: 1, max: 1e6 }),
          }),
          async ({ seconds, size, windows, latencyMs, phase, seed }) => {
            const clock = new VirtualClock(seed);
            const windowMs = seconds * 1000;
            const rows = size * windows;
            const limit = windowLimit(size, windowMs, phase * windowMs);
            const counts = start(clock, latencyMs, { limit, says, rows });
            const idealMs = (windows - 1) * windowMs + Math.ceil(rows / ceiling) * latencyMs;
            // The first window may be about to end, and seconds are rounded up.
            await clock.runTo(3 * idealMs + windowMs + 10 * latencyMs);
            const told = `${rows} rows, ${idealMs} ideal, ${JSON.stringify(counts)}`;
            expect(counts.taken, told).toBe(rows);
            expect(counts.early).toBe(0);
            expect(counts.refused, told).toBeLessThan(2 * rows + 20 * windows);
          },
        ),
        { numRuns: 100 },
      );
    },
  );

  it('is left alone as soon as it says that nothing is left', async () => {
    const clock = new VirtualClock();
    const [size, windowMs] = [100, 10_000];
    const limit = windowLimit(size, windowMs, 0);
    let window = 0;
    let used = 0;
    const counted: ServiceLimit = (now) => {
      used = Math.floor(now / windowMs) === window ? used + 1 : 1;
      window = Math.floor(now / windowMs);
      return limit(now);
    };
    const stated = (now: number) => ({ remaining: Math.max(0, size - used), resetMs: windowMs - (now % windowMs) });
    const counts = start(clock, 50, { limit: counted, stated });
    await clock.runTo(10 * windowMs);
    expect(counts.refused).toBeLessThan(20);
    expect(counts.taken).toBeGreaterThan(0.6 * 10 * size);
  });

  it('is not waited for for ever', async () => {
    const clock = new VirtualClock();
    const counts = start(clock, 50, { limit: () => 1 });
    await clock.runTo(longestWaitMs + 60_000);
    expect(counts).toMatchObject({ taken: 0, stopped: true });
    expect(counts.refused).toBeLessThan(40);
  });

  it('is waited for anew once requests have got through, also after a probe that met an overloaded service', async () => {
    const clock = new VirtualClock();
    const limiter = limiterOf({ concurrency: 1, rate: null, clock, tell() {} });
    const answer = async (status: number, askedMs = 0) => {
      const ticket = await limiter.ticket(true);
      const said = limitSaidBy(status, askedMs === 0 ? {} : { 'retry-after': `${askedMs / 1000}` }, clock.date());
      const stopped = ticket && limiter.answered(ticket, status, said);
      await clock.runTo(clock.now() + askedMs);
      return stopped;
    };
    for (const [status, askedMs] of [[429, longestWaitMs], [503], [201], [201], [429, 1000]] as const)
      expect(await answer(status, askedMs)).toBeNull();
  });
});
