import { beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { Desk, type Place, service } from '../place.ts';

export function pruning(place: Place): void {
  const days = ['01', '02', '03', '04'].map((day) => `2026-11-${day}T09:00:00.000Z`);
  const muchLater = '2027-01-01T00:00:00.000Z';

  let ledger: Ledger;
  let day: number;

  beforeEach(() => {
    day = 0;
    ledger = place.open({ now: () => new Date(days[day] ?? muchLater) });
  });

  /** The next run, on the next day. */
  async function nextDesk(sourceName = `${day + 1}.xlsx`): Promise<Desk> {
    const desk = await Desk.open(ledger, { sourceName, origin: sourceName });
    day += 1;
    return desk;
  }

  async function createdIn(desk: Desk, row: number): Promise<void> {
    await desk.send({ row });
    await desk.record(row, 'created');
    await desk.run.end('ended');
  }

  describe('Pruning', () => {
    it('forgets ended runs that began before, and their rows guard no more', async () => {
      const desk = await nextDesk();
      await createdIn(desk, 2);
      expect(await ledger.prune(days[0] ?? '')).toEqual({ runs: 0, rows: 0 });
      expect(await ledger.prune(days[1] ?? '')).toEqual({ runs: 1, rows: 1 });
      expect([await ledger.run(desk.run.id), await desk.row(2)]).toEqual([null, undefined]);
      expect(await ledger.counts(desk.run.id)).toEqual({});
      expect(await ledger.lookup(service, [ledger.digest('row 2')])).toEqual(new Map());
      const later = await nextDesk();
      await later.send({ row: 2 });
      expect(later.id(2)).toBeGreaterThan(desk.id(2));
    });

    it('forgets nothing of a service while a load into it goes on', async () => {
      await createdIn(await nextDesk(), 2);
      const going = await nextDesk();
      expect(await ledger.prune(muchLater)).toEqual({ runs: 0, rows: 0 });
      await going.run.end('ended');
      expect(await ledger.prune(muchLater)).toEqual({ runs: 2, rows: 1 });
    });

    it('leaves nothing of them in the tables, nor what a person said of them', async () => {
      const desk = await nextDesk();
      await desk.send({ row: 2 });
      await desk.record(2, 'in-doubt');
      await desk.resolve(2, { created: 'deal_1' });
      await desk.run.end('ended');
      await ledger.prune(muchLater);
      for (const table of ['runs', 'sheets', 'rows', 'digests', 'appearances', 'resolutions'])
        expect(await place.read(`SELECT * FROM ${table}`)).toEqual([]);
    });

    it('keeps runs that are stopped, go on or have a row in doubt', async () => {
      const doubtful = await nextDesk();
      await doubtful.send({ row: 2 });
      await doubtful.record(2, 'in-doubt');
      await doubtful.run.end('ended');
      const noting = await nextDesk();
      await noting.register({ row: 5, id: doubtful.id(2), note: { state: 'in-doubt', message: null } });
      await noting.run.end('ended');
      const stopped = await nextDesk();
      await stopped.run.end('stopped');
      const going = await nextDesk();
      expect(await ledger.prune(muchLater)).toEqual({ runs: 0, rows: 0 });
      expect((await ledger.runs()).map(({ id }) => id)).toEqual(
        [going, stopped, noting, doubtful].map(({ run }) => run.id),
      );
    });
  });

  it('A run that has a row in common with one that stays, stays, as does one that has a row in common with it', async () => {
    const first = await nextDesk();
    await createdIn(first, 2);
    const second = await nextDesk();
    await second.register({ row: 7, id: first.id(2), note: { state: 'already-loaded', message: null } });
    await createdIn(second, 3);
    const third = await nextDesk();
    await createdIn(third, 4);
    const fourth = await nextDesk();
    await fourth.register({ row: 9, id: second.id(3), note: { state: 'already-loaded', message: null } });
    await fourth.run.end('ended');
    expect(await ledger.prune(days[3] ?? '')).toEqual({ runs: 1, rows: 1 });
    expect((await ledger.runs()).map(({ id }) => id)).toEqual([fourth, second, first].map(({ run }) => run.id));
    expect(await first.row(2)).toMatchObject({ phase: 'committed', at: { run: first.run.id }, firstRun: first.run.id });
    expect(await ledger.prune(muchLater)).toEqual({ runs: 3, rows: 2 });
    expect(await first.row(2)).toBeUndefined();
  });

  it('A row that an ended run sent for a stopped one is still in once the ended one is old', async () => {
    const stopped = await nextDesk();
    await stopped.send({ row: 2 });
    await stopped.record(2, 'rejected');
    await stopped.run.end('stopped');
    const ended = await nextDesk();
    await ended.send({ row: 5, id: stopped.id(2) });
    await ended.record(5, 'created');
    await ended.run.end('ended');
    expect(await ledger.prune(muchLater)).toEqual({ runs: 0, rows: 0 });
    expect(await ledger.counts(stopped.run.id)).toEqual({ 'already-loaded': 1 });
    const again = new Desk(ledger, await ledger.resume(stopped.run.id));
    await again.register({ row: 2, id: stopped.id(2) });
    expect((await again.run.intend([again.intent(2)])).size).toBe(0);
  });
}
