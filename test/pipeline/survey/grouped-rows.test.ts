import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import { isError } from '../../../src/messages/finding.ts';
import { checkPlace, saidByRow } from '../../builders/check-place.ts';
import type { Table } from '../../builders/tables.ts';

const place = checkPlace();

/** The errors of a table by the row that has them. */
async function errorsOf(table: Table, kind: RecordKindName = 'transactions'): Promise<Record<number, string>> {
  return saidByRow(await place.checkTable(table, { kind }), isError);
}

const headers = ['Deal id', 'Date', 'Amount', 'Type'];
const name = (deal: string) => [deal, '', '', ''];
const payment = (amount: string, deal = '') => [deal, '2026-06-30', amount, 'Payment'];

describe('rows below a line that names their deal', () => {
  it('are no records of nobody, and the line is none at all', async () => {
    const table = [headers, name('deal_1'), payment('100'), payment('250'), name('deal_2'), payment('70')];
    const below = (row: number) =>
      `The row names no deal: row ${row} names it for the rows below, as reports do. Fill in Deal id in each of those rows.`;
    const line =
      'The row says nothing but its Deal id, as a line does that names a deal for the rows below it: it is no transaction. Take it out, and see that each of those rows has its Deal id.';
    expect(await errorsOf(table)).toEqual({ 2: line, 3: below(2), 4: below(2), 5: line, 6: below(5) });
  });

  it('make a line of each that says nothing else, in the same sheet: also of the last, which says when the report was made', async () => {
    const table = [headers, name('deal_0'), name('deal_1'), payment('100'), name('Wednesday, July 1, 2026 09:12 AM')];
    expect(Object.keys(await errorsOf(table))).toEqual(['2', '3', '4', '5']);
  });

  it('end at the next row that names its own', async () => {
    const table = [headers, name('deal_1'), payment('100'), payment('250', 'deal_2'), payment('70')];
    expect(Object.keys(await errorsOf(table))).toEqual(['2', '3']);
  });

  it('are found by refs as well, and where a row names one of several', async () => {
    const byRef = [['Deal ref', ...headers.slice(1)], name('D-1'), payment('100')];
    expect((await errorsOf(byRef))[3]).toMatch(/Fill in Deal ref/);
    const submissions = [
      ['Deal id', 'Company id', 'Note'],
      ['deal_1', '', ''],
      ['', 'cmp_1', 'Asked'],
      ['deal_2', '', ''],
      ['', '', 'Asked'],
    ];
    expect(Object.keys(await errorsOf(submissions, 'submissions'))).toEqual(['2', '4', '5']);
  });

  it('are none where no row below goes without a deal, nor where the line says more than its deal', async () => {
    expect(await errorsOf([headers, name('deal_1'), payment('100', 'deal_1')])).toEqual({});
    expect(await errorsOf([headers, payment('100', 'deal_1'), payment('70')])).toEqual({});
  });
});
