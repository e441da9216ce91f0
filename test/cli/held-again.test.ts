/** What is held stays held, and what is in stays in, however a row is known the next time. */

import { copyFileSync } from 'node:fs';
import { extname } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { deals, deskForEachTest, refusal, serverError, tokenRefused } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { oneRow, type Table, writeWorkbook } from '../builders/tables.ts';

const desk = deskForEachTest();

const companies = (...rows: readonly string[][]): Table => [['Ref', 'Company name', 'Contact types', 'DBA'], ...rows];
const dealsNamed = (...rows: readonly (string | number)[][]): Table => [
  ['Ref', 'Amount requested', 'Company name', 'Owner last name'],
  ...rows,
];
/** Payments of deals that are named by their Ref or by their id. */
const paymentsBy =
  (deal: 'Deal ref' | 'Deal id') =>
  (...rows: readonly (string | number)[][]): Table => [[deal, 'Date', 'Amount', 'Type', 'Reference'], ...rows];
const load = (file: string, ...further: readonly string[]) => desk.loadWorkbook(file, '--results', ...further);

/** Every load of it, and of its results, tells the same and sends nothing more. */
async function expectHeld(file: string, counts: Record<string, number>, ...further: readonly string[]): Promise<void> {
  const sent = desk.posted.length;
  for (const [from, to] of [
    ['', 'one'] as const,
    ['', 'two'] as const,
    ['one', 'three'] as const,
    ['three', 'four'] as const,
  ]) {
    const source = from === '' ? file : from + extname(file);
    await expectCounts(load(source, to + extname(file), ...further), counts);
  }
  expect(desk.posted).toHaveLength(sent);
}

describe('a row whose Ref other records have', () => {
  it('is held when its Ref names two', async () => {
    desk.write('companies.csv', companies(['C-1', 'Acme', 'Funder', '1']));
    await load('companies.csv', 'r.csv');
    await load('companies.csv', 'r2.csv', '--again');
    desk.write('july.csv', companies(['C-1', 'Acme', 'Funder', '2']));
    await expectHeld('july.csv', { rows: 1, notSent: 1 }, '--as', 'companies');
  });

  it('is held when it comes by the key of another row', async () => {
    desk.write('companies.csv', companies(['C-1', 'Alpha', 'Merchant', '1'], ['C-2', 'Beta', 'Nothing', '2']));
    await expectCounts(load('companies.csv', 'r.csv'), { created: 1, invalid: 1 });
    const ownColumns = 6;
    const [good = [], red = []] = desk.rowsOf('r.csv');
    const moved = [...red.slice(0, ownColumns), ...good.slice(ownColumns, -1), 'new'];
    desk.changeRows('r.csv', () => [moved]);
    await expectHeld('r.csv', { rows: 1, notSent: 1 });
    const other = [...good.slice(0, ownColumns), 'C-2', 'Beta', 'Merchant', '2'];
    desk.changeRows('r.csv', () => [other, moved]);
    await expectCounts(load('r.csv', 'last.csv'), { changedSinceLoaded: 1, notSent: 1 });
  });

  it('goes out when both had it by mistake, and the other has another one now', async () => {
    desk.write('companies.csv', companies(['C-1', 'Alpha', 'Merchant', '1'], ['C-1', 'Beta', 'Merchant', '2']));
    await load('companies.csv', 'r.csv');
    desk.changeRows('r.csv', ([one = [], two = []]) => [one, two.map((cell) => (cell === 'C-1' ? 'C-2' : cell))]);
    desk.said.set(1, refusal);
    await expectCounts(load('r.csv', 'r2.csv'), { rejected: 1, created: 1 });
    await expectCounts(load('r2.csv', 'r3.csv'), { alreadyLoaded: 1, created: 1 });
  });
});

