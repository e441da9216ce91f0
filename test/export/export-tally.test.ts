import { describe, expect, it } from 'vitest';
import { ExportTally } from '../../src/export/export-tally.ts';

describe('a table of groups', () => {
  it.each([3, 30, 20_100])('has every record and every amount in it: %d groups', (names) => {
    const columns = [
      { label: 'Funder', look: 'text', meaning: 'funder', width: 8 },
      { label: 'Balance', look: 'money', meaning: 'balance', width: 8 },
    ] as const;
    const tally = new ExportTally(columns, [0]);
    for (let record = 0; record < names; record += 1) tally.add([`F${record}`, { digits: '0.10' }]);
    tally.add(['F0', { digits: '0.05' }]);
    const [table] = tally.groups();
    const sumOf = (of: (row: NonNullable<typeof table>['rows'][number]) => number) =>
      table?.rows.reduce((sum, row) => sum + of(row), 0);
    expect(table?.rows[0]).toMatchObject({ name: 'F0', count: 2, sums: ['0.15'] });
    expect(table?.rows.length).toBe(Math.min(names, 26));
    expect(sumOf(({ count }) => count)).toBe(names + 1);
    expect(sumOf(({ sums }) => Math.round(Number(sums[0]) * 100))).toBe(names * 10 + 5);
  });
});
