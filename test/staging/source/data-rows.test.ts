import { expect, it } from 'vitest';
import { deskForEachTest } from '../../builders/deals-desk.ts';

const desk = deskForEachTest();

it('a row in which there is nothing but blanks is passed over like one without cells, and the rows keep their numbers', async () => {
  desk.write('payments.csv', [
    ['Deal id', 'Date', 'Amount'],
    ['deal_1', '2026-06-30', 100],
    [' ', '', '\u00a0'],
    ['deal_2', '2026-06-30', 200],
  ]);
  const load = await desk.loadWorkbook('payments.csv', '--as', 'transactions', '--results', 'out.csv');
  expect(load.printed?.counts, load.stderr).toMatchObject({ rows: 2, accepted: 2 });
  expect(desk.rowsOf('out.csv').map((cells) => cells[5]?.split('!')[1])).toEqual(['2', '4']);
  expect(desk.posted.map(({ body }) => body)).toEqual([1, 2].map(() => expect.not.stringContaining('{}')));
});
