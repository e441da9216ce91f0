import { describe, expect, it } from 'vitest';
import { type ListedRun, runsTable } from '../../../src/cli/talk/runs-table.ts';
import { displayWidth } from '../../../src/cli/terminal/display-width.ts';

const run: ListedRun = {
  id: '2026-06-01-01',
  began: '2026-06-01 09:30',
  state: 'ended',
  file: 'deals of June from the northern brokers.xlsx',
  service: 'https://service.example/financing',
  rows: '32 created\n2 rejected',
};

function widthOf(table: string): number {
  return Math.max(...table.split('\n').map(displayWidth));
}

describe('the table of runs', () => {
  it('is whole where there is room for it, or no window', () => {
    for (const columns of [200, null]) {
      expect(runsTable([run], columns)).toContain(run.service);
      expect(runsTable([run], columns)).toContain(run.file);
    }
  });

  it('in a narrower window has no service first, then shorter names of files, which show both of their ends', () => {
    const withoutService = runsTable([run], 120);
    expect(widthOf(withoutService)).toBeLessThanOrEqual(120);
    expect(withoutService).toContain(run.file);
    expect(withoutService).not.toContain('Service');
    const narrow = runsTable([run, { ...run, file: '六月份的交易数据来自北方经纪人公司.xlsx' }], 80);
    expect(widthOf(narrow)).toBe(80);
    expect(narrow).toMatch(/│ deals o[^│]*…[^│]*\.xlsx │ 32 created/);
    expect(narrow).toContain('2026-06-01-01');
  });
});
