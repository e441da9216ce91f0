import { describe, expect, it } from 'vitest';
import { exportTally } from '../../src/export/export-tally.ts';

describe('a table of groups', () => {
  it.each([3, 30, 20_100])('has every record and every amount in it: %d groups', (names) => {
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
});
