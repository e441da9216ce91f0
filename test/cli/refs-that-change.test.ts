import { describe, expect, it } from 'vitest';
import { deskForEachTest } from '../builders/deals-desk.ts';
import { oneRow, writeWorkbook } from '../builders/tables.ts';

const desk = deskForEachTest();

const headers = ['Ref', 'Amount requested', 'Company name', 'Owner last name'];
type Row = readonly [ref: string, amount: number, company: string];

function write(...rows: readonly Row[]): void {
  desk.write('deals.csv', [headers, ...rows.map((row) => [...row, 'Moreno'])]);
}

async function load(results: string, ...further: readonly string[]) {
  await desk.load('deals.csv', '--results', results, ...further);
  return desk.rowsOf(results).map(([status]) => status);
}

describe('Refs filled down anew', () => {
  const first: readonly Row[] = [
    ['D-1', 100, 'Harbor'],
    ['D-2', 200, 'Marina'],
    ['D-3', 300, 'Kite'],
  ];
  const shifted: readonly Row[] = [
    ['D-1', 50, 'Newcomer'],
    ['D-2', 100, 'Harbor'],
    ['D-3', 200, 'Marina'],
    ['D-4', 300, 'Kite'],
  ];

  it('make no second record of the row that says what another one went in with', async () => {
    write(...first);
    await load('r.csv');
    write(...shifted);
    const changed = 'Changed since loaded';
    expect(await load('r2.csv')).toEqual([changed, changed, changed, 'Not sent']);
    expect(desk.problemsOf('r2.csv', 3)).toContain('--allow equal-to-loaded-row');
    expect(desk.sent).toEqual(['Harbor', 'Marina', 'Kite']);
  });

  it('let it go out when a person says so', async () => {
    write(...first);
    await load('r.csv');
    write(...shifted);
    await load('r2.csv', '--allow', 'equal-to-loaded-row');
    expect(desk.sent.filter((name) => name === 'Kite')).toHaveLength(2);
  });
});

describe('a row that says what a record with another Ref went in with', () => {
  it('is not told as loaded: its Ref says that it is another one', async () => {
    write(['D-1', 100, 'Harbor']);
    await load('r.csv');
    write(['D-77', 100, 'Harbor']);
    expect(await load('r2.csv')).toEqual(['Not sent']);
    write(['D-77', 100, 'Harbor'], ['D-1', 100, 'Harbor']);
    expect(await load('r3.csv')).toEqual(['Created', 'Already loaded']);
  });

  it('is known when it has no Ref now, or had none', async () => {
    write(['D-1', 100, 'Harbor'], ['', 200, 'Marina']);
    await load('r.csv');
    write(['', 100, 'Harbor'], ['D-2', 200, 'Marina']);
    expect(await load('r2.csv')).toEqual(['Already loaded', 'Already loaded']);
  });
});

describe('a row of the same file that is corrected', () => {
  it.each([
    ['loses its Ref', 'D-1', ''],
    ['gets a Ref', '', 'D-1'],
  ])('and %s is held', async (_, before, after) => {
    write([before, 100, 'Harbor']);
    await load('r.csv');
    write([after, 101, 'Harbor']);
    expect(await load('r2.csv')).toEqual(['Not sent']);
    expect(desk.problemsOf('r2.csv', 0)).toContain('--allow possible-correction');
  });

  it('and loses its Ref while it is in doubt is held', async () => {
    desk.said.set(1, { status: 500, body: 'later' });
    write(['D-1', 100, 'Harbor']);
    expect(await load('r.csv')).toEqual(['In doubt']);
    write(['', 101, 'Harbor']);
    expect(await load('r2.csv')).toEqual(['Not sent']);
    expect(desk.sent).toEqual(['Harbor']);
  });

  it('and gets another Ref is a new one: the same company asks again', async () => {
    write(['D-1', 100, 'Harbor']);
    await load('r.csv');
    write(['D-2', 101, 'Harbor']);
    expect(await load('r2.csv')).toEqual(['Created']);
  });
});

const month = (dba: string, amount: number) =>
  writeWorkbook(desk.place.path('month.xlsx'), {
    Companies: oneRow({ Ref: 'C-1', 'Company name': 'Harbor', 'Contact types': 'Merchant', DBA: dba }),
    Deals: oneRow({ Ref: 'D-1', 'Company ref': 'C-1', 'Amount requested': amount, 'Owner last name': 'Moreno' }),
    Transactions: oneRow({ 'Deal ref': 'D-1', Date: '2026-01-02', Amount: 10, Reference: 'R1' }),
  });

it.each([
  ['company', 'The Harbor', 100],
  ['deal', '', 101],
])(
  'where Refs link the rows of one file alone a %s that is corrected in the original is held, and what belongs to it waits',
  async (_, dba, amount) => {
    const profile = { url: desk.service.url, contract: { refScope: 'file' } };
    desk.place.write('config.json', { profiles: { live: profile } });
    const words = ['import', 'month.xlsx', '--config', 'config.json', '--profile', 'live', '--yes', '--json'];
    await month('', 100);
    expect((await desk.command(words)).printed?.counts).toMatchObject({ created: 2, accepted: 1 });
    await month(dba, amount);
    expect((await desk.command([...words, '--skip-loaded'])).printed?.counts).toMatchObject({
      created: 0,
      accepted: 0,
    });
    expect(desk.posted).toHaveLength(3);
  },
);

it('an original is known by what its results showed, where these were believed', async () => {
  const table = [
    ['Amount requested', 'Company name', 'Owner last name', 'Owner SSN'],
    [100, 'Harbor', 'Moreno', '219-09-9999'],
  ];
  desk.write('deals.csv', table);
  await load('deals.results.csv');
  const other = ['--ledger', 'other.db'];
  await desk.load('deals.results.csv', ...other, '--trust-results', '--results', 'r2.csv');
  expect(await load('r3.csv', ...other)).toEqual(['Already loaded']);
  expect(desk.sent).toEqual(['Harbor']);
});
