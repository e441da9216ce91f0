import { describe, expect, it } from 'vitest';
import { rowOf } from '../../src/export/cell-values.ts';
import { type ColumnChoice, chooseColumns, RecordShape } from '../../src/export/columns.ts';
import { type JsonObject, parseExactly } from '../../src/export/exact-json.ts';

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
  it('stand where they stand in the records, by their paths, also when a record leaves some out', () => {
    const whole = '{"a":1,"b":2,"c":{"d":3,"constructor":4},"f":5}';
    const paths = ['a', 'b', 'c.d', 'c.constructor', 'f'];
    expect(labelsOf([whole])).toEqual(paths);
    expect(labelsOf(['{"a":1,"f":5}', '{"b":2,"c":{"constructor":4},"f":1}', whole])).toEqual(paths);
  });

  it('are the chosen ones, by path or label, with a label and a look of their own', () => {
    const records = ['{"loanId":"a","company":{"name":"b"},"balance":1.5,"paid":2}'];
    const merchant = ['balance', 'company.name=Merchant', 'Loan ID=Loan'];
    expect(labelsOf(records, { columns: merchant })).toEqual(['balance', 'Merchant', 'Loan']);
    const rest = ['paid:text', '*', 'nothing'];
    expect(labelsOf(records, { columns: rest })).toEqual(['paid', 'loanId', 'company.name', 'balance', 'nothing']);
    const chosen = chooseColumns(shapeOf(...records).shape, { ...usual, columns: ['paid:text', 'nothing'] });
    expect(chosen.columns[0]?.look).toBe('text');
    expect(chosen.missing).toEqual(['nothing']);
    expect(() => labelsOf(records, { columns: ['paid:dollars'] })).toThrow(/"dollars".*not a way to show/);
  });

  it('show a list of records by its length, or its items side by side, and plain values together', () => {
    const records = ['{"tags":["a","b"],"payments":[{"day":"x"},{"day":"y"}]}'];
    expect(labelsOf(records, { lists: 'columns' })).toEqual(['tags', 'payments[0].day', 'payments[1].day']);
    expect(looksOf(...records)).toEqual({ tags: ['text', 'a; b'], 'payments (count)': ['integer', 2] });
  });
});

describe('the values of an export', () => {
  it('are amounts where they are numbers of such a name, and else what they are', () => {
    expect(
      looksOf(
        '{"balance":10,"paidAmount":"12.50","fee":"$1,250.00","open":{"balance":{"value":5}},"balanceCents":500,"interestRate":1.25,"daysPastDue":3,"isPaid":true,"zip":"07030"}',
      ),
    ).toEqual({
      balance: ['money', { digits: '10' }],
      paidAmount: ['money', { digits: '12.50' }],
      fee: ['text', '$1,250.00'],
      'open.balance.value': ['money', { digits: '5' }],
      balanceCents: ['number', { digits: '500' }],
      interestRate: ['number', { digits: '1.25' }],
      daysPastDue: ['number', { digits: '3' }],
      isPaid: ['text', true],
      zip: ['text', '07030'],
    });
  });

  it('with more digits than a spreadsheet holds are text, to the last digit', () => {
    expect(looksOf('{"loanId":12345678901234567890,"balance":9007199254740.93,"paid":12345678901234567.89}')).toEqual({
      loanId: ['number', '12345678901234567890'],
      balance: ['money', { digits: '9007199254740.93' }],
      paid: ['money', '12345678901234567.89'],
    });
  });

  it('with an exponent are written out, unless they are no amount of this world', () => {
    expect(looksOf('{"balance":1.5e3,"paid":1E-2,"fees":1e400}')).toEqual({
      balance: ['money', { digits: '1500' }],
      paid: ['money', { digits: '0.01' }],
      fees: ['money', '1e400'],
    });
  });

  it('are dates where all of them are', () => {
    expect(
      looksOf(
        '{"funded":"2026-06-30","never":"2026-02-31","noTime":"2026-02-30T10:00:00Z","paidOff":"2026-06-30T00:00:00Z","seen":"2026-06-30T23:30:00-05:00","createdAt":1782864000,"odd":"2026-06-30"}',
        '{"odd":"06/30/2026"}',
      ),
    ).toEqual({
      funded: ['date', { day: '2026-06-30' }],
      never: ['date', '2026-02-31'],
      'noTime (UTC)': ['date-time', '2026-02-30T10:00:00Z'],
      'paidOff (UTC)': ['date-time', { day: '2026-06-30', time: '00:00:00' }],
      'seen (UTC)': ['date-time', { day: '2026-07-01', time: '04:30:00' }],
      createdAt: ['number', { digits: '1782864000' }],
      odd: ['text', '2026-06-30'],
    });
  });
});
