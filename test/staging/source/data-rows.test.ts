import { describe, expect, it } from 'vitest';
import { deskForEachTest } from '../../builders/deals-desk.ts';

const desk = deskForEachTest();

describe('a row in which there is nothing but blanks', () => {
  it('is passed over like one without cells, and the rows keep their numbers', async () => {
    desk.write('payments.csv', [
      ['Deal id', 'Date', 'Amount'],
      ['deal_1', '2026-06-30', 100],
      [' ', '', '\u00a0'],
      ['deal_2', '2026-06-30', 200],
    ]);
    const load = await desk.loadWorkbook('payments.csv', '--as', 'transactions', '--results', 'out.csv');
    expect(load.printed?.counts, load.stderr).toMatchObject({ rows: 2, accepted: 2 });
    expect(desk.rowsOf('out.csv').map((cells) => cells[5]?.split('!')[1])).toEqual(['2', '4']);
    expect(desk.service.requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      expect.not.stringContaining('{}'),
    ]);
  });
});

describe('a line under the table', () => {
  const headers = ['', 'Deal id', 'Date', 'Amount', 'Memo'];
  const payment = (day: string) => ['', 'deal_1', day, '100', 'Daily'];
  const load = (...rows: readonly string[][]) => {
    desk.write('payments.csv', [headers, payment('2026-06-01'), payment('2026-06-02'), ...rows]);
    const words = ['--as', 'transactions', '--ignore-columns', 'Memo', '--results', 'out.csv'];
    return desk.loadWorkbook('payments.csv', ...words);
  };
  const inColumn = (column: number, text: string) => headers.map((_, index) => (index === column ? text : ''));
  const blank = inColumn(0, '');

  it('of which nothing would be sent is passed over, and the load says which', async () => {
    const { printed, stderr } = await load(blank, inColumn(4, 'Confidential'), blank, inColumn(0, 'June 30, 2026'));
    expect(printed?.counts, stderr).toMatchObject({ rows: 2, accepted: 2 });
    expect(stderr).toContain('payments: rows 5, 7 under the table skipped: no column that is sent has a value there.');
    expect(desk.rowsOf('out.csv')).toHaveLength(2);
  });

  it.each([
    ['without a blank row above it', [inColumn(4, 'Confidential')], 3],
    ['with a row to load below it', [blank, inColumn(4, 'Confidential'), payment('2026-06-03')], 4],
    ['in a column that is sent', [blank, inColumn(1, 'Confidential')], 3],
  ])('is a row like any other %s', async (_where, further, rows) => {
    const { printed, stderr } = await load(...further);
    expect(printed?.counts, stderr).toMatchObject({ rows });
  });

  it('with two cells stops the load for the one without a header', async () => {
    const { exitCode, stderr } = await load(blank, ['Total', '', '', '', 'Confidential']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('payments: Column A has values without a header (payments!A5)');
  });
});
