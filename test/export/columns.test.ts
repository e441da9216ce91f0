import { describe, expect, it } from 'vitest';
import { rowOf } from '../../src/export/cell-values.ts';
import { labelOf } from '../../src/export/column-look.ts';
import { type ColumnChoice, chooseColumns } from '../../src/export/columns.ts';
import { type JsonObject, parseExactly } from '../../src/export/exact-json.ts';
import { RecordShape } from '../../src/export/record-shape.ts';

const usual: ColumnChoice = { columns: [], lists: 'count' };

function shapeOf(...records: readonly string[]) {
  const shape = new RecordShape();
  const parsed = records.map((text) => parseExactly(text) as JsonObject);
  for (const record of parsed) shape.look(record);
  return { shape, parsed };
}

function labelsOf(records: readonly string[], choice: Partial<ColumnChoice> = {}): readonly string[] {
  return chooseColumns(shapeOf(...records).shape, { ...usual, ...choice }).columns.map(({ label }) => label);
}

/** The look of each field of a record, and its cell. */
function looksOf(...records: readonly string[]) {
  const { shape, parsed } = shapeOf(...records);
  const { columns } = chooseColumns(shape, usual);
  const first = parsed[0];
  const cells = first === undefined ? [] : rowOf(first, columns);
  return Object.fromEntries(columns.map(({ label, look }, index) => [label, [look, cells[index]]]));
}

describe('the columns of an export', () => {
  it('have labels that people say', () => {
    expect(labelOf(['loanId'])).toBe('Loan ID');
    expect(labelOf(['company', 'name'])).toBe('Company name');
    expect(labelOf(['owner', 'ownerSSN'])).toBe('Owner SSN');
    expect(labelOf(['past_due_amount'])).toBe('Past due amount');
    expect(labelOf(['phones', 0, 'number'])).toBe('Phones 1 number');
    expect(labelOf(['...'])).toBe('...');
  });

  it('have labels that people say, also where a field has a name that every object knows', () => {
    expect(labelOf(['constructor'])).toBe('Constructor');
    expect(labelOf(['owner', 'constructor'])).toBe('Owner constructor');
  });

  it('stand where they stand in the records, also when a record leaves some out', () => {
    const whole = '{"a":1,"b":2,"c":{"d":3,"e":4},"f":5}';
    expect(labelsOf([whole])).toEqual(['A', 'B', 'C d', 'C e', 'F']);
    expect(labelsOf(['{"a":1,"f":5}', '{"b":2,"c":{"e":4},"f":1}', whole])).toEqual(['A', 'B', 'C d', 'C e', 'F']);
  });

  it('tell two fields of one label apart', () => {
    expect(labelsOf(['{"companyName":"a","company":{"name":"b"}}'])).toEqual([
      'Company name',
      'Company name (company.name)',
    ]);
  });

  it('are the chosen ones, by path or label, with a label and a look of their own', () => {
    const records = ['{"loanId":"a","company":{"name":"b"},"balance":1.5,"paid":2}'];
    expect(labelsOf(records, { columns: ['balance', 'company.name=Merchant', 'Loan ID'] })).toEqual([
      'Balance',
      'Merchant',
      'Loan ID',
    ]);
    expect(labelsOf(records, { columns: ['paid:text', '*', 'nothing'] })).toEqual([
      'Paid',
      'Loan ID',
      'Company name',
      'Balance',
      'Nothing',
    ]);
    const chosen = chooseColumns(shapeOf(...records).shape, { ...usual, columns: ['paid:text', 'nothing'] });
    expect(chosen.columns[0]?.look).toBe('text');
    expect(chosen.missing).toEqual(['nothing']);
    expect(() => labelsOf(records, { columns: ['paid:dollars'] })).toThrow(/"dollars".*no way to show/);
  });

  it('show a list of records by its length, or its items side by side, and plain values together', () => {
    const records = ['{"tags":["a","b"],"payments":[{"day":"x"},{"day":"y"}]}'];
    expect(labelsOf(records)).toEqual(['Tags', 'Payments (count)']);
    expect(labelsOf(records, { lists: 'columns' })).toEqual(['Tags', 'Payments 1 day', 'Payments 2 day']);
    expect(looksOf(...records)).toEqual({ Tags: ['text', 'a; b'], 'Payments (count)': ['integer', 2] });
  });
});

describe('the values of an export', () => {
  it('are money by their names, or by their cents', () => {
    expect(
      looksOf(
        '{"balance":10,"amount":"12.50","fee":"$1,250.00","share":12.5,"x":1.25,"factorRate":1.25,"paymentDay":3,"term":12}',
      ),
    ).toEqual({
      Balance: ['money', { digits: '10' }],
      Amount: ['money', { digits: '12.50' }],
      Fee: ['text', '$1,250.00'],
      Share: ['number', { digits: '12.5' }],
      X: ['money', { digits: '1.25' }],
      'Factor rate': ['number', { digits: '1.25' }],
      'Payment day': ['integer', { digits: '3' }],
      Term: ['integer', { digits: '12' }],
    });
  });

  it('are text where they are ids, long, or unclear', () => {
    expect(
      looksOf('{"loanId":12345678901234567890,"zip":"07030","code":"0012","big":12345678901234567,"n":"12"}'),
    ).toEqual({
      'Loan ID': ['text', '12345678901234567890'],
      ZIP: ['text', '07030'],
      Code: ['text', '0012'],
      Big: ['text', '12345678901234567'],
      N: ['text', '12'],
    });
  });

  it('of money with more digits than a spreadsheet holds are text, to the last digit', () => {
    expect(looksOf('{"balance":9007199254740.93,"paid":12345678901234567.89}')).toEqual({
      Balance: ['money', { digits: '9007199254740.93' }],
      Paid: ['money', '12345678901234567.89'],
    });
  });

  it('are money where an object holds an amount and its currency, and not where they are cents', () => {
    expect(looksOf('{"balance":{"value":5,"currency":"USD"},"balanceCents":500}')).toEqual({
      'Balance value': ['money', { digits: '5' }],
      'Balance currency': ['text', 'USD'],
      'Balance cents': ['integer', { digits: '500' }],
    });
  });

  it('with an exponent are written out, unless they are no amount of this world', () => {
    expect(looksOf('{"balance":1.5e3,"paid":1E-2,"fees":1e400}')).toEqual({
      Balance: ['money', { digits: '1500' }],
      Paid: ['money', { digits: '0.01' }],
      Fees: ['money', '1e400'],
    });
  });

  it('are dates where all of them are', () => {
    expect(
      looksOf(
        '{"funded":"2026-06-30","paidOff":"2026-06-30T00:00:00Z","seen":"2026-06-30T23:30:00-05:00","createdAt":1782864000,"odd":"2026-06-30"}',
        '{"odd":"06/30/2026"}',
      ),
    ).toEqual({
      Funded: ['date', { day: '2026-06-30' }],
      'Paid off (UTC)': ['date-time', { day: '2026-06-30', time: '00:00:00' }],
      'Seen (UTC)': ['date-time', { day: '2026-07-01', time: '04:30:00' }],
      'Created at': ['integer', { digits: '1782864000' }],
      Odd: ['text', '2026-06-30'],
    });
  });
});
