import { beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { aLoad, Desk, otherService, type Place, service } from '../place.ts';

export function entries(place: Place): void {
  let ledger: Ledger;
  let desk: Desk;

  beforeEach(async () => {
    ledger = place.open();
    desk = await Desk.open(ledger);
  });

  const note = { state: 'left-out', message: { code: 'no', params: {} } } as const;

  describe('Entries of a run', () => {
    const manyRows = 1203;

    it('come sheet by sheet, a page at a time, in the order of their rows', async () => {
      const rows = Array.from({ length: manyRows }, (_, at) => ({ row: ((at * 7) % manyRows) + 2 }));
      await desk.send(...rows);
      await desk.record(700, 'created');
      await desk.register({ row: 5, sheet: 'Notes', kind: 'notes' });
      const { id } = desk.run;
      expect(await ledger.sheets(id)).toEqual(['Deals', 'Notes']);
      const pages: number[][] = [];
      for (let after = 0; ; after = pages.at(-1)?.at(-1) ?? 0) {
        const page = await ledger.entries(id, 'Deals', after, 500);
        if (page.length === 0) break;
        pages.push(page.map(({ row }) => row));
      }
      expect(pages.map(({ length }) => length)).toEqual([500, 500, 203]);
      expect(pages.flat()).toEqual(rows.map(({ row }) => row).sort((a, b) => a - b));
      expect(await ledger.entries(id, 'Notes', 0, 500)).toMatchObject([{ sheet: 'Notes', row: 5, kind: 'notes' }]);
      expect(await ledger.counts(id)).toEqual({ created: 1, 'not-sent': 1, sending: manyRows - 1 });
    });

    it('are none for a sheet or a run that is not known', async () => {
      expect(await ledger.entries(desk.run.id, 'Nothing', 0, 10)).toEqual([]);
      expect(await ledger.entries('2020-01-01-01', 'Deals', 0, 10)).toEqual([]);
      expect(await ledger.sheets('2020-01-01-01')).toEqual([]);
      expect(await ledger.counts('2020-01-01-01')).toEqual({});
    });

    it('are counted over all sheets, however many there are', async () => {
      const [many, rows] = [16_385, (count: number) => Array.from({ length: count }, (_, at) => ({ row: 2 * at + 2 }))];
      await desk.register(...rows(many).map((row) => ({ ...row, note: { state: 'invalid' as const, message: null } })));
      await desk.register(...rows(3).map((row) => ({ ...row, sheet: 'More' })));
      expect(await ledger.counts(desk.run.id)).toEqual({ invalid: many, 'not-sent': 3 });
    });

    it('tell what was registered again in place of what stood there before, and of the same row alone', async () => {
      await desk.register({ row: 2, note });
      await desk.register({ row: 2, id: desk.id(2), note: { ...note, state: 'waiting' } });
      expect(await desk.states()).toEqual(['waiting']);
      const first = desk.id(2);
      await desk.register({ row: 2, note });
      expect(await desk.entries()).toMatchObject([{ id: first, state: 'waiting' }]);
    });
  });

  describe('What a run tells of a row that a later run sent again', () => {
    const refused = { message: { code: 'refused', params: {} } };
    let later: Desk;

    beforeEach(async () => {
      await desk.send({ row: 2 });
      await desk.record(2, 'rejected', { attempts: 2, ...refused });
      later = await desk.next();
      await later.send({ row: 8, id: desk.id(2), says: 'corrected' });
    });

    it('stays as it was while that one is under way, or when it is rejected too', async () => {
      const [before] = await desk.entries();
      expect(before).toMatchObject({ state: 'rejected', phase: 'sending', since: null, ...refused });
      await later.record(8, 'rejected', { message: { code: 'closed', params: {} } });
      expect(await desk.entries()).toEqual([{ ...before, phase: 'open' }]);
      expect(await ledger.counts(desk.run.id)).toEqual({ rejected: 1 });
      expect(await ledger.counts(later.run.id)).toEqual({ rejected: 1 });
    });

    it('names the run by which it is in since, and counts it as already loaded', async () => {
      await later.record(8, 'created', { record: 'deal_8' });
      expect(await desk.row(2)).toMatchObject({ origin: 'month.csv', at: { run: later.run.id, row: 8 } });
      expect(await desk.entries()).toMatchObject([
        { state: 'rejected', phase: 'committed', since: later.run.id, record: 'deal_8', ...refused },
      ]);
      expect(await later.entries()).toMatchObject([{ state: 'created', since: null, row: 8 }]);
      expect(await ledger.counts(desk.run.id)).toEqual({ 'already-loaded': 1 });
      expect(await ledger.counts(later.run.id)).toEqual({ created: 1 });
    });

    it('stays invalid where its ID cell contradicts the ledger, and for no other reason', async () => {
      const invalid = (code: string) => ({ state: 'invalid', message: { code, params: {} } }) as const;
      const codes = ['ids-differ', 'attachment-file', 'id-of-row-not-in'];
      await later.register(...codes.map((code, at) => ({ row: 10 + at, says: code, note: invalid(code) })));
      const last = await later.next();
      await last.send(...codes.map((says, at) => ({ row: 10 + at, id: later.id(10 + at), says })));
      for (const [at] of codes.entries()) await last.record(10 + at, 'created', { record: `deal_${at}` });
      const sinces = (await later.entries()).slice(1).map(({ state, since }) => [state, since]);
      expect(sinces).toEqual([null, last.run.id, last.run.id].map((since) => ['invalid', since]));
      expect(await ledger.counts(later.run.id)).toEqual({ 'in-doubt': 1, invalid: 1, 'already-loaded': 2 });
    });
  });

  describe('Rows that are looked up by a digest', () => {
    const found = async (of: string, ...texts: readonly string[]) => {
      const candidates = await ledger.lookup(
        of,
        texts.map((text) => ledger.digest(text)),
      );
      const named = [...candidates].map(([digest, rows]) => {
        const text = texts.find((one) => ledger.digest(one) === digest) ?? '';
        return [text, rows.map(({ id, isFirst }) => [id, isFirst])] as const;
      });
      return Object.fromEntries(named);
    };

    it('are found by all that they ever said, and by what else they are known by', async () => {
      await desk.register({ row: 2, says: 'first', digests: [ledger.digest('ref 7')] });
      await desk.run.intend([desk.intent(2, { says: 'second' })]);
      const only = (isFirst: boolean) => [[desk.id(2), isFirst]];
      expect(await found(service, 'first', 'second', 'ref 7', 'ref 8')).toEqual({
        first: only(true),
        second: only(false),
        'ref 7': only(false),
      });
    });

    it('are all that had it, the oldest first', async () => {
      await desk.register({ row: 2, says: 'same' }, { row: 3, says: 'same' });
      const later = await desk.next();
      await later.register({ row: 9, digests: [ledger.digest('same')] });
      const ids = [
        [desk.id(2), true],
        [desk.id(3), true],
        [later.id(9), false],
      ];
      expect(await found(service, 'same')).toEqual({ same: ids });
    });

    it('get more digests while they are open, and none once they may be in', async () => {
      await desk.register({ row: 2, says: 'first' });
      await desk.register({ row: 2, says: 'second', id: desk.id(2) });
      await desk.run.intend([desk.intent(2, { says: 'second' })]);
      await desk.register({ row: 2, says: 'third', id: desk.id(2) });
      expect(Object.keys(await found(service, 'first', 'second', 'third'))).toEqual(['first', 'second']);
    });

    it('are those of one service', async () => {
      await desk.register({ row: 2, says: 'same' });
      expect(await found(otherService, 'same')).toEqual({});
      const elsewhere = await Desk.open(ledger, { service: otherService });
      await elsewhere.register({ row: 2, says: 'same' });
      expect(await found(otherService, 'same')).toEqual({ same: [[elsewhere.id(2), true]] });
      expect(await found(service, 'same')).toEqual({ same: [[desk.id(2), true]] });
    });
  });

  describe('Rows that are looked up', () => {
    it('by their ids come with what is known of them', async () => {
      await desk.register({ row: 2 });
      const id = desk.id(2);
      const rows = await ledger.lookupRows([id, 99]);
      expect([...rows.keys()]).toEqual([id]);
      const { startedAt } = (await ledger.run(desk.run.id)) ?? {};
      expect(rows.get(id)).toEqual({
        id,
        kind: 'deals',
        phase: 'open',
        outcome: null,
        attempt: 0,
        record: null,
        company: null,
        url: null,
        content: ledger.digest('row 2'),
        fields: null,
        at: {
          run: desk.run.id,
          sheet: 'Deals',
          row: 2,
          sourceName: 'deals.xlsx',
          startedAt,
          endedAt: null,
          order: [1, 2],
        },
        origin: 'month.csv',
        firstRun: desk.run.id,
        runs: [desk.run.id],
        repeats: null,
        corrects: null,
        ref: null,
        isToRepeat: false,
      });
    });

    it('by their places come in the order of these', async () => {
      await desk.register({ row: 2 }, { row: 3 });
      const runNumber = (await ledger.run(desk.run.id))?.number;
      const at = (row: number, sheet = 'Deals', run = desk.run.id) => ({ run, sheet, row });
      const asked = [at(3), at(99), at(2), at(2, 'Nothing'), at(2, 'Deals', '2020-01-01-01')];
      const known = { attempt: 0, wasResolved: false, service, runNumber };
      const [three, two] = [desk.id(3), desk.id(2)].map((id) => ({ row: { id }, ...known }));
      expect(await ledger.lookupPlaces(asked)).toMatchObject([three, null, two, null, null]);
    });

    it('by their records are of one kind and one service', async () => {
      await desk.send({ row: 2 });
      await desk.record(2, 'created', { record: 'x' });
      const ids = async (of: string, kind: 'deals' | 'companies') => {
        const rows = await ledger.lookupRecords(of, [
          { kind, id: 'y' },
          { kind, id: 'x' },
        ]);
        return rows.map((row) => row?.id ?? null);
      };
      expect(await ids(service, 'deals')).toEqual([null, desk.id(2)]);
      expect(await ids(service, 'companies')).toEqual([null, null]);
      expect(await ids(otherService, 'deals')).toEqual([null, null]);
      await ledger.begin(aLoad({ service: otherService }));
      expect(await ids(otherService, 'deals')).toEqual([null, null]);
    });

    it('are known to have been in every run that registered them', async () => {
      await desk.register({ row: 2 }, { row: 3 });
      const second = await desk.next();
      await second.register({ row: 2, id: desk.id(2) }, { row: 9 });
      const rows = await ledger.lookupRows([desk.id(2), desk.id(3), second.id(9)]);
      const [one, other] = [desk.run.id, second.run.id];
      expect([...rows.values()].map(({ runs }) => [...runs].sort())).toEqual([[one, other].sort(), [one], [other]]);
    });

    it('by those beside which they stood are what was in there last, while anything stands there', async () => {
      await desk.send({ row: 2 }, { row: 3 });
      await desk.record(2, 'created');
      await desk.record(3, 'created');
      const beside = async (step: number) => (await ledger.lookupBeside([[desk.id(2), step]]))[0]?.id ?? null;
      expect([await beside(1), await beside(0), await beside(2)]).toEqual([desk.id(3), desk.id(2), null]);
      const second = await desk.next();
      await second.register({ row: 5, id: desk.id(2) }, { row: 6, corrects: desk.id(3) });
      expect((await second.row(6))?.corrects).toBe(desk.id(3));
      expect(await beside(1)).toBe(desk.id(3));
      await (await second.next()).register({ row: 5, id: desk.id(2) });
      expect(await beside(1)).toBeNull();
    });
  });
}
