import { describe, expect, it } from 'vitest';
import type { Cell } from '../../src/tables/row.ts';
import { errorsOf, numberCell, type RowsOptions, readColumn, readRows, warningsOf } from './rows.ts';

const amountsOf = (...cells: readonly string[]) =>
  readColumn('transactions', 'Amount', cells).map((row) => row.body.amount ?? errorsOf(row).join(' '));

describe('the decimal mark of a column of money', () => {
  it('is not guessed where 1.250 can be one or a thousand, and nothing else in the column tells', () => {
    const [first, second] = amountsOf('1.250', '12.500');
    expect(first).toMatch(/can be two amounts.*Write it like 1250 or 1.25/);
    expect(second).toMatch(/can be two amounts/);
  });

  it('is told by one cell for all', () => {
    expect(amountsOf('1.250', '7,50')).toEqual([1250, 7.5]);
    expect(amountsOf('1.250', '7.50')).toEqual([1.25, 7.5]);
    expect(amountsOf('1,250', '2,500')).toEqual([1250, 2500]);
  });

  it('is not told by a cell that is no amount', () => {
    expect(amountsOf('1,250', 'Total 7,5 items')[0]).toBe(1250);
  });

  it('leaves what is no money as it is written: a factor of 1.250', () => {
    const [row] = readColumn('submission-loans', 'Factor rate', ['1.250']);
    expect(row?.body.factorRate).toBe(1.25);
  });
});

describe('an amount with one mark before three digits, in a column that tells nothing', () => {
  const loansOf = (cells: readonly (readonly string[])[], options: RowsOptions = {}) =>
    readRows('submission-loans', ['Amount', 'Factor rate'], cells, options).map(
      (row) => row.body.factorRate ?? errorsOf(row).join(' '),
    );

  it('is refused beside another column with a decimal comma: a factor of 1,285 is hardly twelve hundred', () => {
    for (const factor of ['1,285', '1.285'])
      expect(loansOf([['45.000,00', factor]])[0]).toMatch(/^Factor rate "1[.,]285" can be two amounts: other columns/);
  });

  it('is refused in a file with semicolons between its cells, as programs with a decimal comma write it', () => {
    const said = loansOf([['1,250', '1,285']], { delimiter: ';' })[0];
    expect(said).toContain('Factor rate "1,285" can be two amounts');
    // An amount has no thousandths.
    expect(said).not.toContain('Amount "1,250" can be');
    expect(loansOf([['1,250.00', '1,285']], { delimiter: ';' })).toEqual([1285]);
  });

  it('is refused with a way to write it that is read, and a word on the other columns, which may be the slips', () => {
    expect(loansOf([['45.000,00', '1,285']])[0]).toBe(
      'Factor rate "1,285" can be two amounts: other columns of the sheet have a comma in front of their decimals, or semicolons stand between its cells, and nothing in this column settles it. If those commas are typos, correct them. Otherwise write it like 1250, or with one more zero, like 1,2850, or set "decimals" in a mapping.',
    );
    for (const factor of ['1,2850', '1.2850']) expect(loansOf([['45.000,00', factor]])).toEqual([1.285]);
  });

  it('is read where the other columns have points, both marks or none, and where a person has said the mark', () => {
    expect(loansOf([['45,000.00', '1,285']])).toEqual([1285]);
    expect(loansOf([['45,000', '1,285']])).toEqual([1285]);
    const loans = (...cells: readonly string[]) => loansOf([cells.slice(0, 2), cells.slice(2)]);
    expect(loans('45.000,00', '1,285', '45,000.00', '1,285')).toEqual([1285, 1285]);
    expect(loansOf([['45.000,00', '1,285']], { decimals: 'comma' })).toEqual([1.285]);
    // A cell of its own column counts before the others.
    expect(loans('45.000,00', '1,285', '45.000,00', '1,2')).toEqual([1.285, 1.2]);
  });
});

describe('the order of the dates of a column', () => {
  it('is not told by a day that no calendar has', () => {
    const [first] = readColumn('transactions', 'Date', ['03/04/2026', '31/02/2026']);
    expect(first === undefined ? [] : errorsOf(first).join(' ')).toMatch(/can be read month first .* or day first/);
  });

  const told = (dates: readonly string[], options: RowsOptions = {}) =>
    readColumn('transactions', 'Date', dates, options).map(({ body, problems }) => [
      body.date,
      ...problems.filter(({ column }) => column === 0).map(({ code }) => code),
    ]);
  const many = ['11/02/2026', '11/03/2026', '11/04/2026', '11/05/2026', '11/06/2026', '11/09/2026'];

  it('is doubtful where one cell tells it for many', () => {
    expect(told([...many, '13/11/2026']).slice(-2)).toEqual([
      ['2026-09-11', 'day-read-as', 'order-told-by-few'],
      ['2026-11-13', 'day-read-as'],
    ]);
    expect(told([...many, '13/11/2026', '14/11/2026'])[0]).toEqual(['2026-02-11', 'day-read-as']);
  });

  it('is doubtful where a cell shows another than a person has said', () => {
    expect(told([...many, '13/11/2026'], { dateOrder: 'mdy' }).slice(-2)).toEqual([
      ['2026-11-09', 'day-read-as'],
      ['2026-11-13', 'day-read-as', 'against-order'],
    ]);
  });
});

describe('numbers beside amounts that are text', () => {
  const notesOf = (...cells: readonly Cell[]) =>
    readColumn('transactions', 'Amount', cells).map((row) => warningsOf(row).join(' '));
  const perhaps = (read: string, mark: string, made: string) =>
    `is read as ${read}, but was perhaps a thousand times as much: other cells of the column are text with a decimal ${mark}, and the spreadsheet that left them so takes ${made} for 1.25. Compare it with the original, and if it was more, enter the whole amount, like 1250.`;

  it('are perhaps thousands where the texts have a decimal comma', () => {
    const [first, second, ...others] = notesOf(numberCell(1.25), '1.250,50', numberCell(0), numberCell(1250.5));
    expect(first).toBe(`Amount "1.25" ${perhaps('1.25', 'comma', '1.250')}`);
    expect(second).toBe('Amount "1.250,50" is read as 1250.50.');
    expect(others).toEqual(['', '']);
  });

  it('are so where the texts have a decimal point, and a number has a tenth of a cent as thousands have it', () => {
    const [first, second] = notesOf(numberCell(12.5), numberCell(1.234), '1,250.50');
    expect(first).toBe(`Amount "12.5" ${perhaps('12.5', 'point', '1,250')}`);
    expect(second).toBe(`Amount "1.234" ${perhaps('1.234', 'point', '1,250')}`);
  });

  it('are what they are where the point is usual and their decimals are cents', () => {
    expect(notesOf(numberCell(12.5), '1250.50')[0]).toBe('');
    expect(notesOf(numberCell(267.857142857143), '$312.50')[0]).not.toContain('a thousand times');
  });
});
