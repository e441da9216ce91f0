import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DealsDesk, deals, refusal, serverError, tokenRefused } from '../builders/deals-desk.ts';

let desk: DealsDesk;

beforeEach(async () => {
  desk = await DealsDesk.open();
});
afterEach(() => desk.close());

describe('a row in doubt that comes back unsettled', () => {
  it('is the same row when it is settled and corrected in the later sheet: its source does not send it again', async () => {
    desk.said.set(1, serverError);
    desk.write('deals.csv', deals('Harbor', ['Mill', 'bad']));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.correct('one.csv', 'bad', '200');
    await desk.load('one.csv', '--results', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['In doubt', 'Created']);
    desk.typeId('two.csv', 0, 'not created');
    desk.correct('two.csv', 'Harbor', 'Harbour');
    const settled = await desk.load('two.csv');
    expect(settled.printed?.counts, settled.stderr).toMatchObject({ created: 1, alreadyLoaded: 1 });
    expect((await desk.load('deals.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 1, invalid: 1 });
    desk.correct('one.csv', '200', '201');
    expect((await desk.load('one.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 2 });
    expect(desk.sent).toEqual(['Harbor', 'Mill', 'Harbour']);
  });
});
