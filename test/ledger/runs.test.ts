import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { aLoad, anIntent, anOutcome, newPlace, onlyOnce, type Place, service } from './place.ts';

let place: Place;
let ledger: Ledger;
let now: string;

beforeEach(() => {
  place = newPlace();
  now = '2026-11-20T09:00:00.000Z';
  ledger = place.open({ now: () => new Date(now) });
});
afterEach(() => place.remove());

async function endedRun(at: string, digest = 'aa'): Promise<string> {
  now = at;
  const run = ledger.beginRun(aLoad({ sourceDigest: digest }));
  await run.end('ended');
  return run.id;
}

describe('A run', () => {
  it('is named by its day, a count, and letters that no other ledger has', async () => {
    expect(await endedRun('2026-11-20T09:00:00.000Z')).toMatch(/^2026-11-20-01-[a-z]{4}$/);
    expect(await endedRun('2026-11-20T23:59:59.999Z')).toMatch(/^2026-11-20-02-[a-z]{4}$/);
    expect(await endedRun('2026-11-21T00:00:00.000Z')).toMatch(/^2026-11-21-01-[a-z]{4}$/);
    const elsewhere = newPlace();
    try {
      const run = elsewhere.open({ now: () => new Date('2026-11-20T09:00:00.000Z') }).beginRun(aLoad());
      expect(ledger.run(run.id)).toBeNull();
    } finally {
      elsewhere.remove();
    }
  });

  it('is remembered with all that was said of it', () => {
    const description = aLoad({ options: '{"sheet":"Deals"}' });
    const run = ledger.beginRun(description);
    expect(ledger.run(run.id)).toEqual({
      ...description,
      id: run.id,
      state: 'running',
      startedAt: now,
      endedAt: null,
    });
    expect(ledger.countsOf(run.id)).toEqual({});
    expect(run.startedAt).toBe(now);
  });

  it('that is not known is none', () => {
    expect(ledger.run('2020-01-01-01')).toBeNull();
    expect(() => ledger.resumeRun('2020-01-01-01')).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('takes nothing more when it is ended', async () => {
    const run = ledger.beginRun(aLoad());
    await run.end('ended');
    await expect(run.intend([anIntent(ledger, 2)], onlyOnce)).rejects.toThrow('is ended');
    await expect(run.end('ended')).rejects.toThrow('is ended');
  });

  it('leaves nothing on its way when it ends: in doubt, and updates to be sent again', async () => {
    const run = ledger.beginRun(aLoad());
    const update = anIntent(ledger, 4, { kind: 'company-updates' });
    await run.intend([anIntent(ledger, 2), anIntent(ledger, 3), update], onlyOnce);
    await run.settle([anOutcome(2, 'created')]);
    await run.end('stopped');
    expect([...ledger.entriesOfRun(run.id)].map(({ state }) => state)).toEqual(['created', 'in-doubt', 'not-sent']);
    expect(ledger.run(run.id)).toMatchObject({ state: 'stopped', endedAt: now });
  });

  it('is begun again under its own name, with its own beginning', async () => {
    const first = ledger.beginRun(aLoad());
    await first.intend([anIntent(ledger, 2)], onlyOnce);
    await first.end('stopped');
    now = '2026-12-01T00:00:00.000Z';
    const again = ledger.resumeRun(first.id);
    expect(again).toMatchObject({ id: first.id, startedAt: '2026-11-20T09:00:00.000Z' });
    expect(ledger.run(first.id)).toMatchObject({ state: 'running', endedAt: null });
    expect(ledger.countsOf(first.id)).toEqual({ 'in-doubt': 1 });
    await again.intend([anIntent(ledger, 3)], onlyOnce);
    await again.settle([anOutcome(3, 'created')]);
    await again.end('ended');
    expect(ledger.run(first.id)).toMatchObject({ state: 'ended' });
    expect(ledger.countsOf(first.id)).toEqual({ created: 1, 'in-doubt': 1 });
    expect(ledger.runs()).toHaveLength(1);
  });
});

describe('A clock that is wrong', () => {
  it('changes neither which run is the newest nor that each has its own name', async () => {
    const times = ['2026-11-20T09:00:00.000Z', '2027-11-20T09:00:00.000Z', '2025-01-01T00:00:00.000Z'];
    times.push('2026-11-20T08:00:00.000Z', '2026-11-20T08:00:00.000Z');
    const ids: string[] = [];
    for (const time of times) ids.push(await endedRun(time));
    expect(new Set(ids).size).toBe(times.length);
    expect(ledger.runs().map(({ id }) => id)).toEqual([...ids].reverse());
    expect(ledger.newestRunOf(service, 'aa')?.id).toMatch(/^2026-11-20-03-/);
  });

  it('does not change which of two ids of a ref is the newer', async () => {
    const ref = ledger.fingerprint('ref');
    for (const [time, id] of [
      ['2030-01-01T00:00:00.000Z', 'older'],
      ['2020-01-01T00:00:00.000Z', 'newer'],
    ] as const) {
      now = time;
      const run = ledger.beginRun(aLoad());
      await run.intend([anIntent(ledger, 2, { ref, fingerprint: ledger.fingerprint(id) })], onlyOnce);
      await run.settle([anOutcome(2, 'created', { id })]);
      await run.end('ended');
    }
    expect(ledger.idsOfRef(service, 'deals', ref).map(({ id }) => id)).toEqual(['newer', 'older']);
  });
});

describe('The newest run of a source', () => {
  it('is of that service and that content', async () => {
    await endedRun('2026-11-20T09:00:00.000Z', 'aa');
    const second = await endedRun('2026-11-20T10:00:00.000Z', 'aa');
    await endedRun('2026-11-20T11:00:00.000Z', 'bb');
    expect(ledger.newestRunOf(service, 'aa')?.id).toBe(second);
    expect(ledger.newestRunOf(service, 'cc')).toBeNull();
    expect(ledger.newestRunOf('https://other.example.com', 'aa')).toBeNull();
  });
});