describe('a row that is equal to another', () => {
  it('on a second sheet is held, as often as the file is loaded', async () => {
    const july = deals('Harbor', 'Mill');
    await writeWorkbook(desk.place.path('july.xlsx'), { Deals: july });
    await load('july.xlsx', 'r.csv', '--as', 'deals');
    await writeWorkbook(desk.place.path('both.xlsx'), { Deals: july, 'Deals (2)': july });
    await expectHeld('both.xlsx', { alreadyLoaded: 2, notSent: 2 }, '--as', 'deals');
    const allowing = ['--as', 'deals', '--allow', 'equal-to-loaded-row'];
    await expectCounts(load('both.xlsx', 'r4.xlsx', ...allowing), { alreadyLoaded: 2, created: 2 });
  });

  it('but for its Ref is held, as often as the file or its results are loaded', async () => {
    desk.write('deals.csv', dealsNamed(['D-1', 100, 'Harbor', 'Moreno'], ['D-2', 100, 'Mill', 'Moreno']));
    await load('deals.csv', 'one.csv', '--as', 'deals');
    desk.write('deals.csv', dealsNamed(['D-9', 100, 'Harbor', 'Moreno'], ['D-2', 100, 'Mill', 'Moreno']));
    await expectHeld('deals.csv', { alreadyLoaded: 1, notSent: 1 }, '--as', 'deals');
    const allowing = ['--as', 'deals', '--allow', 'equal-to-loaded-row'];
    await expectCounts(load('four.csv', 'six.csv', ...allowing), { alreadyLoaded: 1, created: 1 });
  });

  it('but for its Ref is held, also where a line that says the same was only ever invalid', async () => {
    desk.write('deals.csv', dealsNamed(['D-1', 100, 'Harbor', 'Moreno']));
    await load('deals.csv', 'june.csv', '--as', 'deals');
    desk.write('twice.csv', dealsNamed(['D-5', 100, 'Harbor', 'Moreno'], ['D-5', 100, 'Mill', 'Moreno']));
    await expectCounts(load('twice.csv', 'wrong.csv', '--as', 'deals'), { invalid: 2 });
    desk.write('other.csv', dealsNamed(['D-9', 100, 'Harbor', 'Moreno']));
    await expectHeld('other.csv', { rows: 1, notSent: 1 }, '--as', 'deals');
    desk.changeRows('wrong.csv', ([one = [], two = []]) => [one, two.map((cell) => (cell === 'D-5' ? 'D-6' : cell))]);
    await expectCounts(load('wrong.csv', 'corrected.csv'), { notSent: 1, created: 1 });
    await expectHeld('corrected.csv', { rows: 2, notSent: 1, alreadyLoaded: 1 });
  });

  it('as the pasted original of a line with its key, both corrected alike, is held as often as the file is loaded', async () => {
    desk.write('deals.csv', deals('Harbor'));
    await load('deals.csv', 'one.csv', '--as', 'deals');
    const [harbor = []] = desk.rowsOf('one.csv');
    const corrected = (cells: readonly string[]) => cells.map((cell) => (cell === '100' ? '200' : cell));
    desk.changeRows('one.csv', () => [corrected(harbor), corrected(harbor.map((cell, at) => (at < 6 ? '' : cell)))]);
    const sent = desk.posted.length;
    for (const results of ['two.csv', 'three.csv', 'four.csv']) {
      await expectCounts(load('one.csv', results, '--as', 'deals'), { changedSinceLoaded: 1, notSent: 1 });
    }
    expect(desk.posted).toHaveLength(sent);
  });
});

describe('what belongs to a record with other values', () => {
  const month = (deals: Table, payments: Table) => ({ Deals: deals, Transactions: payments });
  const payments = paymentsBy('Deal ref');
  const june = month(dealsNamed(['D-1', 1000, 'Co 1', 'Lee']), payments(['D-1', '2026-06-01', 10, 'Payment', 'R1']));
  const july = month(
    dealsNamed(['D-1', 7777, 'Other', 'Zed'], ['D-3', 3000, 'Co 3', 'Poe']),
    payments(['D-1', '2026-07-01', 70, 'Payment', 'R2'], ['D-3', '2026-07-01', 30, 'Payment', 'R3']),
  );
  const isTaken = ({ path }: { readonly path: string }) => path.includes('transaction');

  beforeEach(async () => {
    await writeWorkbook(desk.place.path('june.xlsx'), june);
    await writeWorkbook(desk.place.path('july.xlsx'), july);
    await load('june.xlsx', 'june.out.xlsx');
  });
  const paid = () => desk.posted.filter(isTaken).length;

  it('waits, as often as the file or its results are loaded', async () => {
    const before = paid();
    const first = await load('july.xlsx', 'r.xlsx', '--skip-loaded');
    expect(first.printed?.counts, first.stderr).toMatchObject({ changedSinceLoaded: 1, waiting: 1 });
    expect(first.stderr).toMatch(
      /Transactions row 2 {2}held {2}Waiting for the deal with the Ref "D-1" \(Deals row 2\): it went in/,
    );
    expect(paid()).toBe(before + 1);
    await expectHeld('july.xlsx', { changedSinceLoaded: 1, waiting: 1 }, '--skip-loaded');
    await load('july.xlsx', 'five.xlsx', '--skip-loaded', '--allow', 'same-ref');
    expect(paid()).toBe(before + 2);
  });

  it('waits when the load goes on after it was stopped', async () => {
    const before = paid();
    desk.said.set(desk.posted.length + 1, tokenRefused);
    await expectExit(load('july.xlsx', 'one.xlsx', '--skip-loaded'), 4);
    await expectCounts(desk.resume(), { waiting: 1 });
    expect(paid()).toBe(before + 1);
  });
});

