/** What people do by hand with a source and its results. */

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deals, deskForEachTest, refusal, type Told, tokenRefused } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { changeCells, oneRow, readWorkbook, type Table, writeWorkbook } from '../builders/tables.ts';
import { root } from '../builders/workplace.ts';

const desk = deskForEachTest();

const [statusColumn, amountColumn, dateColumn] = [0, 8, 7];

const statusesIn = async (file: string, sheet: string) =>
  (await readWorkbook(desk.place.path(file), sheet)).map(({ Status }) => Status);

describe('a rehearsal whose results are corrected and loaded', () => {
  it('makes no second record when the original is corrected afterwards', async () => {
    desk.write('deals.csv', deals('Harbor', ['Marina', 'much']));
    await desk.place.run(['import', 'deals.csv', '--as', 'deals', '--sandbox', '--yes', '--results', 'rehearsed.csv']);
    desk.correct('rehearsed.csv', 'much', '200');
    const { stderr } = await desk.load('rehearsed.csv', '--results', 'one.csv');
    expect(stderr).toMatch(
      /^This results sheet is of a rehearsal \(run \S+\)\. What it says in Status and ID does not/m,
    );
    desk.write('deals.csv', deals(['Harbor', 101], ['Marina', 201], ['Wharf', 300]));
    const corrected = await desk.load('deals.csv', '--results', 'two.csv');
    expect(desk.statuses('two.csv'), corrected.stderr).toEqual(['Not sent', 'Not sent', 'Created']);
    expect(desk.posted).toHaveLength(3);
  });

  const [isIn, isChanged, isWrong] = ['Already loaded', 'Changed since loaded', 'Invalid'];
  it.each([
    ['alone', (own: string[][]) => own, [isChanged, 'Created']],
    [
      'below the results of these',
      (own: string[][], live: string[][]) => [...live, ...own],
      [isIn, isWrong, isChanged, isWrong],
    ],
    ['above them', (own: string[][], live: string[][]) => [...own, ...live], [isChanged, isWrong, isIn, isWrong]],
  ])('makes no second record of those of its original, when it comes %s', async (_, pasted, told) => {
    desk.write('deals.csv', deals('Harbor', ['Marina', 'much']));
    await desk.place.run(['import', 'deals.csv', '--as', 'deals', '--sandbox', '--yes', '--results', 'rehearsed.csv']);
    copyFileSync(desk.place.path('deals.csv'), desk.place.path('june.csv'));
    await desk.load('june.csv', '--results', 'live.csv');
    desk.correct('rehearsed.csv', '100', '300');
    desk.correct('rehearsed.csv', 'Harbor', 'Harbour');
    desk.correct('rehearsed.csv', 'much', '200');
    desk.changeRows('live.csv', (rows) => pasted(desk.rowsOf('rehearsed.csv'), rows));
    const both = await desk.load('live.csv', '--results', 'two.csv');
    expect(desk.statuses('two.csv'), both.stderr).toEqual(told);
    expect(desk.sent.filter((name) => name.startsWith('Harbo'))).toEqual(['Harbor']);
  });
});

it.each(['deal_777', 'deal', ''])('a row that a person calls Created, with the ID "%s", is not sent', async (id) => {
  desk.write('deals.csv', deals(['Harbor', 'much']));
  await desk.load('deals.csv', '--results', '1.csv');
  desk.changeRows('1.csv', ([row = []]) => [['Created', '', id, ...row.slice(3)]]);
  desk.correct('1.csv', 'much', '100');
  for (const at of [1, 2, 3]) await expectCounts(desk.load(`${at}.csv`, '--results', `${at + 1}.csv`), { invalid: 1 });
  expect([desk.rowsOf('4.csv')[0]?.[2], desk.posted.length]).toEqual([id === 'deal_777' ? id : 'created', 0]);
});

it('a row that was refused, and put right in the source in all of its cells is not sent by its old results beside that', async () => {
  desk.said.set(1, refusal);
  desk.write('deals.csv', deals(['Akme', 110], 'Bell'));
  await desk.load('deals.csv', '--results', 'one.csv');
  desk.write('deals.csv', deals(['Harbor', 150], 'Bell'));
  await desk.load('deals.csv', '--results', 'two.csv');
  desk.correct('one.csv', 'Akme', 'Harbour');
  desk.correct('one.csv', '110', '140');
  const back = await desk.load('one.csv', '--results', 'three.csv');
  expect([desk.sent, desk.statuses('three.csv')], back.stderr).toEqual([
    ['Akme', 'Bell', 'Harbor'],
    ['Not sent', 'Already loaded'],
  ]);
});

