import { readdirSync, rmSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { deals, deskForEachTest, refusal, serverError, tokenRefused } from '../builders/deals-desk.ts';
import { readWorkbook } from '../builders/tables.ts';

const desk = deskForEachTest();
let first: string;

/** A run with a row that is in, one that was refused, one with an error and one that nobody came to. */
beforeEach(async () => {
  desk.said.set(2, refusal).set(3, tokenRefused);
  desk.write('deals.csv', deals('Harbor', 'Marina', ['Kite', 'much'], 'Wharf', 'Quay'));
  first = (await desk.load('deals.csv', '--results', 'one.csv')).printed?.run ?? '';
  expect(desk.statuses('one.csv')).toEqual(['Created', 'Rejected', 'Invalid', 'Not sent', 'Not sent']);
});

async function writeAgain(): Promise<readonly string[]> {
  const ended = await desk.place.run(['results', first, '-o', 'again.csv']);
  expect(ended.exitCode, ended.stderr).toBe(0);
  return desk.rowsOf('again.csv').map((_row, index) => desk.problemsOf('again.csv', index));
}

function rows(file: string): readonly string[] {
  return desk.rowsOf(file).map(([status, , id]) => `${status} ${id}`);
}

describe('the results of a run, written again, tell of a row that is not in by it', () => {
  it('what they told at first, while it went on nowhere', async () => {
    await writeAgain();
    expect(desk.rowsOf('again.csv')).toEqual(desk.rowsOf('one.csv'));
  });

  it('that it is in by a later run, with the id that it got there', async () => {
    desk.correct('one.csv', 'much', '300');
    const later = await desk.load('one.csv', '--results', 'two.csv');
    const told = await writeAgain();
    expect(rows('again.csv')).toEqual([
      'Created rec_1',
      'Already loaded rec_4',
      'Already loaded rec_5',
      'Already loaded rec_6',
      'Already loaded rec_7',
    ]);
    for (const row of [1, 3, 4]) expect(told[row]).toContain(`Loaded by the run ${later.printed?.run}.`);
    expect(told[2]).toContain(`Loaded by the run ${later.printed?.run}, where it had been corrected`);
    expect(told[1]).not.toContain('Not now');
    await desk.place.run(['results', first, '-o', 'again.xlsx']);
    expect(JSON.stringify(await readWorkbook(desk.place.path('again.xlsx'), 'Summary'))).toContain(
      'deals: rows that went in corrected or read otherwise: 1. Problems says so in each. The amounts are those of this file.',
    );
  });

  it('that it went in as it was before it was corrected and refused once more', async () => {
    desk.said.set(4, refusal);
    desk.correct('one.csv', 'Marina', 'Marine');
    first = (await desk.load('one.csv', '--results', 'two.csv')).printed?.run ?? '';
    const later = await desk.load('deals.csv');
    const told = await writeAgain();
    expect(told[1]).toContain(`Loaded by the run ${later.printed?.run}, where it had been corrected`);
  });

  it('at the end of a load, too: how many rows went in with other values than the file has', async () => {
    desk.correct('one.csv', 'much', '300');
    await desk.load('one.csv', '--results', 'two.csv');
    const { stderr } = await desk.load('deals.csv', '--results', 'three.csv');
    expect(stderr).toContain('deals: rows that went in corrected or read otherwise: 1.');
  });

  it('also where it went in when the file was loaded once more', async () => {
    await desk.load('deals.csv', '--results', 'two.csv');
    await writeAgain();
    expect(rows('again.csv').slice(0, 3)).toEqual(['Created rec_1', 'Already loaded rec_4', 'Invalid ']);
  });

  it('that it is in doubt by a later run, and nothing of one that was refused there, too', async () => {
    desk.said.set(4, refusal).set(5, serverError);
    await desk.load('one.csv', '--results', 'two.csv');
    const told = await writeAgain();
    expect(rows('again.csv')).toEqual(['Created rec_1', 'Rejected ', 'Invalid ', 'In doubt ', 'Already loaded rec_6']);
    expect(told[1]).toContain('Not now.');
  });

  it('the same where its source is gone', async () => {
    await desk.load('one.csv', '--results', 'two.csv');
    rmSync(desk.place.path('deals.csv'));
    const kept = desk.place.path('data/dealsheet/ledger.db.sources');
    for (const name of readdirSync(kept)) if (name.endsWith('.source')) rmSync(`${kept}/${name}`);
    const told = await writeAgain();
    expect(rows('again.csv')).toEqual([
      'Created rec_1',
      'Already loaded rec_4',
      'Invalid ',
      'Already loaded rec_5',
      'Already loaded rec_6',
    ]);
    expect(told[2]).toContain('The file of this load is gone or was changed');
  });
});
