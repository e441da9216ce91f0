import { beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { aLoad, anOutcome, Desk, newPlace, type Place } from '../place.ts';

export function runs(place: Place): void {
  let ledger: Ledger;
  let now: string;

  beforeEach(() => {
    now = '2026-11-20T09:00:00.000Z';
    ledger = place.open({ now: () => new Date(now) });
  });

  async function endedRun(at: string): Promise<string> {
    now = at;
    const run = await ledger.begin(aLoad());
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
        const run = await elsewhere.open({ now: () => new Date('2026-11-20T09:00:00.000Z') }).begin(aLoad());
        expect(await ledger.run(run.id)).toBeNull();
      } finally {
        await elsewhere.remove();
      }
    });

    it('is remembered with all that was said of it, and where it went on', async () => {
      const description = aLoad({ options: '{"sheet":"Deals"}' });
      const run = await ledger.begin(description);
      expect(await ledger.run(run.id)).toEqual({
        ...description,
        id: run.id,
        number: 1,
        state: 'running',
        host: expect.stringMatching(/./) as string,
        startedAt: now,
        endedAt: null,
      });
      expect(await ledger.counts(run.id)).toEqual({});
    });

    it('that is not known is none', async () => {
      expect(await ledger.run('2020-01-01-01')).toBeNull();
      await expect(ledger.resume('2020-01-01-01')).rejects.toMatchObject({ code: 'usage' });
    });

    it('takes nothing more when it is ended', async () => {
      const desk = await Desk.open(ledger);
      await desk.send({ row: 2 });
      await desk.run.end('ended');
      const { run } = desk;
      const steps: readonly (() => Promise<unknown>)[] = [
        () => desk.register({ row: 3 }),
        () => run.intend([desk.intent(2)]),
        () => run.record([anOutcome(desk.id(2), 'created')]),
        () => desk.note(2, 'not-sent'),
        () => run.end('ended'),
      ];
      for (const step of steps) await expect(step()).rejects.toThrow('is ended');
    });

    it('is ended once what was written before is, in its order', async () => {
      const desk = await Desk.open(ledger);
      await desk.register({ row: 2 });
      await desk.run.intend([desk.intent(2)]);
      const written = [desk.record(2, 'created'), desk.run.end('ended')];
      await Promise.all(written);
      expect(await desk.states()).toEqual(['created']);
      expect(await ledger.run(desk.run.id)).toMatchObject({ state: 'ended', endedAt: now });
    });

    it('is resumed under its own name, with its own beginning and with what it knows', async () => {
      const first = await Desk.open(ledger);
      await first.send({ row: 2 });
      await first.run.end('stopped');
      expect(await ledger.run(first.run.id)).toMatchObject({ state: 'stopped', endedAt: now });
      now = '2026-12-01T00:00:00.000Z';
      const again = new Desk(ledger, await ledger.resume(first.run.id));
      expect(again.run.id).toBe(first.run.id);
      const began = '2026-11-20T09:00:00.000Z';
      expect(await ledger.run(first.run.id)).toMatchObject({ state: 'running', startedAt: began, endedAt: null });
      await again.send({ row: 3 });
      await again.record(3, 'created');
      await again.run.end('ended');
      expect(await ledger.counts(first.run.id)).toEqual({ created: 1, 'in-doubt': 1 });
      const places = { sourcePath: '/done/deals.xlsx', resultsPath: '/done/deals.results.xlsx' };
      await ledger.moved(first.run.id, places);
      expect(await ledger.runs()).toMatchObject([{ id: first.run.id, state: 'ended', ...places }]);
    });
  });

  describe('A clock that is wrong', () => {
    it('changes neither which run is the newest nor that each has its own name', async () => {
      const times = ['2026-11-20T09:00:00.000Z', '2027-11-20T09:00:00.000Z', '2025-01-01T00:00:00.000Z'];
      times.push('2026-11-20T08:00:00.000Z', '2026-11-20T08:00:00.000Z');
      const ids: string[] = [];
      for (const time of times) ids.push(await endedRun(time));
      expect(new Set(ids).size).toBe(times.length);
      const runs = await ledger.runs();
      expect(runs.map(({ id }) => id)).toEqual([...ids].reverse());
      expect(runs.map(({ number }) => number)).toEqual([5, 4, 3, 2, 1]);
      expect(ids.at(-1)).toMatch(/^2026-11-20-03-/);
    });

    it('does not change where a row was sent last', async () => {
      now = '2030-01-01T00:00:00.000Z';
      const first = await Desk.open(ledger);
      await first.send({ row: 9 });
      await first.record(9, 'rejected');
      const before = await first.row(9);
      now = '2020-01-01T00:00:00.000Z';
      const second = await first.next();
      await second.send({ row: 2, id: first.id(9) });
      const after = await second.row(2);
      expect([before?.at.order, after?.at.order]).toEqual([
        [1, 9],
        [2, 2],
      ]);
      expect(after?.at).toMatchObject({ run: second.run.id, startedAt: now });
    });
  });

  describe('A ledger that was closed too early', () => {
    it.each<[string, (ledger: Ledger) => Promise<unknown>]>([
      ['a run to begin', (ledger) => ledger.begin(aLoad())],
      ['its runs', (ledger) => ledger.runs()],
      ['rows', (ledger) => ledger.lookupRows([1])],
      ['the entries of a run', (ledger) => ledger.entries('2026-06-01-01-abcd', 'Deals', 0, 1)],
      ['what is to be resolved', (ledger) => ledger.resolve([])],
      ['what is to be forgotten', (ledger) => ledger.prune(now)],
      ['a backup', (ledger) => ledger.backUp(place.folder)],
    ])('says so in place of ending the process, asked for %s', async (_name, ask) => {
      await ledger.close();
      const message = `The ledger ${place.path} was closed while a load still needed it.`;
      await expect(ask(ledger)).rejects.toMatchObject({ code: 'usage', message });
    });

    it('has written what waited, and its runs take nothing more', async () => {
      const desk = await Desk.open(ledger);
      await desk.register({ row: 2 });
      const intending = desk.run.intend([desk.intent(2)]);
      await ledger.close();
      await intending;
      await expect(desk.run.intend([desk.intent(2)])).rejects.toThrow('is ended');
      const again = place.open();
      expect(await desk.phase(2, again)).toBe('in-doubt');
      await again.close();
      await again.close();
    });
  });
}