it('two results of one row that was refused twice make none while both are pasted into one sheet and differ', async () => {
  desk.said.set(1, refusal).set(2, refusal);
  desk.write('deals.csv', deals('Harbor'));
  await desk.load('deals.csv', '--results', 'one.csv');
  desk.correct('one.csv', '100', '200');
  await desk.load('one.csv', '--results', 'two.csv');
  expect([desk.statuses('one.csv'), desk.statuses('two.csv')]).toEqual([['Rejected'], ['Rejected']]);
  desk.correct('two.csv', '200', '300');
  desk.changeRows('two.csv', (rows) => [...desk.rowsOf('one.csv'), ...rows]);
  await expectCounts(desk.load('two.csv', '--results', 'three.csv'), { invalid: 2 });
  expect(desk.posted).toHaveLength(2);
});

describe('a payment beside its deal', () => {
  const write = (file: string, amount: number | string, paid = 50) => {
    const sheets: Record<string, Table> = {
      Deals: [
        ['Ref', ...(deals()[0] ?? [])],
        ['D-1', amount, 'Harbor', 'Moreno'],
      ],
      Transactions: oneRow({ 'Deal ref': 'D-1', Date: '2026-10-05', Amount: paid, Type: 'Payment' }),
    };
    return writeWorkbook(desk.place.path(file), sheets);
  };
  const load = (file: string, results: string) => desk.loadWorkbook(file, '--results', results, '--skip-loaded');

  it('that went in with it once the source was corrected is not paid twice by its old results', async () => {
    await write('month.xlsx', 'many');
    await load('month.xlsx', 'one.xlsx');
    expect(await statusesIn('one.xlsx', 'Transactions')).toEqual(['Waiting']);
    await write('month.xlsx', 100);
    await load('month.xlsx', 'two.xlsx');
    expect(await statusesIn('two.xlsx', 'Transactions')).toEqual(['Accepted']);
    expect(desk.posted).toHaveLength(2);
    await changeCells(desk.place.path('one.xlsx'), 'Deals', 2, { 'Amount requested': 100 });
    await changeCells(desk.place.path('one.xlsx'), 'Transactions', 2, { Amount: 60 });
    const back = await load('one.xlsx', 'three.xlsx');
    expect(desk.posted, back.stderr).toHaveLength(2);
  });

  it('that is in, and whose deal is invalid by now, is told Already loaded and not sent again', async () => {
    await write('month.xlsx', 100);
    await load('month.xlsx', 'one.xlsx');
    expect(await statusesIn('one.xlsx', 'Transactions')).toEqual(['Accepted']);
    await write('month.xlsx', 'many');
    await load('month.xlsx', 'two.xlsx');
    expect(await statusesIn('two.xlsx', 'Deals')).toEqual(['Changed since loaded']);
    expect(await statusesIn('two.xlsx', 'Transactions')).toEqual(['Already loaded']);
    expect(desk.posted).toHaveLength(2);
  });
});

const people = (...names: readonly string[]): Table => [
  ['Amount requested', 'Company name', 'Owner 1 last name', 'Owner 1 SSN'],
  ...names.map((name) => [100, name, 'Moreno', '219-09-9999']),
];

it('a file that comes back with a row on top, and a limit of one row sends that row alone, tells the others masked, and sends none again by its results, one corrected there', async () => {
  desk.write('deals.csv', people('Harbor', 'Marina'));
  await desk.load('deals.csv', '--results', 'one.csv');
  desk.write('deals.csv', people('Wharf', 'Harbor', 'Marina'));
  await desk.load('deals.csv', '--limit', '1', '--results', 'two.csv');
  expect(desk.sent).toEqual(['Harbor', 'Marina', 'Wharf']);
  expect(desk.statuses('two.csv')).toEqual(['Created', 'Already loaded', 'Already loaded']);
  expect(desk.rowsOf('two.csv').map((row) => row.at(-1))).toEqual(['***-**-****', '***-**-****', '***-**-****']);
  desk.type('two.csv', 1, 6, '250');
  const back = await desk.load('two.csv', '--results', 'three.csv');
  expect(desk.sent, back.stderr).toHaveLength(3);
});

