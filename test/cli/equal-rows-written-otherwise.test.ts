import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DealsDesk } from '../builders/deals-desk.ts';
import type { Table } from '../builders/tables.ts';

let desk: DealsDesk;

beforeEach(async () => {
  desk = await DealsDesk.open();
});
afterEach(() => desk.close());

const deal = ['Amount requested', 'Company name', 'Owner last name'];
const twin = [5, 'Harbor', 'Moreno'];

/** Loads the first row alone, and then the results sheet of that trial as it is. */
async function loadInTwo(table: Table, kind = 'deals') {
  desk.write('rows.csv', table);
  const where = ['--as', kind, '--results'];
  await desk.load('rows.csv', ...where, 'one.csv', '--limit', '1');
  const ended = await desk.load('one.csv', ...where, 'two.csv', '--skip-loaded');
  return { counts: ended.printed?.counts, statuses: desk.statuses('two.csv'), told: ended.stderr };
}

describe('of two equal rows of which one went in with a trial, the other goes in with the results sheet', () => {
  it.each<[string, Table, string]>([
    ['in the same way', [deal, twin, twin], 'deals'],
    [
      'with and without the dash of an EIN',
      [
        [...deal, 'EIN'],
        [...twin, '12-3456789'],
        [...twin, '123456789'],
      ],
      'deals',
    ],
    [
      'with the marks of a phone in other places',
      [
        [...deal, 'Company phone'],
        [...twin, '518-555-0140'],
        [...twin, '(518) 555-0140'],
      ],
      'deals',
    ],
    [
      'with a blank for what the service takes a blank for',
      [
        [...deal, 'Stage'],
        [...twin, ''],
        [...twin, 'Lead'],
      ],
      'deals',
    ],
    [
      'with an SSN, which the results hide of the one that is in',
      [
        [...deal, 'Owner 1 SSN'],
        [...twin, '219-09-9999'],
        [...twin, '219-09-9999'],
      ],
      'deals',
    ],
  ])('also when they are written %s', async (_way, table, kind) => {
    const { counts, statuses, told } = await loadInTwo(table, kind);
    expect(counts, told).toMatchObject({ created: 1, alreadyLoaded: 1 });
    expect(statuses).toEqual(['Already loaded', 'Created']);
    expect(desk.sent).toHaveLength(2);
  });

  it('also when one names its deal by id and the other by the Ref of an earlier load', async () => {
    desk.write('deal.csv', [
      ['Ref', ...deal],
      ['D1', 5, 'Parent', 'Moreno'],
    ]);
    await desk.load('deal.csv', '--results', 'deal.results.csv');
    const [id = ''] = desk.rowsOf('deal.results.csv').map(([, given]) => given);
    const { counts, told } = await loadInTwo(
      [
        ['Deal id', 'Deal ref', 'Date', 'Amount', 'Type'],
        [id, '', '2026-06-30', 100, 'Payment'],
        ['', 'D1', '2026-06-30', 100, 'Payment'],
      ],
      'transactions',
    );
    expect(counts, told).toMatchObject({ accepted: 1, alreadyLoaded: 1 });
  });
});