describe('a row that cannot be sent at first is held once it can be', () => {
  const ofDeals = (...rows: readonly (readonly [string, number, string])[]): Table =>
    dealsNamed(...rows.map((row) => [...row, 'Lee']));
  const both = ofDeals(['D-1', 1000, 'Co 1'], ['D-2', 2000, 'Co 2']);
  const payments = (second: string): Table => [
    ['Deal ref', 'Date', 'Amount', 'Description'],
    ['D-1', '2026-06-29', 10, 'Daily debit'],
    ['D-1', second, 10, 'Daily debit'],
    ['D-2', '2026-06-30', 20, 'Daily debit'],
  ];
  const june = { Deals: both, Payments: payments('2026-06-30') };
  const corrected = payments('2026-07-01');
  const sheets = (of: Record<string, Table>) => writeWorkbook(desk.place.path('june.xlsx'), of);

  it.each([
    [
      'a payment of a deal with other values, corrected where it stands',
      { Deals: ofDeals(['D-1', 1111, 'Co 1'], ['D-2', 2000, 'Co 2']), Payments: corrected },
      { notSent: 1, changedSinceLoaded: 1 },
      null,
      { notSent: 1, changedSinceLoaded: 1 },
    ],
    [
      'a payment of a deal whose Ref another one had, corrected where it stands',
      { Deals: [...both, ['D-1', 3000, 'Co 3', 'Lee']], Payments: corrected },
      { invalid: 2 },
      { Deals: [...both, ['D-3', 3000, 'Co 3', 'Lee']], Payments: corrected },
      { notSent: 1, created: 1 },
    ],
    [
      'a copy of a sheet beside a copy of the deals',
      { ...june, 'Deals (2)': both, 'Payments (2)': june.Payments },
      { invalid: 5 },
      { ...june, 'Payments (2)': june.Payments },
      { notSent: 3 },
    ],
  ])('%s', async (_, first, counts, then, countsThen) => {
    await sheets(june);
    await load('june.xlsx', 'one.xlsx');
    await sheets(first);
    await expectCounts(load('june.xlsx', 'two.xlsx', '--skip-loaded'), counts);
    await sheets(then ?? first);
    const sent = desk.posted.length;
    await expectCounts(load('june.xlsx', 'three.xlsx', '--skip-loaded', '--allow', 'same-ref'), countsThen);
    expect(desk.posted).toHaveLength(sent + ('created' in countsThen ? 1 : 0));
    const again = load('three.xlsx', 'four.xlsx', '--skip-loaded', '--allow', 'same-ref');
    await expectCounts(again, { notSent: countsThen.notSent, created: 0 });
  });

  it('a deal with other values in the place of one that is in', async () => {
    desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.write('deals.csv', deals('Harbor', ['Marine', 'much'], 'Wharf'));
    await expectCounts(desk.load('deals.csv', '--results', 'red.csv'), { invalid: 1 });
    desk.correct('red.csv', 'much', '100');
    await expectHeld('red.csv', { notSent: 1, alreadyLoaded: 2 });
    expect(desk.sent).toHaveLength(3);
  });

  it('a deal with other values beside many that cannot be sent yet', async () => {
    desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf', 'Pier'));
    await desk.load('deals.csv');
    desk.write('deals.csv', deals('Harbor', 'Marine', ['Wharves', 'much'], ['Piers', 'much']));
    await expectHeld('deals.csv', { alreadyLoaded: 1, notSent: 1, invalid: 2 }, '--as', 'deals');
  });

  it('but not a deal in a place where nothing could be read', async () => {
    desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf'));
    await desk.load('deals.csv');
    const [header = [], harbor = [], , wharf = []] = deals('Harbor', 'Marina', 'Wharf');
    desk.write('deals.csv', [header, harbor, ['much', '', ''], wharf]);
    await expectCounts(desk.load('deals.csv', '--results', 'red.csv'), { invalid: 1, alreadyLoaded: 2 });
    const other = ['900', 'Canal', 'Zed'];
    desk.changeRows('red.csv', (rows) => rows.with(1, [...(rows[1] ?? []).slice(0, -other.length), ...other]));
    await expectCounts(desk.load('red.csv'), { created: 1, alreadyLoaded: 2 });
  });
});

