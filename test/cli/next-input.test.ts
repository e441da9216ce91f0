import { describe, expect, it } from 'vitest';
import { deskForEachTest } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { startRecordingService } from '../builders/recording-service.ts';
import { changeCells, readWorkbook, writeWorkbook } from '../builders/tables.ts';

const headers = ['Ref', 'Amount requested', 'Company name', 'Owner last name', 'Use of proceeds'];
const table = [
  headers,
  ['D-1', 100, 'Harbor Bakery', 'Moreno', '=1+1'],
  ['D-2', -5, 'Mill Dental', 'Okafor', 'Chairs'],
  ['D-3', 300, 'Kite Toys', 'Park', 'Stock'],
  ['D-4', 'much', 'Pine Movers', 'Ortiz', 'Vans'],
];

describe('a results sheet as the next input', () => {
  const desk = deskForEachTest();
  const { place } = desk;
  const load: typeof desk.loadWorkbook = (...words) => desk.loadWorkbook(...words);
  const correct = (row: number, cells: Record<string, string | number>) =>
    changeCells(place.path('deals.results.xlsx'), 'Deals', row, cells);

  it('sends the corrected rows and leaves what is in, three times round, also saved by another program', async () => {
    await writeWorkbook(place.path('deals.xlsx'), { Deals: table });
    await expectCounts(load('deals.xlsx'), { rows: 4, created: 2, invalid: 2 });

    await correct(3, { 'Amount requested': 50 });
    const { printed } = await expectCounts(load('deals.results.xlsx'), { created: 1, alreadyLoaded: 2, invalid: 1 });
    expect(printed).toMatchObject({ counts: { rows: 4 }, results: place.path('deals.results.xlsx') });

    await correct(5, { 'Amount requested': 400 });
    await expectCounts(expectExit(load('deals.results.xlsx'), 0), { rows: 4, created: 1, alreadyLoaded: 3 });
    expect(desk.service.requests).toHaveLength(4);
    const rows = await readWorkbook(place.path('deals.results.xlsx'), 'Deals');
    expect(rows.map((row) => row['Company name'])).toEqual([
      'Harbor Bakery',
      'Mill Dental',
      'Kite Toys',
      'Pine Movers',
    ]);
    expect(rows[0]?.ID).toBe('rec_1');
  });

  it('P22: is the same for results as CSV, with defused text restored', async () => {
    desk.write('deals.csv', table);
    await load('deals.csv', '--results', 'one.csv');
    const text = place.read('one.csv');
    place.write('one.csv', text.replace('D-2,-5', 'D-2,50').replace('D-4,much', 'D-4,400'));
    await expectCounts(load('one.csv', '--as', 'deals', '--results', 'two.csv'), { created: 2, alreadyLoaded: 2 });
    expect(desk.service.requests).toHaveLength(4);
    expect(JSON.parse(desk.service.requests[0]?.body ?? '').useOfProceeds).toBe('=1+1');
  });

  it('stops as CSV where a comma that was typed into it has moved cells, and is read with cells beside the table', async () => {
    const withRemark = table.map((row, index) => (index === 3 ? [...row, '', 'Ask Ann'] : row));
    await writeWorkbook(place.path('deals.xlsx'), {
      Deals: withRemark.map((row) => row.with(4, row[4] === 'Chairs' ? '' : (row[4] ?? ''))),
    });
    await load('deals.xlsx', '--results', 'one.csv');
    const text = place.read('one.csv');
    expect(text.split('\r\n')[0]).toMatch(/,Use of proceeds,,$/);
    await expectCounts(load('one.csv', '--as', 'deals', '--results', 'two.csv'), { alreadyLoaded: 2 });
    place.write('one.csv', text.replace('D-2,-5', 'D-2,1,250'));
    await expectExit(load('one.csv', '--as', 'deals', '--results', 'two.csv'), 2);
    expect(desk.service.requests).toHaveLength(2);
  });

  it('is not taken at its word where the ledger knows the run, and no such row of it: a key counts on when it is filled down', async () => {
    await writeWorkbook(place.path('deals.xlsx'), { Deals: [headers, table[1] ?? [], table[3] ?? []] });
    await load('deals.xlsx');
    const [, last] = await readWorkbook(place.path('deals.results.xlsx'), 'Deals');
    const filledDown = { Status: 'Created', ID: 'rec_3', Run: String(last?.Run).replace('!3', '!4') };
    const own = { 'Amount requested': 400, 'Company name': 'Pine Movers', 'Owner last name': 'Ortiz' };
    await correct(4, { ...filledDown, ...own });
    await expectExit(load('deals.results.xlsx'), 6, /whether the row is in as rec_3\. .* Empty the first six cells/);
    await expectCounts(load('deals.results.xlsx', '--trust-results'), { rows: 3, alreadyLoaded: 3 });
    await correct(4, { Status: '', ID: '', Run: '' });
    await expectCounts(load('deals.results.xlsx'), { rows: 3, alreadyLoaded: 3 });
    expect(desk.service.requests).toHaveLength(2);
  });

  it('loads in full into another service than the one it came from, but for a row with a masked value', async () => {
    const [head = [], ...rows] = table;
    const secrets = ['987-65-4321', '', '', ''];
    const withSecret = rows.map((row, at) => [...row, secrets[at] ?? '']);
    await writeWorkbook(place.path('deals.xlsx'), { Deals: [[...head, 'Owner SSN'], ...withSecret] });
    await load('deals.xlsx');
    const other = await startRecordingService();
    try {
      await expectCounts(expectExit(load('deals.results.xlsx', '--url', other.url), 1), { created: 1, invalid: 3 });
      expect(other.requests.map(({ body }) => JSON.parse(body).company.name)).toEqual(['Kite Toys']);
    } finally {
      await other.stop();
    }
  });
});
