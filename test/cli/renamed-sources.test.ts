import { copyFileSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deals, deskForEachTest } from '../builders/deals-desk.ts';

const desk = deskForEachTest();

describe('a CSV file that was loaded and then renamed', () => {
  it('has no row that is sent again, equal ones among them, nor when it comes by standard input', async () => {
    desk.write('may.csv', deals('Harbor', 'Mill', 'Mill'));
    await desk.load('may.csv');
    copyFileSync(desk.place.path('may.csv'), desk.place.path('may (1).csv'));
    const again = await desk.load('may (1).csv');
    expect(again.printed?.counts, again.stderr).toMatchObject({ rows: 3, alreadyLoaded: 3 });
    const words = ['import', '-', '--as', 'deals', '--url', desk.service.url, '--yes', '--json', '--results', 'r.csv'];
    const ended = await desk.place.run(words, {
      env: { DEALSHEET_TOKEN: 'token' },
      cwd: desk.place.folder,
      input: readFileSync(desk.place.path('may.csv'), 'utf8'),
    });
    expect(JSON.parse(ended.stdout).counts, ended.stderr).toMatchObject({ rows: 3, alreadyLoaded: 3 });
    expect(desk.sent).toEqual(['Harbor', 'Mill', 'Mill']);
  });
});

it('P9: a file whose references lost their zeros, saved under another name, is not sent again', async () => {
  const payment = (reference: string) => [
    ['Deal id', 'Date', 'Amount', 'Reference'],
    ['deal_1', '2026-03-01', 5, reference],
  ];
  desk.write('march.csv', payment('002'));
  await desk.loadWorkbook('march.csv', '--as', 'transactions');
  desk.write('march-saved.csv', payment('2'));
  const again = await desk.loadWorkbook('march-saved.csv', '--as', 'transactions', '--skip-loaded');
  expect(again.printed?.counts, again.stderr).toMatchObject({ rows: 1, alreadyLoaded: 1 });
});
