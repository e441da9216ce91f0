import { describe, expect, it } from 'vitest';
import { deals, deskForEachTest, refusal, serverError, tokenRefused } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { readWorkbook, type TableCell, writeWorkbook } from '../builders/tables.ts';

const desk = deskForEachTest();

it('a row in doubt that comes back unsettled is settled in the run that it came from too, when that was taken up again meanwhile', async () => {
  desk.said.set(1, tokenRefused).set(2, serverError);
  desk.write('leads.csv', deals('Harbor'));
  const first = await desk.load('leads.csv', '--as', 'leads', '--results', 'one.csv');
  desk.correct('one.csv', '100', '200');
  const second = await desk.load('one.csv', '--as', 'leads');
  await expectCounts(desk.resume(), { inDoubt: 1 });
  await desk.command(['resolve', second.printed?.run ?? '', '--row', 'one!2', '--created', 'lead_1']);
  await expectExit(desk.command(['results', first.printed?.run ?? '', '-o', 'two.csv']), 0);
  expect(desk.statuses('two.csv')).toEqual(['Already loaded']);
});

it('a row of a results sheet whose turn did not come is ready, and what was typed for its doubt is taken, also in the results written again', async () => {
  desk.said.set(1, refusal).set(2, refusal).set(3, serverError).set(4, serverError);
  desk.write('deals.csv', deals('Harbor', 'Mill', 'Kite', 'Pine', 'Quay'));
  await desk.load('deals.csv', '--results', 'one.csv');
  desk.typeId('one.csv', 3, 'not created');
  const trial = await desk.load('one.csv', '--results', 'two.csv', '--limit', '1');
  expect(desk.statuses('two.csv')).toEqual(['Created', 'Ready', 'In doubt', 'Ready', 'Already loaded']);
  expect(desk.rowsOf('two.csv').map((cells) => cells[2])).toEqual(['rec_6', '', '', '', 'rec_5']);
  expect(desk.problemsOf('two.csv', 2)).toMatch(/^In doubt since /);
  await desk.place.run(['results', trial.printed?.run ?? '', '-o', 'again.csv']);
  expect(desk.rowsOf('again.csv')).toEqual(desk.rowsOf('two.csv'));
});

it.each([
  ['--limit=1', { created: 1, ready: 3, invalid: 1, waiting: 1 }],
  ['--all-or-nothing', { ready: 4, invalid: 1, waiting: 1 }],
])('a row that is not come to is ready only if its parent is: %s', async (flag, counts) => {
  const refs = ['D-1', 'D-2', 'D-3'];
  await writeWorkbook(desk.place.path('deals.xlsx'), {
    Deals: [
      ['Ref', 'Amount requested', 'Company name', 'Owner last name'],
      ...refs.map((ref) => [ref, ref === 'D-2' ? 'much' : '100', ref, 'Moreno']),
    ],
    Notes: [['Deal ref', 'Deal status', 'Note'], ...refs.map((ref) => [ref, 'Open', 'Called'])],
  });
  await expectCounts(desk.loadWorkbook('deals.xlsx', flag), counts);
});

it('a row of a source that was loaded twice goes in once by the results sheets of both loads', async () => {
  desk.said.set(1, refusal).set(2, refusal);
  desk.write('deals.csv', deals('Harbor'));
  await desk.load('deals.csv', '--results', 'one.csv');
  await desk.load('deals.csv', '--results', 'two.csv');
  desk.correct('one.csv', 'Harbor', 'Harbour');
  await expectCounts(desk.load('one.csv'), { created: 1 });
  desk.correct('two.csv', 'Harbor', 'Harbour Inc');
  await expectCounts(desk.load('two.csv'), { changedSinceLoaded: 1 });
  expect(desk.sent).toEqual(['Harbor', 'Harbor', 'Harbour']);
});