it('a correction beside the line of another row is held, as often as the file is loaded', async () => {
  const table = (...rows: readonly (string | number)[][]): Table => [
    ['Ref', 'Amount requested', 'Company name', 'Owner last name', 'Company DBA', 'Owner first name', 'Company city'],
    ...rows,
  ];
  const mill = ['', 50, 'Mill', 'Ives', 'M', 'Bob', 'Rye'];
  desk.said.set(1, refusal);
  desk.write('june.csv', table(['', 100, 'Harbor', 'Moreno', 'Bakery', 'Ann', 'Albany'], mill));
  await load('june.csv', 'first.csv', '--as', 'deals');
  desk.write('june.csv', table(['', 170, 'Harbour', 'Moreni', 'Bakery', 'Ann', 'Albany'], mill));
  await load('june.csv', 'second.csv', '--as', 'deals');
  const [sent = []] = desk.rowsOf('second.csv');
  const changed: Readonly<Record<string, string>> = { Harbor: 'Harbourne', Moreno: 'Moreny', '100': '171' };
  desk.changeRows('first.csv', ([harbor = [], other = []]) => [
    harbor.map((cell) => changed[cell] ?? cell),
    other,
    sent,
  ]);
  await expectHeld('first.csv', { rows: 3, notSent: 1 });
});

it('a doubt about a repeat is that of its own row, whatever other rows say the same', async () => {
  const one = ['D-1', 100, 'Harbor', 'Moreno'];
  desk.write('deals.csv', dealsNamed(one, one.with(0, 'D-2')));
  await load('deals.csv', 'r.csv', '--as', 'deals');
  desk.said.set(4, serverError);
  await expectCounts(load('deals.csv', 'r2.csv', '--again'), { created: 1, inDoubt: 1 });
  desk.write('first.csv', dealsNamed(one));
  await expectCounts(load('first.csv', 'r3.csv', '--again', '--as', 'deals'), { created: 1, inDoubt: 0 });
});

it('another copy that --again has not sent yet is not sent by a plain load', async () => {
  desk.write('deals.csv', dealsNamed(['D-1', 100, 'Acme', 'Lee'], ['D-2', 200, 'Bell', 'Li']));
  await load('deals.csv', 'r.csv');
  desk.said.set(3, tokenRefused);
  expect((await load('deals.csv', 'r2.csv', '--again')).exitCode).toBe(4);
  await expectCounts(load('deals.csv', 'r3.csv'), { alreadyLoaded: 2 });
  desk.write('payments.csv', oneRow({ 'Deal ref': 'D-1', Date: '2026-07-01', Amount: 70, Type: 'Payment' }));
  await expectCounts(load('payments.csv', 'r4.csv', '--as', 'transactions'), { rows: 1, invalid: 0, waiting: 0 });
  // It could still go out in the run that was stopped, and once more in this one.
  const again = await load('deals.csv', 'r5.csv', '--again');
  expect(again.stderr).toMatch(/of deals\.csv has not ended, .*\n.*resume/);
  await expectCounts(desk.resume(), { created: 2 });
  await expectCounts(load('deals.csv', 'r6.csv', '--again'), { created: 2 });
});

it('what --again cannot send yet is not told as in, and goes out from its results', async () => {
  const sent = ['D-1', 100, 'Acme', 'Lee'];
  const others = [
    ['D-2', 200, 'Bell', 'Li'],
    ['D-3', 300, 'Coral', 'Lo'],
  ];
  desk.write('deals.csv', dealsNamed(sent, ...others));
  await load('deals.csv', 'r.csv');
  desk.write('more.csv', dealsNamed(sent.with(1, 'much'), ...others));
  const left = load('more.csv', 'r2.csv', '--as', 'deals', '--again', '--limit', '2');
  await expectCounts(left, { invalid: 1, created: 1, ready: 1, alreadyLoaded: 0 });
  await expectCounts(load('r2.csv', 'r3.csv', '--as', 'deals'), { invalid: 1, alreadyLoaded: 1, created: 1 });
});

