import { beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { anOutcome, Desk, type Place } from '../place.ts';

export function outcomes(place: Place): void {
  let ledger: Ledger;
  let desk: Desk;

  beforeEach(async () => {
    ledger = place.open();
    desk = await Desk.open(ledger);
  });

  describe('An outcome', () => {
    it('is kept when its promise resolves, with everything that a person needs', async () => {
      const other = place.open();
      await desk.send({ row: 2 });
      const told = {
        state: 'created',
        attempts: 3,
        record: 'deal_7',
        company: 'company_7',
        url: 'https://app.example.com/deals/7',
        message: { code: 'slow', params: { seconds: 3 } },
      } as const;
      expect(await desk.phase(2, other)).toBe('sending');
      await desk.record(2, 'created', told);
      const around = {
        sheet: 'Deals',
        row: 2,
        kind: 'deals',
        attempt: 1,
        id: desk.id(2),
        phase: 'committed',
        against: null,
        since: null,
      };
      expect(await desk.entries(other)).toEqual([{ ...around, ...told }]);
      const { record, company, url } = told;
      expect(await desk.row(2, other)).toMatchObject({ phase: 'committed', outcome: 'created', record, company, url });
    });

    it('is kept of every row, however many go out with one intent and come back at once', async () => {
      const rows = Array.from({ length: 4000 }, (_, at) => ({ row: at + 2 }));
      await desk.send(...rows);
      const answers = Array.from({ length: 40 }, (_, call) => rows.slice(call * 100, (call + 1) * 100));
      const recorded = answers.map((answer) =>
        desk.run.record(answer.map(({ row }) => anOutcome(desk.id(row), 'failed'))),
      );
      await Promise.all(recorded);
      expect(await ledger.counts(desk.run.id)).toEqual({ failed: rows.length });
    });

    it('is kept where its ledger is closed while the run ends', async () => {
      await desk.send({ row: 2 });
      const recorded = desk.record(2, 'created');
      const ended = desk.run.end('ended');
      await ledger.close();
      await Promise.all([recorded, ended]);
      const again = place.open();
      expect(await desk.phase(2, again)).toBe('committed');
      expect(await again.run(desk.run.id)).toMatchObject({ state: 'ended' });
    });

    it('is written for all rows that are on their way, also beside one that is not', async () => {
      await desk.send({ row: 2 }, { row: 3 });
      const recording = desk.run.record([desk.id(2), 99, desk.id(3)].map((id) => anOutcome(id, 'created')));
      await expect(recording).rejects.toThrow('not under way: 99');
      expect(await desk.states()).toEqual(['created', 'created']);
    });

    it('P16: of a row whose record another row has is a doubt, for one record is not two', async () => {
      await desk.send({ row: 2 }, { row: 3 }, { row: 4, kind: 'company-updates' }, { row: 5, kind: 'company-updates' });
      await desk.record(2, 'created', { record: 'deal_7' });
      const given = [3, 4, 5].map((row) =>
        anOutcome(desk.id(row), row === 3 ? 'created' : 'updated', { record: 'deal_7' }),
      );
      expect(await desk.run.record(given)).toEqual([desk.id(3)]);
      expect(await desk.states()).toEqual(['created', 'in-doubt', 'updated', 'updated']);
      const message = { code: 'id-given-twice', params: { id: 'deal_7' } };
      expect((await desk.entries())[1]).toMatchObject({ phase: 'in-doubt', record: null, message });
    });

    it('may hold any text that a service sends', async () => {
      const message = {
        code: 'refused',
        params: { status: 422, reason: 'a\0b — “ü” 💶 \' " \n ; DROP TABLE rows; --' },
      };
      await desk.send({ row: 2 });
      await desk.record(2, 'rejected', { message });
      expect(await desk.entries()).toMatchObject([{ message }]);
    });
  });

  describe('A note of why a row is not sent', () => {
    const message = { code: 'waits', params: {} };

    it('may stand from the beginning and be replaced, and is on the disk when its promise resolves', async () => {
      await desk.register({ row: 2, note: { state: 'waiting', message } });
      expect(await desk.entries(place.open())).toMatchObject([{ state: 'waiting', message, attempts: 0 }]);
      await desk.run.note([{ sheet: 'Deals', row: 2, state: 'not-sent', message: null }]);
      expect(await desk.entries(place.open())).toMatchObject([{ state: 'not-sent', message: null, attempts: 0 }]);
    });
  });
}
