import { beforeEach, describe, it } from 'vitest';
import { deals, deskForEachTest, refusal, tokenRefused } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';

describe('a service that gives one id to two rows', () => {
  const desk = deskForEachTest();
  const sameId = { status: 201, body: JSON.stringify({ success: true, id: 'deal_1' }) };

  beforeEach(() => {
    desk.write('deals.csv', deals('Harbor', 'Kite'));
    for (const number of [1, 2, 3]) desk.said.set(number, sameId);
  });

  it('has one of them In doubt: one record is not two', async () => {
    await expectExit(expectCounts(desk.load('deals.csv'), { created: 1, inDoubt: 1 }), 6);
  });

  it('has the second one In doubt also when the first went in with an earlier load of the file', async () => {
    desk.said.set(2, refusal);
    await expectExit(expectCounts(desk.load('deals.csv'), { created: 1, rejected: 1 }), 1);
    await expectExit(expectCounts(desk.load('deals.csv'), { alreadyLoaded: 1, inDoubt: 1 }), 6);
  });

  it('has the second one In doubt also when the load was stopped between them', async () => {
    desk.said.set(2, tokenRefused);
    await expectExit(expectCounts(desk.load('deals.csv'), { created: 1, notSent: 1 }), 4);
    await expectExit(expectCounts(desk.resume(), { created: 1, inDoubt: 1 }), 6);
  });
});