it('where Refs link the rows of one file alone what belongs to a record of another file is no row of this one', async () => {
  const broker = (name: string) => ({
    Deals: dealsNamed(['D-1', 100, name, 'Lee']),
    Notes: oneRow({ 'Deal ref': 'D-1', Text: 'called', 'Deal status': 'Open' }),
  });
  desk.place.write('config.json', { profiles: { brokers: { url: desk.service.url, contract: { refScope: 'file' } } } });
  for (const name of ['Alpha', 'Beta']) {
    await writeWorkbook(desk.place.path(`${name}.xlsx`), broker(name));
    const where = ['--config', 'config.json', '--profile', 'brokers', '--yes', '--json', '--skip-loaded'];
    await expectCounts(desk.command(['import', `${name}.xlsx`, ...where]), { created: 2, alreadyLoaded: 0 });
    await expectCounts(desk.command(['import', `${name}.xlsx`, ...where]), { alreadyLoaded: 2 });
  }
});

it('a CSV file under another name is the same file, however it is read', async () => {
  const payments = ['01/04/2026', '02/04/2026'].map((day, at) => ['d1', day, at + 5, 'Payment', `A-${at}`]);
  desk.write('pay.csv', paymentsBy('Deal id')(...payments));
  await expectExit(load('pay.csv', 'r.csv', '--as', 'transactions', '--date-order', 'mdy'), 0);
  copyFileSync(desk.place.path('pay.csv'), desk.place.path('june.csv'));
  const sent = desk.posted.length;
  const other = load('june.csv', 'r2.csv', '--as', 'transactions', '--date-order', 'dmy');
  await expectCounts(other, { changedSinceLoaded: 2 });
  expect(desk.posted).toHaveLength(sent);
});

it('a row in doubt is told as such beside a copy of it that says something else', async () => {
  desk.said.set(1, serverError);
  desk.write('deals.csv', dealsNamed(['D-1', 100, 'Acme', 'Lee']));
  expect((await load('deals.csv', 'r.csv')).exitCode).toBe(6);
  desk.changeRows('r.csv', ([row = []]) => [row, row.map((cell) => (cell === 'Acme' ? 'Other' : cell))]);
  const told = await load('r.csv', 'r2.csv');
  expect([told.exitCode, told.printed?.counts.inDoubt]).toEqual([6, 2]);
  expect(desk.posted).toHaveLength(1);
});

it('results that are believed name rows of the ledger by their ids from then on', async () => {
  desk.write('deals.csv', dealsNamed(['D-1', 100, 'Acme', 'Lee']));
  await load('deals.csv', 'r.csv');
  const believing = ['--as', 'deals', '--trust-results', '--ledger', 'other.db'];
  await load('r.csv', 'r2.csv', ...believing);
  desk.correct('r.csv', '100', '9999');
  await expectCounts(load('r.csv', 'r3.csv', ...believing), { changedSinceLoaded: 1 });
});

it('a row of an earlier month, pasted into the results of the next one and put right there, goes out', async () => {
  const loadPayments = (file: string, results: string) => load(file, results, '--as', 'transactions');
  const loadMonth = (results: string, ...rows: readonly (string | number)[][]) => {
    desk.write('payments.csv', paymentsBy('Deal id')(...rows));
    return loadPayments('payments.csv', results);
  };
  await loadMonth('october.csv', ['deal_1', '', 10, 'Payment', 'R1'], ['deal_2', '2026-10-02', 20, 'Payment', 'R2']);
  await loadMonth(
    'november.csv',
    ['deal_3', '2026-11-03', 30, 'Payment', 'R3'],
    ['deal_4', '2026-11-04', 40, 'Payment', 'R4'],
  );
  const [wrong = []] = desk.rowsOf('october.csv');
  const corrected = wrong.map((cell, at) => (at === 7 ? '2026-10-01' : cell));
  desk.changeRows('november.csv', (rows) => [...rows, corrected]);
  await expectCounts(loadPayments('november.csv', 'all.csv'), { alreadyLoaded: 2, accepted: 1 });
});