describe('payments', () => {
  const payments = (...rows: readonly (readonly [date: string, amount: number])[]): Table => [
    ['Deal id', 'Date', 'Amount', 'Type'],
    ...rows.map(([date, amount]) => ['deal_1', date, amount, 'Payment']),
  ];
  const load = (file: string, results: string): Promise<Told> =>
    desk.load(file, '--as', 'transactions', '--results', results, '--skip-loaded', '--batch', '1');

  it.each([
    ['copied with its six cells and changed', 'Already loaded'],
    ['changed, and its Status emptied', ''],
  ])('that were loaded twice are not sent again where one is %s', async (_how, status) => {
    desk.write('paid.csv', payments(['2026-10-05', 50], ['2026-10-06', 60]));
    await load('paid.csv', 'one.csv');
    await load('paid.csv', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['Already loaded', 'Already loaded']);
    expect(desk.rowsOf('two.csv')[0]?.[amountColumn]).toBe('50');
    desk.type('two.csv', 0, amountColumn, '75');
    desk.type('two.csv', 0, statusColumn, status);
    // The copy stands below, and the original is gone.
    desk.changeRows('two.csv', (rows) => rows.toReversed());
    const back = await load('two.csv', 'three.csv');
    expect(desk.posted, back.stderr).toHaveLength(2);
  });

  it.each([
    ['the other one beside it, in the first results', 'one.csv'],
    ['the other one beside it, in the second results', 'two.csv'],
    ['both in the source', 'paid.csv'],
  ])('that are equal and invalid, one corrected and in, are both in once a person corrects %s', async (_what, file) => {
    desk.write('paid.csv', payments(['2026-02-31', 50], ['2026-02-31', 50]));
    await load('paid.csv', 'one.csv');
    expect(desk.statuses('one.csv')).toEqual(['Invalid', 'Invalid']);
    desk.type('one.csv', 0, dateColumn, '2026-02-28');
    await load('one.csv', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['Accepted', 'Invalid']);
    expect(desk.posted).toHaveLength(1);
    if (file === 'paid.csv') desk.write(file, payments(['2026-02-28', 50], ['2026-02-28', 50]));
    else desk.type(file, 1, dateColumn, '2026-02-28');
    const back = await load(file, 'three.csv');
    expect(desk.posted, back.stderr).toHaveLength(2);
  });
});

describe('a source that is corrected in place of its results', () => {
  const october = 'october.xlsx';
  const fixture = (name: string) => join(root, 'test', 'fixtures', 'findings', name);
  const load = (results: string) =>
    desk.command([
      ...['import', october, '--sandbox', '--sandbox-data', 'sandbox.db', '--yes', '--json'],
      ...['--skip-loaded', '--ignore-columns', 'all', '--results', results],
    ]);
  const inNow = ({ printed }: Told) => (printed?.counts.created ?? 0) + (printed?.counts.accepted ?? 0);

  it('goes in but for rows with errors, makes no record again, and tells the two rows that were changed', async () => {
    copyFileSync(fixture(october), desk.place.path(october));
    const first = await expectCounts(load('one.xlsx'), { rows: 181, invalid: 8, waiting: 19 });
    expect(inNow(first)).toBe(154);
    copyFileSync(fixture('october-corrected-in-the-original.xlsx'), desk.place.path(october));
    const second = await expectCounts(load('two.xlsx'), { rows: 181, invalid: 2, changedSinceLoaded: 2 });
    expect(inNow(first) + inNow(second), second.stderr).toBeLessThanOrEqual(181);
    expect(second.exitCode).toBe(1);
  });

  const refs = (...rows: readonly (readonly [ref: string, name: string, amount: number])[]): Table => [
    ['Ref', 'Amount requested', 'Company name', 'Owner last name'],
    ...rows.map(([ref, name, amount]) => [ref, amount, name, 'Moreno']),
  ];
  const harbor = ['D-1', 'Harbor', 250] as const;
  const [marina, wharf] = [['D-2', 'Marina', 100] as const, ['D-3', 'Wharf', 100] as const];

  it.each([
    ['as it is', 'deals.csv', [harbor, marina], []],
    ['sorted', 'deals.csv', [marina, harbor], []],
    ['renamed', 'november.csv', [harbor, marina], []],
    ['longer', 'deals.csv', [wharf, harbor, marina], ['Wharf']],
  ])('sends none of its rows again: %s', async (_how, file, rows, more) => {
    desk.write('deals.csv', refs(['D-1', 'Harbor', 100], marina));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.write(file, refs(...rows));
    const back = await expectExit(desk.load(file, '--results', 'two.csv'), 1);
    expect(desk.sent, back.stderr).toEqual(['Harbor', 'Marina', ...more]);
    expect(desk.statuses('two.csv').filter((status) => status === 'Changed since loaded')).toHaveLength(1);
  });
});

