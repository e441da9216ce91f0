import { describe, expect, it } from 'vitest';
import { about, noLimiter, startRun, widelySpread } from './limited-service.ts';
import { VirtualClock } from './virtual-clock.ts';

const ceiling = 32;
const littleWorkMs = 0.25;
/** Within a few seconds. */
const foundMs = 3_000;
const laterMs = 13_000;

type TimeOf = (clock: VirtualClock) => () => number;

/** A run of rows without end: how many requests are in flight after a few seconds, and what is taken in the ten after them. */
async function run(latency: TimeOf, work: TimeOf = () => () => littleWorkMs) {
  const clock = new VirtualClock();
  const { counts, inFlight } = startRun({
    clock,
    limiter: noLimiter,
    latencyMs: latency(clock),
    workMs: work(clock),
    retryAfter: 'none',
    concurrency: ceiling,
    rate: null,
  });
  await clock.runTo(foundMs);
  const found = { inFlight: inFlight(), taken: counts.taken };
  await clock.runTo(laterMs);
  return { found, perSecond: (counts.taken - found.taken) / ((laterMs - foundMs) / 1000), inFlight: inFlight() };
}

describe('the pace against a service that could do more at a time', () => {
  it('finds the ceiling where its answers take some long and some short', async () => {
    const { found } = await run((clock) => widelySpread(clock, 50));
    expect(found.inFlight).toBe(ceiling);
  });

  it('finds the ceiling though one answer came at once, as to a health check or to a row that is refused', async () => {
    const { found } = await run((clock) => {
      const usual = about(clock, 100);
      let answers = 0;
      return () => (answers++ === 0 ? 2 : usual());
    });
    expect(found.inFlight).toBe(ceiling);
  });

  it('finds the ceiling though every fifth answer comes at once', async () => {
    const { found } = await run((clock) => {
      const usual = about(clock, 100);
      let answers = 0;
      return () => (answers++ % 5 === 0 ? 2 : usual());
    });
    expect(found.inFlight).toBe(ceiling);
  });

  it('stays there when rows come that take longer', async () => {
    const { inFlight, perSecond } = await run((clock) => {
      const [short, long] = [about(clock, 20), about(clock, 200)];
      return () => (clock.now() < foundMs ? short() : long());
    });
    expect(inFlight).toBe(ceiling);
    expect(perSecond).toBeGreaterThan(0.9 * (ceiling / 0.2));
  });

  it('goes up where rows that take longer come before it is found', async () => {
    const { inFlight } = await run((clock) => {
      const [short, long] = [about(clock, 30), about(clock, 300)];
      return () => (clock.now() < 90 ? short() : long());
    });
    expect(inFlight).toBe(ceiling);
  });

  it('goes on after a bad moment, also where connections take longer than answers', async () => {
    const { inFlight } = await run((clock) => {
      const [usual, bad] = [about(clock, 80), about(clock, 800)];
      const isBad = () => clock.now() > 300 && clock.now() < 800;
      return overConnections(clock, () => (isBad() ? bad() : usual()), 160);
    });
    expect(inFlight).toBe(ceiling);
  });
});

/** A request for which no connection is left open, and there since less than a second, waits until there is one. */
function overConnections(clock: VirtualClock, answer: () => number, connectMs: number): () => number {
  const freeSince: number[] = [];
  return () => {
    const now = clock.now();
    const open = freeSince.findIndex((since) => since <= now && now - since < 1_000);
    const time = answer() + (open < 0 ? connectMs : 0);
    freeSince.splice(open < 0 ? freeSince.length : open, open < 0 ? 0 : 1, now + time + littleWorkMs);
    return time;
  };
}

describe('the pace against a service that does no more for more requests at a time', () => {
  const tenMs = () => () => 10;
  const mostPerSecond = 100;

  it('leaves them be: as many are taken with a few in flight', async () => {
    const { found, perSecond, inFlight } = await run((clock) => about(clock, 50), tenMs);
    expect(found.inFlight).toBeLessThanOrEqual(ceiling / 2);
    expect(inFlight).toBeLessThanOrEqual(ceiling / 2);
    expect(perSecond).toBeGreaterThan(0.95 * mostPerSecond);
  });

  it('goes up once the service can do more', async () => {
    const work: TimeOf = (clock) => () => (clock.now() < foundMs ? 10 : littleWorkMs);
    const { found, inFlight } = await run((clock) => about(clock, 50), work);
    expect(found.inFlight).toBeLessThanOrEqual(ceiling / 2);
    expect(inFlight).toBe(ceiling);
  });
});
