import { beforeEach, describe, expect, it } from 'vitest';
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
});
