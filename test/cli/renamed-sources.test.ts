import { copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deals, deskForEachTest } from '../builders/deals-desk.ts';

const desk = deskForEachTest();

it('a CSV file that was loaded and then renamed has no row that is sent again, equal ones among them, nor when it comes by standard input', async () => {
  desk.write('may.csv', deals('Harbor', 'Mill', 'Mill'));
  await desk.load('may.csv');
  copyFileSync(desk.place.path('may.csv'), desk.place.path('may (1).csv'));
  const again = await desk.load('may (1).csv');
  expect(again.printed?.counts, again.stderr).toMatchObject({ rows: 3, alreadyLoaded: 3 });
  const words = ['import', '-', '--as', 'deals', '--url', desk.service.url, '--yes', '--json', '--results', 'r.csv'];
  const ended = await desk.place.run(words, {
    env: { DEALSHEET_TOKEN: 'token' },
    cwd: desk.place.folder,
    input: desk.place.read('may.csv'),
  });
  expect(JSON.parse(ended.stdout).counts, ended.stderr).toMatchObject({ rows: 3, alreadyLoaded: 3 });
  expect(desk.sent).toEqual(['Harbor', 'Mill', 'Mill']);
});

describe('P9: references with and without leading zeros', () => {
  const load = async (file: string, ...references: readonly string[]) => {
    const payments = references.map((reference) => ['deal_1', '2026-03-01', 5, reference]);
    desk.write(file, [['Deal id', 'Date', 'Amount', 'Reference'], ...payments]);
    const told = await desk.loadWorkbook(file, '--as', 'transactions', '--skip-loaded', '--results', 'r.csv');
    expect(told.printed, told.stderr).not.toBeNull();
    return desk.statuses('r.csv');
  };

  it.each([
    ['002', '2', 'Already loaded'],
    ['2', '002', 'Changed since loaded'],
  ])(
    'name no second payment in a file that was saved under another name: %s, then %s',
    async (before, after, status) => {
      await load('march.csv', before);
      expect(await load('march-saved.csv', after)).toEqual([status]);
      expect(desk.service.requests).toHaveLength(1);
    },
  );

  it.each([
    [
      ['123', '0123'],
      ['Accepted', 'Already loaded'],
    ],
    [
      ['0123', '123'],
      ['Already loaded', 'Accepted'],
    ],
  ])('name the payment that has them to the letter, where both stand in one file: %j', async (references, statuses) => {
    await load('march.csv', '0123');
    expect(await load('april.csv', ...references)).toEqual(statuses);
    expect(await load('may.csv', ...references.toReversed())).toEqual(['Already loaded', 'Already loaded']);
  });
});
