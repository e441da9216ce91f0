import { beforeEach, describe, expect, it } from 'vitest';
import { deals, deskForEachTest, refusal, tokenRefused } from '../builders/deals-desk.ts';

const desk = deskForEachTest();

/** A load that stopped after its second row was refused. */
beforeEach(async () => {
  desk.said.set(2, refusal).set(3, tokenRefused);
  desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf'));
  await desk.load('deals.csv', '--results', 'one.csv');
  expect(desk.statuses('one.csv')).toEqual(['Created', 'Rejected', 'Not sent']);
});

describe('a run that goes on tells of a row that was refused in it, and is in by now', () => {
  const goOn = async () => {
    const ended = await desk.resume('--results', 'last.csv');
    expect(desk.statuses('last.csv'), ended.stderr).toEqual(['Created', 'Already loaded', 'Created']);
    expect([ended.exitCode, desk.rowsOf('last.csv')[1]?.[2]], ended.stderr).toEqual([0, 'rec_4']);
  };

  it('as it was corrected in its results sheet', async () => {
    desk.changeRows('one.csv', ([, refused = []]) => [refused.map((cell) => (cell === '100' ? '200' : cell))]);
    const corrected = await desk.load('one.csv', '--results', 'two.csv');
    expect(desk.statuses('two.csv'), corrected.stderr).toEqual(['Created']);
    await goOn();
  });

  it('with another file, that has its rows and more', async () => {
    desk.write('more.csv', deals('Harbor', 'Marina', ['Quay', 700]));
    await desk.load('more.csv', '--results', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['Already loaded', 'Created', 'Created']);
    await goOn();
    expect(desk.problemsOf('last.csv', 1)).toMatch(/^Loaded from more\.csv, more row 3, /);
  });
});

describe('a row that is not in is held once its source was loaded with another name in its place', () => {
  beforeEach(async () => {
    desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf Inc'));
    await desk.load('deals.csv', '--results', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['Already loaded', 'Created', 'Created']);
  });

  const old = (...more: readonly string[]) => {
    desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf', ...more));
    return desk.load('deals.csv', '--results', 'last.csv');
  };

  it.each([
    ['when the first load goes on', () => desk.resume('--results', 'last.csv'), 'Created'],
    ['when the old file comes again', () => old(), 'Already loaded'],
    ['when the old file comes with more rows', () => old('Anchor'), 'Already loaded'],
    ['when the results of the first load come', () => desk.load('one.csv', '--results', 'last.csv'), 'Already loaded'],
  ])('%s', async (_, comes, first) => {
    await comes();
    const [harbor, , wharf] = desk.rowsOf('last.csv').map(([status, problems]) => [status, problems]);
    expect(harbor?.[0]).toBe(first);
    expect(wharf).toEqual(['Not sent', expect.stringContaining('may be a correction of rec_5')]);
    expect(desk.sent.filter((name) => name === 'Wharf')).toHaveLength(1);
  });
});
