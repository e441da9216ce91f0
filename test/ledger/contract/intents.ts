import { beforeEach, describe, expect, it } from 'vitest';
import type { Intent, Ledger } from '../../../src/ledger/ledger.ts';
import { Desk, type Place } from '../place.ts';

export function intents(place: Place): void {
  let ledger: Ledger;
  let desk: Desk;

  beforeEach(async () => {
    ledger = place.open();
    desk = await Desk.open(ledger);
  });

  /** The rows whose intents are not written. */
  async function refusedOf(at: Desk, ...intents: readonly Intent[]): Promise<readonly number[]> {
    const written = await at.run.intend(intents);
    return intents.flatMap(({ id, row }) => (written.has(id) ? [] : [row]));
  }

  describe('An intent', () => {
    it('is kept when its promise resolves, whoever looks', async () => {
      const other = place.open();
      await desk.register({ row: 2 });
      expect(await desk.phase(2, other)).toBe('open');
      await desk.run.intend([desk.intent(2)]);
      expect(await desk.phase(2, other)).toBe('sending');
      expect(await desk.row(2, other)).toMatchObject({ attempt: 1, outcome: null, at: { row: 2, run: desk.run.id } });
    });

    it('does not hold up others of the same commit when it is refused', async () => {
      await desk.send({ row: 2 });
      await desk.register({ row: 3 }, { row: 4 });
      const each = await Promise.all([3, 2, 4].map((row) => refusedOf(desk, desk.intent(row))));
      expect(each).toEqual([[], [2], []]);
      expect([await desk.phase(3), await desk.phase(4)]).toEqual(['sending', 'sending']);
    });

    it('of several rows is written for those that may be sent', async () => {
      await desk.send({ row: 3 }, { row: 4 });
      await desk.register({ row: 5 }, { row: 6 });
      const intents = [desk.intent(5), desk.intent(6, { says: 'row 3' }), desk.intent(4), desk.intent(99)];
      expect(await refusedOf(desk, ...intents)).toEqual([6, 4, 99]);
      expect([await desk.phase(5), await desk.phase(6)]).toEqual(['sending', 'open']);
    });
  });

  describe('An intent of a row that says the same as another', () => {
    it.each([
      ['on its way', null, [3]],
      ['in doubt', 'in-doubt', [3]],
      ['in', 'created', [3]],
      ['accepted', 'accepted', [3]],
      ['rejected', 'rejected', []],
      ['failed', 'failed', []],
      ['not sent', 'not-sent', []],
    ] as const)('that is %s is refused or written, in whatever run', async (_name, state, refused) => {
      await desk.send({ row: 2, says: 'same' });
      if (state !== null) await desk.record(2, state);
      await desk.register({ row: 3, says: 'same' });
      expect(await refusedOf(desk, desk.intent(3, { says: 'same' }))).toEqual(refused);
      if (state === null || refused.length === 0) return;
      const later = await desk.next();
      await later.register({ row: 3, says: 'same' });
      expect(await refusedOf(later, later.intent(3, { says: 'same' }))).toEqual(refused);
    });

    it('is written when as many of them as are live were known of, and no more', async () => {
      for (let row = 2; row < 6; row += 1) {
        await desk.register({ row, says: 'same' });
        const intend = (equals: number) => refusedOf(desk, desk.intent(row, { says: 'same', equals }));
        if (row > 2) expect(await intend(row - 3)).toEqual([row]);
        expect(await intend(row - 2)).toEqual([]);
        if (row % 2 === 0) await desk.record(row, 'created');
      }
    });
  });
}