it('a check for a service says of a Ref that exists nowhere what a load would say', async () => {
  desk.place.write('dealsheet.config.json', { profiles: { live: { url: desk.service.url } } });
  desk.write('notes.csv', oneRow({ 'Deal ref': 'D-99', 'Deal status': 'Open', Note: 'Called' }));
  const where = ['--config', 'dealsheet.config.json', '--profile', 'live'];
  await expectExit(desk.place.run(['check', 'notes.csv', ...where, '--as', 'notes']), 3, 'D-99');
});

it('a line of the results that was copied, with its Run cell, for another deal is no proof later that this deal is in: it is sent in a file of its own', async () => {
  desk.write('june.csv', deals(['Harbor', 'much']));
  await desk.load('june.csv', '--results', 'one.csv');
  desk.correct('one.csv', 'much', '100');
  const [line = []] = desk.rowsOf('one.csv');
  desk.changeRows('one.csv', (rows) => [...rows, line.map((cell) => (cell === 'Harbor' ? 'Mill' : cell))]);
  await expectCounts(desk.load('one.csv', '--results', 'two.csv'), { invalid: 2 });
  desk.changeRows('two.csv', ([first = []]) => [first]);
  await expectCounts(desk.load('two.csv', '--results', 'three.csv'), { created: 1 });
  desk.write('july.csv', deals('Mill'));
  await expectCounts(desk.load('july.csv'), { created: 1 });
  expect(desk.sent).toEqual(['Harbor', 'Mill']);
});

describe('a line of a rehearsal that stands there twice', () => {
  const rehearse = (file: string) =>
    desk.place.run(['import', file, '--as', 'deals', '--sandbox', '--yes', '--results', 'rehearsed.csv']);
  const twice = (change: (line: string[]) => string[]) =>
    desk.changeRows('rehearsed.csv', ([first = [], ...others]) => [first, ...others, change(first)]);

  it.each([
    ['goes out once', 'Harbor', { created: 3 }, ['Harbor', 'Mill', 'Mill', 'Wharf']],
    ['is refused where the two differ', 'Harbor X', { created: 2, invalid: 2 }, ['Mill', 'Wharf', 'Wharf']],
  ])(
    '%s, also when its load is taken up again, and its file came before as leads',
    async (_how, name, counts, sent) => {
      desk.said.set(5, tokenRefused);
      desk.write('deals.csv', deals('Harbor', 'Mill', 'Wharf'));
      await desk.load('deals.csv', '--as', 'leads');
      await rehearse('deals.csv');
      twice((line) => line.map((cell) => (cell === 'Harbor' ? name : cell)));
      expect((await desk.load('rehearsed.csv', '--results', 'one.csv')).exitCode).toBe(4);
      await expectCounts(desk.resume(), counts);
      expect(desk.sent.slice(3)).toEqual(sent);
    },
  );

  it('keeps its Run cell while it is held beside a line of the load', async () => {
    desk.write('deals.csv', deals('Harbor'));
    await rehearse('deals.csv');
    await desk.load('rehearsed.csv', '--results', 'one.csv');
    const [line = []] = desk.rowsOf('rehearsed.csv');
    desk.changeRows('one.csv', (rows) => [...rows, line, line]);
    const { printed, exitCode } = await desk.load('one.csv', '--results', 'two.csv');
    expect([printed?.counts.notSent, exitCode]).toEqual([2, 1]);
    await desk.place.run(['results', printed?.run ?? '', '-o', 'again.csv']);
    for (const file of ['two.csv', 'again.csv'])
      expect(desk.rowsOf(file).map((cells) => cells[5])).toEqual([`${printed?.run}#one!2`, line[5], line[5]]);
  });

  it('is asked about like any new row, once the other one was deleted', async () => {
    desk.write('month.csv', deals('Harbor'));
    await desk.load('month.csv');
    desk.write('deals.csv', deals('Harbor', 'Mill'));
    await rehearse('deals.csv');
    twice((line) => line.map((cell) => (cell === 'Harbor' ? 'Harbor X' : cell)));
    await expectCounts(desk.load('rehearsed.csv', '--results', 'one.csv'), { created: 1, invalid: 2 });
    desk.changeRows('one.csv', ([first = []]) => [first]);
    await expectCounts(desk.load('one.csv', '--results', 'two.csv'), { notSent: 1, created: 0 });
    expect(desk.sent).toEqual(['Harbor', 'Mill']);
  });
});
