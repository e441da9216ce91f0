import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/ledger/ledger-database.ts';
import { reopenRows } from '../../src/ledger/row-writes.ts';
import { SqliteStore } from '../../src/ledger/sqlite-store.ts';
import { contract } from './contract/contract.ts';
import { Desk, newPlace, placeForEachTest } from './place.ts';

describe('A ledger in a file', () => contract(newPlace, 60));

describe('An intent in a file', () => {
  const place = placeForEachTest();
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.open(place.open());
  });

  const commits = async () => (await place.read('SELECT count FROM commits'))[0]?.[0] as number;

  it('shares one commit with all that come while it waits', async () => {
    await desk.register({ row: 2 }, { row: 3 }, { row: 4 });
    const before = await commits();
    await Promise.all([2, 3, 4].map((row) => desk.run.intend([desk.intent(row)])));
    expect((await commits()) - before).toBe(1);
  });

  it.each([
    ['deals', 'open, for it was not sent', 'open'],
    ['company-updates', 'on its way, for one before it may have been applied', 'sending'],
  ] as const)('that the disk did not keep leaves one of the %s %s', async (kind, _name, phase) => {
    await desk.send({ row: 2, kind });
    const store = new SqliteStore(place.path, openDatabase(place.path, false), () => '');
    await store.write([], [reopenRows([desk.id(2)])]);
    await store.close();
    expect(await desk.phase(2)).toBe(phase);
    const intending = desk.run.intend([desk.intent(2)]);
    await (phase === 'open' ? intending : expect(intending).rejects.toMatchObject({ intents: [{ row: 2 }] }));
  });
});
