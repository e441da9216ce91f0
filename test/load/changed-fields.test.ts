/** Of a row that is in and says something else now, its results tell which of its fields do. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { type Loaded, StagedMonth } from './staged-month.ts';

const file = folderForEachTest();
let month: StagedMonth;
beforeEach(async () => {
  month = await StagedMonth.open(file);
});
afterEach(() => month.close());

const companies = ['Ref', 'Company name', 'Contact types', 'Phone', 'Phone 2', 'EIN', 'Email'];
const acme = ['C-1', 'Acme', 'Merchant', '555', '', '12-3456789', 'a@acme.example'];
const later = acme.with(3, '').with(4, '1');
const deals = ['Ref', 'Amount requested', 'Company name', 'Owner last name', 'Owner 1 SSN', 'Company ref'];
const deal = ['D-1', '100', 'Acme', 'Moreno', '219-09-9999', 'C-1'];
const line = (cells: readonly string[]) => cells.join(',');
const [problemsCell, ownCells] = [1, 6];

/** The names of the fields, and what they were. */
function toldOf({ results: [, row = []] }: Loaded): string | null {
  const [, told] = /^(.*) changed since the row went in/.exec(row[problemsCell] ?? '') ?? [];
  return told?.replaceAll(/ \(was "?([^)"]*)"?\)/g, ' < $1') ?? null;
}

describe('P19: a row that is in and has other values now names its fields', () => {
  it.each<[what: string, headers: string[], before: string[], now: (cells: string[]) => string[], told: string | null]>(
    [
      ['a phone', companies, acme, (row) => row.with(3, '518-555-9999'), 'Phone < 555'],
      ['two', companies, acme, (row) => row.with(3, '9').with(2, 'Other'), 'Contact types < Merchant, Phone < 555'],
      ['a cell that was filled in', companies, acme, (row) => row.with(4, '518-555-9999'), 'Phone 2 < blank'],
      ['a cell that was emptied', companies, acme, (row) => row.with(6, ''), 'E-mail < a@acme.example'],
      ['a later part of a list', companies, later, (row) => row.with(4, '2'), 'Phone 2 < 1'],
      ['another way of writing', companies, acme, (row) => row.with(5, '123456789'), null],
      ['a phone in front of another', companies, later, (row) => row.with(3, '2'), 'Phone < blank'],
      ['a phone in front, emptied', companies, acme.with(4, '1'), (row) => row.with(3, ''), 'Phone < 555'],
      ['a hidden cell', deals, deal, (row) => row.with(4, '219-09-8888'), 'Owner 1 SSN'],
      ['an emptied hidden cell', deals, deal, (row) => row.with(4, ''), 'Owner 1 SSN'],
      ['another company', deals, deal, (row) => row.with(5, 'C-2'), 'Company ref < C-1'],
    ],
  )('%s', async (_, headers, before, now, told) => {
    if (headers === deals)
      await month.load('companies.csv', ['Ref,Company name,Contact types', 'C-1,A,Merchant', 'C-2,B,Merchant']);
    expect((await month.load('month.csv', [line(headers), line(before)])).told).toEqual(['created']);
    const original = await month.load('month.csv', [line(headers), line(now(before))]);
    expect(toldOf(original)).toBe(told);
    expect(JSON.stringify(original.results[1]?.[problemsCell])).not.toMatch(/219-09/);
  });

  it('but not where one cannot be read, which the preview says too', async () => {
    await month.load('deals.csv', [line(deals), line(deal.with(5, ''))]);
    const { found, results } = await month.load('deals.csv', [line(deals), line(deal.with(5, '').with(1, 'TBD'))]);
    expect(found).toEqual(expect.arrayContaining(['changed-since-loaded', 'not-a-number']));
    expect(results[1]?.[problemsCell]).toMatch(/^Cells of this row cannot be read/);
  });

  it('in its results, sorted, with masked cells', async () => {
    const first = await month.load('deals.csv', [
      line(deals),
      line(deal.with(5, '')),
      line(['D-2', '7', 'Bell', 'Roe', '', '']),
    ]);
    const again = await month.loadResults('results.csv', first, ([one = [], two = []]) => [
      two,
      one.with(ownCells + 1, '120'),
    ]);
    expect(again.told).toEqual(['already-loaded', 'changed-since-loaded']);
    expect(toldOf({ ...again, results: again.results.toSpliced(1, 1) })).toBe('Amount requested < 100');
  });

  it('against what went in, however often it is changed, and not once it is put back', async () => {
    const load = (name: string, email: string) =>
      month.load('companies.csv', [line(companies), line(acme.with(1, name).with(6, email))]);
    await load('Acme', 'a@acme.example');
    expect(toldOf(await load('Acmes', 'a@acme.example'))).toBe('Company name < Acme');
    expect(toldOf(await load('Acmes', 'b@acme.example'))).toBe('Company name, E-mail < a@acme.example');
    expect((await load('Acme', 'a@acme.example')).told).toEqual(['already-loaded']);
  });

  it('and the ledger has none of their values', async () => {
    await month.load('deals.csv', [line(deals), line(deal.with(5, ''))]);
    await month.load('deals.csv', [line(deals), line(deal.with(5, '').with(4, '219-09-8888'))]);
    expect(readFileSync(file('ledger.db'), 'latin1')).not.toMatch(/219-09|Moreno/);
  });
});
