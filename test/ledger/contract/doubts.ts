import { beforeEach, describe, expect, it } from 'vitest';
import type { Ledger, Run } from '../../../src/ledger/ledger.ts';
import { Desk, type Place, type Said, service } from '../place.ts';

export function doubts(place: Place): void {
  const notCreated = { code: 'resolved-not-created' };
  const noDoubt = expect.objectContaining({ code: 'usage', message: 'The row is no longer in doubt.' }) as Error;

  let ledger: Ledger;
  let desk: Desk;

  beforeEach(async () => {
    ledger = place.open({ now: () => new Date('2026-11-20T09:00:00.000Z') });
    desk = await Desk.open(ledger);
  });

  async function inDoubt(...rows: readonly number[]): Promise<void> {
    for (const row of rows.length === 0 ? [2] : rows) {
      await desk.send({ row });
      await desk.record(row, 'in-doubt', { message: { code: 'lost', params: {} } });
    }
  }

  /** A later run that met the row in doubt, and noted it. */
  async function laterDesk(): Promise<Desk> {
    const later = await desk.next();
    await later.register({
      row: 7,
      id: desk.id(2),
      note: { state: 'in-doubt', message: { code: 'lost', params: {} } },
    });
    return later;
  }

  const maySendEqual = async (at: Desk): Promise<boolean> => {
    await at.register({ row: 9, says: 'row 2' });
    return (await at.run.intend([at.intent(9, { says: 'row 2' })])).size > 0;
  };

  describe('P12: A doubt that a person resolves', () => {
    it('as created is in, with its record, and guards on', async () => {
      await inDoubt();
      await desk.resolve(2, { created: 'deal_9' });
      expect(await desk.row(2)).toMatchObject({ phase: 'committed', outcome: 'created', record: 'deal_9' });
      expect(await desk.entries()).toMatchObject([{ state: 'created', record: 'deal_9', attempts: 1 }]);
      expect(await maySendEqual(desk)).toBe(false);
    });

    it('as not created may be sent again, and guards nothing', async () => {
      await inDoubt();
      await desk.resolve(2, 'not-created');
      expect(await desk.row(2)).toMatchObject({ phase: 'open', outcome: null, record: null });
      expect(await maySendEqual(desk)).toBe(true);
      await desk.run.intend([desk.intent(2, { equals: 1 })]);
      expect(await desk.row(2)).toMatchObject({ phase: 'sending', attempt: 2 });
    });

    it.each([
      { said: ['not-created', { created: 'deal_9' }], own: 'created', told: 'already-loaded', message: null },
      { said: [{ created: 'deal_9' }, 'not-created'], own: 'not-sent', told: 'not-sent', message: notCreated },
    ] as const)('as $said.1 is resolved in every run that noted it', async ({ said, own, told, message }) => {
      await inDoubt();
      const later = await laterDesk();
      for (const one of said) await desk.resolve(2, one);
      expect(await desk.entries()).toMatchObject([{ state: own, message }]);
      expect(await later.entries()).toMatchObject([{ state: told, message, id: desk.id(2) }]);
    });

    it('is noted with its person and time', async () => {
      await inDoubt();
      await desk.resolve(2, { created: 'deal_9' });
      const noted = { sheet: 'Deals', row: 2, created: 'deal_9', person: 'pat', at: '2026-11-20T09:00:00.000Z' };
      expect(await ledger.resolutionsOf(desk.run.id)).toEqual([noted]);
    });

    it('is known from then on where the row stood', async () => {
      await inDoubt();
      const at = { run: desk.run.id, sheet: 'Deals', row: 2 };
      expect(await ledger.lookupPlaces([at])).toMatchObject([{ attempt: 1, wasResolved: false }]);
      await desk.resolve(2, 'not-created');
      expect(await ledger.lookupPlaces([at])).toMatchObject([{ attempt: 1, wasResolved: true }]);
      await desk.run.intend([desk.intent(2)]);
      expect(await ledger.lookupPlaces([at])).toMatchObject([
        { attempt: 2, wasResolved: false, wasResolvedBefore: true },
      ]);
    });

    it('must be about the attempt that the person was shown', async () => {
      await inDoubt();
      await expect(desk.resolve(2, 'not-created', 2)).rejects.toThrow(noDoubt);
      await desk.resolve(2, 'not-created');
      await desk.run.intend([desk.intent(2)]);
      await desk.record(2, 'in-doubt');
      await expect(desk.resolve(2, { created: 'deal_9' }, 1)).rejects.toThrow(noDoubt);
      await desk.resolve(2, { created: 'deal_9' }, 2);
      expect(await desk.phase(2)).toBe('committed');
    });
  });

  describe('Doubts that a person resolves together', () => {
    const resolutions = (...rows: readonly number[]) =>
      rows.map((row) => ({ id: desk.id(row), attempt: 1, isCreated: false, record: null, person: 'pat' }));

    it('are resolved all or none', async () => {
      await inDoubt(2, 3);
      await desk.send({ row: 4 });
      await desk.record(4, 'created');
      await expect(ledger.resolve(resolutions(2, 3, 4))).rejects.toThrow(noDoubt);
      expect(await desk.states()).toEqual(['in-doubt', 'in-doubt', 'created']);
      const [first] = await ledger.lookupPlaces([{ run: desk.run.id, sheet: 'Deals', row: 2 }]);
      expect(first?.wasResolved).toBe(false);
      await ledger.resolve(resolutions(2, 3));
      expect(await desk.states()).toEqual(['not-sent', 'not-sent', 'created']);
    });
  });

  describe('A resolution that a person takes back', () => {
    it('may give another record, in every run that noted the doubt', async () => {
      await inDoubt();
      const later = await laterDesk();
      await desk.resolve(2, { created: 'deal_9' });
      await desk.resolve(2, { created: 'deal_10' });
      expect(await desk.entries()).toMatchObject([{ state: 'created', record: 'deal_10' }]);
      expect(await later.entries()).toMatchObject([{ state: 'already-loaded', record: 'deal_10' }]);
      const named = ['deal_9', 'deal_10'].map((id) => ({ kind: 'deals' as const, id }));
      expect(await ledger.lookupRecords(service, named)).toMatchObject([null, { record: 'deal_10' }]);
    });

    it('may be about an update that the service gave a record', async () => {
      await desk.send({ row: 2, kind: 'company-updates' });
      await desk.record(2, 'in-doubt', { record: 'company_7' });
      await desk.resolve(2, { created: 'company_8' });
      expect(await desk.row(2)).toMatchObject({ outcome: 'updated', record: 'company_7' });
      await desk.resolve(2, 'not-created');
      expect(await desk.row(2)).toMatchObject({ phase: 'open', outcome: null });
      for (const record of ['company_8', 'company_9']) {
        await desk.resolve(2, { created: record });
        expect(await desk.row(2)).toMatchObject({ outcome: 'updated', record });
      }
    });
  });

  describe('What is on its way when a run is left', () => {
    const rows: readonly Said[] = [{ row: 2 }, { row: 3 }, { row: 4, kind: 'company-updates' }];
    const left = [
      { state: 'created', phase: 'committed', message: null },
      { state: 'in-doubt', phase: 'in-doubt', message: { code: 'left-in-doubt' } },
      { state: 'in-doubt', phase: 'in-doubt', message: { code: 'left-to-repeat' } },
    ];

    it.each<[string, string, (run: Run) => Promise<unknown>]>([
      ['stopped', 'stopped', (run) => run.end('stopped')],
      ['ended', 'ended', (run) => run.end('ended')],
      ['closed without an end', 'stopped', () => ledger.close()],
    ])('%s is in doubt, and an update is to be sent again', async (_name, state, leave) => {
      await desk.send(...rows);
      await desk.record(2, 'created');
      await leave(desk.run);
      const again = place.open();
      expect(await desk.entries(again)).toMatchObject(left);
      expect((await again.run(desk.run.id))?.state).toBe(state);
      expect(await again.counts(desk.run.id)).toEqual({ created: 1, 'in-doubt': 2 });
      expect(await Promise.all([3, 4].map((row) => desk.row(row, again)))).toMatchObject([
        { isToRepeat: false },
        { isToRepeat: true },
      ]);
    });
  });
}