it('a payment whose deal stands twice, in two copies of a results sheet, is told to be in as it is', async () => {
  await writeWorkbook(desk.place.path('month.xlsx'), {
    Deals: [
      ['Ref', 'Amount requested', 'Company name', 'Owner last name'],
      ['D-1', 100, 'Harbor', 'Moreno'],
    ],
    Transactions: [
      ['Deal ref', 'Date', 'Amount'],
      ['D-1', '2026-06-30', 10],
    ],
  });
  await desk.loadWorkbook('month.xlsx', '--results', 'one.xlsx');
  const sheets = await Promise.all(
    ['Deals', 'Transactions'].map(async (name) => {
      const rows = (await readWorkbook(desk.place.path('one.xlsx'), name)) as Record<string, TableCell>[];
      return [name, [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row).map((cell) => cell ?? null))]];
    }),
  );
  const copied = sheets.flatMap(([name, table]) => [
    [name, table],
    [`${name} (2)`, table],
  ]);
  await writeWorkbook(desk.place.path('copied.xlsx'), Object.fromEntries(copied));
  const { stderr } = await expectCounts(desk.loadWorkbook('copied.xlsx'), { alreadyLoaded: 4, rows: 4 });
  expect(stderr).not.toContain('went in with other values');
});

describe('equal rows', () => {
  it('of a sheet that was copied within its workbook, and sorted, are held, and sent where a person says so', async () => {
    const file = 'month.xlsx';
    await writeWorkbook(desk.place.path(file), { Deals: deals('Harbor', 'Mill') });
    await desk.loadWorkbook(file, '--as', 'deals');
    await writeWorkbook(desk.place.path(file), {
      Deals: deals('Harbor', 'Mill', 'Mill'),
      'Deals (2)': deals('Mill', 'Harbor'),
    });
    await expectCounts(desk.loadWorkbook(file, '--as', 'deals'), { alreadyLoaded: 2, created: 1, notSent: 2 });
    const meant = await desk.loadWorkbook(file, '--as', 'deals', '--allow', 'equal-to-loaded-row');
    expect(meant.printed?.counts, meant.stderr).toMatchObject({ alreadyLoaded: 3, created: 2 });
    expect(desk.sent).toEqual(['Harbor', 'Mill', 'Mill', 'Mill', 'Harbor']);
  });

  it('that are loaded again are counted together, however far they stand from each other', async () => {
    const others = Array.from({ length: 80 }, (_, index) => `Other ${index}`);
    desk.write('june.csv', deals('Harbor'));
    desk.write('july.csv', deals('Harbor', ...others, 'Harbor'));
    desk.write('august.csv', deals('Harbor', ['Kite', 300], 'Harbor'));
    await desk.load('june.csv');
    await expectCounts(desk.load('july.csv', '--again'), { created: 82 });
    await expectCounts(desk.load('august.csv'), { alreadyLoaded: 2, created: 1 });
  });

  it('of two months are one row, of which one is sent, until a person says that both are meant', async () => {
    desk.said.set(1, refusal).set(2, refusal);
    desk.write('june.csv', deals('Harbor'));
    desk.write('july.csv', deals('Harbor'));
    await desk.load('june.csv', '--results', 'june1.csv');
    await desk.load('july.csv', '--results', 'july1.csv');
    desk.changeRows('june1.csv', (rows) => [...rows, ...desk.rowsOf('july1.csv')]);
    await expectCounts(desk.load('june1.csv', '--results', 'both.csv'), { created: 1, notSent: 1 });
    desk.changeRows('both.csv', (rows) =>
      rows.map((cells) => (cells[0] === 'Not sent' ? ['', '', '', '', '', '', ...cells.slice(6)] : cells)),
    );
    await expectCounts(desk.load('both.csv'), { notSent: 1, alreadyLoaded: 1 });
    await expectCounts(desk.load('both.csv', '--allow', 'equal-to-loaded-row'), { created: 1, alreadyLoaded: 1 });
  });

  it('of a source that is loaded again meet each its own record, and not that of the other', async () => {
    desk.said.set(1, refusal);
    desk.write('deals.csv', deals('Harbor', 'Harbor'));
    await desk.load('deals.csv', '--results', 'one.csv');
    const source = await desk.load('deals.csv', '--results', 'two.csv');
    expect(
      desk.rowsOf('two.csv').map((cells) => cells[2]),
      source.stderr,
    ).toEqual(['rec_3', 'rec_2']);
    desk.correct('one.csv', 'Rejected', '');
    desk.changeRows('one.csv', (rows) => rows.map((cells) => (cells[0] === '' ? cells.with(6, '150') : cells)));
    await expectCounts(desk.load('one.csv'), { alreadyLoaded: 1, changedSinceLoaded: 1 });
    expect(desk.sent).toEqual(['Harbor', 'Harbor', 'Harbor']);
  });
});
