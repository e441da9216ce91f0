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
    await desk.send({ row, says: 'same' });
    await desk.record(row, 'created', { record: 'deal_1' });
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
      expect(await ledger.lookup(service, [ledger.digest('same')])).toEqual(new Map());
      const later = await nextDesk();
      await later.send({ row: 2, says: 'same' });
      expect(later.id(2)).toBeGreaterThan(desk.id(2));
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

  it('An update keeps its place among those of its company, as long as it is in a run that stays', async () => {
    const kind = 'company-updates';
    const note = { state: 'already-loaded', message: null } as const;
    const first = await nextDesk();
    await first.send({ row: 2, kind });
    await first.record(2, 'updated');
    await first.run.end('ended');
    const second = await nextDesk();
    await second.send({ row: 3, kind });
    await second.record(3, 'updated');
    await second.register({ row: 2, kind, id: first.id(2), note });
    await second.run.end('ended');
    const third = await nextDesk();
    await third.register({ row: 3, kind, id: second.id(3), note });
    await third.run.end('ended');
    expect(await ledger.prune(days[2] ?? '')).toEqual({ runs: 0, rows: 0 });
    expect((await first.row(2))?.at.run).toBe(first.run.id);
    expect(await ledger.prune(muchLater)).toEqual({ runs: 3, rows: 2 });
  });

  it('A row that was sent and is open still has its first run, and so its Idempotency-Key, while a run that stays has it', async () => {
    const first = await nextDesk();
    await first.send({ row: 2 });
    await first.record(2, 'rejected');
    await first.register({ row: 3 });
    await first.run.end('ended');
    const second = await nextDesk();
    await second.register({ row: 2, id: first.id(2), note: { state: 'invalid', message: null } });
    await second.run.end('ended');
    expect(await ledger.prune(days[1] ?? '')).toEqual({ runs: 0, rows: 0 });
    expect((await first.row(2))?.firstRun).toBe(first.run.id);
    expect(await ledger.prune(muchLater)).toEqual({ runs: 2, rows: 2 });
  });

  describe('A row of a run that is pruned, and of another that stays', () => {
    let first: Desk;
    let second: Desk;

    beforeEach(async () => {
      first = await nextDesk();
      await createdIn(first, 2);
      second = await nextDesk();
      await second.register({
        row: 7,
        id: first.id(2),
        says: 'same',
        note: { state: 'already-loaded', message: null },
      });
      await second.run.end('ended');
      expect(await ledger.prune(days[1] ?? '')).toEqual({ runs: 1, rows: 0 });
    });

    it('is known from there, by its id, digest, record and place', async () => {
      const id = first.id(2);
      const row = (await ledger.lookupRows([id])).get(id);
      expect(row).toMatchObject({
        phase: 'committed',
        record: 'deal_1',
        at: { run: second.run.id, sheet: 'Deals', row: 7, sourceName: '2.xlsx' },
        origin: '2.xlsx',
      });
      const digest = ledger.digest('same');
      expect(await ledger.lookup(service, [digest])).toEqual(new Map([[digest, [{ row, isFirst: true }]]]));
      expect(await ledger.lookupRecords(service, [{ kind: 'deals', id: 'deal_1' }])).toEqual([row]);
      expect(await ledger.lookupPlaces([{ run: second.run.id, sheet: 'Deals', row: 7 }])).toMatchObject([{ row }]);
      expect(await ledger.lookupPlaces([{ run: first.run.id, sheet: 'Deals', row: 2 }])).toEqual([null]);
    });

    it('reads as before, and still counts among its equals', async () => {
      expect(await second.states()).toEqual(['already-loaded']);
      expect(await ledger.counts(second.run.id)).toEqual({ 'already-loaded': 1 });
      const third = await nextDesk();
      await third.register({ row: 2, says: 'same' });
      const intend = (equals: number) => third.run.intend([third.intent(2, { says: 'same', equals })]);
      expect((await intend(0)).size).toBe(0);
      await intend(1);
      expect(await third.phase(2)).toBe('sending');
    });

    it('is forgotten with the last run in which it stood', async () => {
      expect(await ledger.prune(muchLater)).toEqual({ runs: 1, rows: 1 });
      expect(await second.row(7)).toBeUndefined();
    });
  });

  describe('A row that an ended run sent for a stopped one', () => {
    it('is known to be in when the ended one is pruned, so that the stopped one does not send it again', async () => {
      const stopped = await nextDesk();
      await stopped.send({ row: 2 });
      await stopped.record(2, 'rejected');
      await stopped.run.end('stopped');
      const ended = await nextDesk();
      await ended.send({ row: 5, id: stopped.id(2) });
      await ended.record(5, 'created');
      await ended.run.end('ended');
      expect(await ledger.counts(stopped.run.id)).toEqual({ 'already-loaded': 1 });
      expect(await ledger.prune(muchLater)).toEqual({ runs: 1, rows: 0 });
      expect(await stopped.row(2)).toMatchObject({ phase: 'committed', at: { run: stopped.run.id, row: 2 } });
      expect(await ledger.counts(stopped.run.id)).toEqual({ 'already-loaded': 1 });
      const again = new Desk(ledger, await ledger.resume(stopped.run.id));
      await again.register({ row: 2, id: stopped.id(2) });
      expect((await again.run.intend([again.intent(2)])).size).toBe(0);
    });
  });
}
