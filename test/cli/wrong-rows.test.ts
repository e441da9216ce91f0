import { existsSync, readdirSync, rmSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { deskForEachTest, refusal } from '../builders/deals-desk.ts';
import { readWorkbook } from '../builders/tables.ts';

const desk = deskForEachTest();
let run: string;

beforeEach(async () => {
  desk.said.set(2, refusal);
  desk.write('deals.csv', [
    ['Amount requested', 'Company name', 'Owner last name', 'Broker', 'Owner SSN'],
    [100, 'Harbor', 'Moreno', 'Ann', '987-65-4321'],
    [200, 'Marina', 'Moreno', 'A/B', ''],
    ['much', 'Kite', 'Moreno', 'A:B', ''],
    ['much', 'Quay', 'Moreno', '', ''],
  ]);
  run = (await desk.load('deals.csv', '--ignore-columns', 'Broker', '--results', 'r.csv')).printed?.run ?? '';
});

const write = (...further: readonly string[]) => desk.place.run(['results', run, '--only', 'wrong', ...further]);
const companies = (file: string) => desk.rowsOf(file).map((cells) => `${cells[0]} ${cells[7]}`);

describe('the rows of a run that need something done', () => {
  it('stand in a file of their own, which is imported when it is corrected', async () => {
    const written = await write('-o', 'wrong.csv');
    expect([written.exitCode, written.stderr]).toEqual([0, `3 rows: ${desk.place.path('wrong.csv')}`]);
    expect(companies('wrong.csv')).toEqual(['Rejected Marina', 'Invalid Kite', 'Invalid Quay']);
    await write('-o', 'wrong.xlsx');
    const summary = JSON.stringify(await readWorkbook(desk.place.path('wrong.xlsx'), 'Summary'));
    expect(summary).toContain('Control totals: the sum here is the sum of all statuses');
    desk.correct('wrong.csv', 'much', '300');
    const loaded = await desk.load('wrong.csv', '--results', 'two.csv');
    expect(loaded.printed?.counts, loaded.stderr).toMatchObject({ rows: 3, created: 3 });
    expect(desk.sent).toEqual(['Harbor', 'Marina', 'Marina', 'Kite', 'Quay']);
    expect((await write()).stderr).toBe('No row needs anything done. Nothing was written.');
    expect(existsSync(desk.place.path('deals.wrong.xlsx'))).toBe(false);
  });

  it('stand in one for each value of a column, under names that every disk takes', async () => {
    expect((await write('--by', 'broker', '-o', 'wrong.csv')).exitCode).toBe(0);
    expect(companies('wrong.A-B.csv')).toEqual(['Rejected Marina']);
    expect(companies('wrong.A-B-2.csv')).toEqual(['Invalid Kite']);
    expect(companies('wrong.csv')).toEqual(['Invalid Quay']);
    await write('--by', 'Broker', '-o', 'wrong.csv');
    expect(readdirSync(desk.place.folder).filter((name) => name.startsWith('wrong'))).toHaveLength(3);
  });

  it('P1: are in no file that another one of the same command takes the place of', async () => {
    const parts = () => write('--by', 'Broker', '-o', 'wrong.csv');
    await parts();
    desk.correct('wrong.A-B.csv', 'Rejected', 'Seen');
    rmSync(desk.place.path('wrong.A-B-2.csv'));
    const told = (await parts()).stderr;
    const files = readdirSync(desk.place.folder).filter((name) => name.startsWith('wrong.A'));
    expect(files.flatMap(companies).toSorted()).toEqual(['Invalid Kite', 'Rejected Marina', 'Seen Marina']);
    for (const file of files.filter((name) => name !== 'wrong.A-B.csv')) expect(told).toContain(file);
  });

  it('stand in one for each value, however long, also of a column left out in brackets', async () => {
    const long = 'x'.repeat(59);
    desk.write('long.csv', [
      ['Amount requested', 'Company name', 'Owner last name', '(Broker)'],
      ['much', 'Kite', 'Moreno', `${long}\u{1D49C}`],
      ['much', 'Quay', 'Moreno', `${long}\u{20000}`],
    ]);
    run = (await desk.load('long.csv', '--results', 'l.csv')).printed?.run ?? '';
    await write('--by', 'Broker', '-o', 'wrong.csv');
    const files = readdirSync(desk.place.folder).filter((name) => name.startsWith('wrong'));
    expect(files.flatMap(companies).toSorted()).toEqual(['Invalid Kite', 'Invalid Quay']);
  });

  it('P3: leave a file as it is that somebody has worked on', async () => {
    await write('-o', 'wrong.csv');
    desk.correct('wrong.csv', 'much', '300');
    expect((await write('-o', 'wrong.csv')).stderr).toContain('wrong-2.csv');
    expect(desk.rowsOf('wrong.csv')[1]).toContain('300');
  });

  it.each([
    ['Nobody', 'No sheet has a column Nobody.'],
    ['Owner SSN', 'Owner SSN holds personal numbers or dates.'],
  ])('P23: name no file by the column %s', async (column, told) => {
    const refused = await write('--by', column);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining(told)]);
  });

  it('P23: name no file by a cell in which an SSN stands among words', async () => {
    desk.write('words.csv', [
      ['Amount requested', 'Company name', 'Owner last name', 'Remark'],
      ['much', 'Kite', 'Moreno', 'ssn 219-09-9999 of the owner'],
    ]);
    run = (await desk.load('words.csv', '--ignore-columns', 'Remark', '--results', 'w.csv')).printed?.run ?? '';
    const refused = await write('--by', 'Remark');
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('Remark holds personal numbers')]);
    expect(refused.stderr).not.toContain('219');
  });
});
