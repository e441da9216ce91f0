import { describe, expect, it } from 'vitest';
import { chooseColumns, groupColumns, RecordShape } from '../../src/export/columns.ts';
import { exportTally } from '../../src/export/export-tally.ts';
import { compareMonths } from '../../src/export/month-comparison.ts';

it.each([3, 30, 20_100])('a table of groups has every record and every amount in it: %d groups', (names) => {
  const columns = [
    { label: 'Funder', look: 'text', width: 8 },
    { label: 'Balance', look: 'money', width: 8 },
  ] as const;
  const tally = exportTally(columns, [0]);
  for (let record = 0; record < names; record += 1) tally.add([`F${record}`, { digits: '0.10' }]);
  tally.add(['F0', { digits: '0.05' }]);
  const rows = tally.groups()[0]?.rows ?? [];
  expect(rows.find(({ name }) => name === 'F0')).toEqual({ name: 'F0', count: 2, sum: '0.15' });
  expect(rows.length).toBe(Math.min(names, 1001));
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(names + 1);
  expect(rows.reduce((all, { sum }) => all + Math.round(Number(sum) * 100), 0)).toBe(names * 10 + 5);
});

describe('two months', () => {
  const shape = new RecordShape();
  shape.look(
    new Map([
      ['loanId', 'L1'],
      ['balance', '7.50'],
      ['status', 'Open'],
    ]),
  );
  const { columns } = chooseColumns(shape, { columns: [], lists: 'few' });

  it.each(['7.50', '007.50', 'n/a'])('of the same amount differ in nothing: %s', (amount) => {
    const row = ['L1', amount, 'Open'];
    const tally = exportTally(columns, []);
    const labels = columns.map(({ label }) => label);
    const comparison = compareMonths(columns, { name: 'may.xlsx', labels, rows: [row], notices: [] }, null);
    tally.add(row);
    comparison.note(row);
    expect(tally.totals().map(({ sum }) => sum)).toEqual([amount === 'n/a' ? '0' : '7.5']);
    const { same, amounts } = comparison.end(tally.sumOf).changes;
    expect([same, amounts.map(([, , , difference]) => difference)]).toEqual([1, ['0']]);
  });

  it('are grouped once by a column that is named twice', () => {
    expect(groupColumns(columns, ['status', 'Status'])).toEqual([2]);
  });
});
