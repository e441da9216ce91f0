import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import { isError } from '../../../src/messages/finding.ts';
import { checkPlace, isWarning, saidByRow } from '../../builders/check-place.ts';
import { type Table, writeCsv, writeWorkbook } from '../../builders/tables.ts';

const place = checkPlace();

interface Reading {
  readonly kind?: RecordKindName;
  readonly mapping?: object;
  readonly file?: string;
  /** The rows of a workbook that are hidden, by their numbers. */
  readonly hidden?: readonly number[];
}

/** The errors of a table by the row that has them. */
async function errorsOf(
  table: Table,
  { kind = 'transactions', mapping, file = 'rows.csv', hidden = [] }: Reading = {},
) {
  if (file.endsWith('.csv')) writeCsv(place.path(file), table);
  else await writeWorkbook(place.path(file), { Rows: table }, hidden);
  const checked = await place.check(file, mapping === undefined ? { kind } : { mapping: { sheets: [mapping] } });
  const refused = checked.problemRows.filter(({ problems }) => problems.some(isError));
  return {
    errors: saidByRow(checked, isError),
    warnings: saidByRow(checked, isWarning),
    columns: Object.fromEntries(refused.map(({ row, problems }) => [row, problems.find(isError)?.column ?? null])),
  };
}

const headers = ['Deal ref', 'Deal id', 'Date', 'Amount', 'Type', 'Description'];
const payment = (amount: number | string, deal = 'deal_1') => ['', deal, '2026-06-30', amount, 'Payment', 'Daily'];
const saysTotal = (amount: string, rows: number) =>
  `Amount "${amount}" is the sum of the ${rows} rows above it: a total is no transaction. Take the row out; if it is one all the same, move it above those rows.`;
const hasLabel = (amount: string) =>
  `Amount "${amount}" stands in a row that says a total and leaves blank what the others fill: a total is no transaction. Take the row out; if it is one all the same, fill in what the other rows fill.`;

describe('a row without a word for a total whose amount happens to be the sum of those above it', () => {
  const maybe = (label: string, amount: string, kind: string) =>
    `${label} "${amount}" is the sum of the 2 rows above it: it may be a total. It is sent: take the row out if it is no ${kind}.`;
  const leads = (...rows: Table) => [
    ['Company name', 'Amount requested', 'Owner 1 last name'],
    ['A', 25000, 'Smith'],
    ['B', 25000, 'Jones'],
    ...rows,
  ];

  it('is sent with a note when it names its company as all others do', async () => {
    const { errors, warnings } = await errorsOf(leads(['C', 50000, '']), { kind: 'leads' });
    expect(errors).toEqual({});
    expect(warnings[4]).toContain(maybe('Amount requested', '50000', 'lead'));
    const wide = leads(['C', 50000, '']).map((row, index) => [
      ...row,
      index === 3 ? '' : 'LLC',
      index === 3 ? '' : 'Ovens',
    ]);
    const headed = wide.with(0, [...(wide[0] ?? []).slice(0, 3), 'Entity type', 'Use of proceeds']);
    expect((await errorsOf(headed, { kind: 'leads' })).errors).toEqual({});
  });

  it('is no record when it has nothing but the amount, and is sent with a note where that is no sum', async () => {
    const { errors } = await errorsOf(leads(['', 50000, '']), { kind: 'leads' });
    expect(errors[4]).toContain('is the sum of the 2 rows above it: a total is no lead.');
    const { warnings } = await errorsOf(leads(['', 50001, '']), { kind: 'leads' });
    expect(warnings[4]).toContain(
      'Amount requested "50001" stands in a row that says nothing besides, and others say more. It is sent: take the row out if it is no lead.',
    );
  });

  it('is sent with a note when it has a date as all others have, and one blank beside', async () => {
    const table = [
      ['Date', 'Amount', 'Description'],
      ['2026-06-01', 50, 'Daily'],
      ['2026-06-02', 50, 'Daily'],
    ];
    const { errors, warnings } = await errorsOf([...table, ['2026-06-03', 100, '']]);
    expect(errors).toEqual({});
    expect(warnings[4]).toContain(maybe('Amount', '100', 'transaction'));
    expect(Object.keys((await errorsOf([...table, ['', 100, '']])).errors)).toEqual(['4']);
    const typed = table.map((row, index) => [...row, index === 0 ? 'Type' : 'Payment']);
    const untyped = await errorsOf([...typed, ['2026-06-03', 100, 'Daily', '']]);
    expect(untyped.errors).toEqual({});
    expect(untyped.warnings[4]).toContain(maybe('Amount', '100', 'transaction'));
  });

  it('is a record when its company is called like a total and all is filled in', async () => {
    const { errors } = await errorsOf(leads(['Total Wine', 50000, 'Lee']), { kind: 'leads' });
    expect(errors).toEqual({});
    expect((await errorsOf(leads(['Total', 50000, 'Lee']), { kind: 'leads' })).errors[4]).toContain(
      'a total is no lead',
    );
  });
});

describe('a row that says that it is a total', () => {
  const asNumbers = { file: 'rows.xlsx' };
  const bank = ['Date', 'Amount', 'Description'];

  it('is found when it sums the rows that a filter left in sight', async () => {
    const table = [
      ['Company name', 'Amount requested', 'Owner 1 last name'],
      ['A', 100, 'Smith'],
      ['B', 200, 'Jones'],
      ['C', 400, 'Lee'],
    ];
    const { errors } = await errorsOf([...table, ['Total', 500, 'Ann']], { kind: 'leads', hidden: [3], ...asNumbers });
    expect(errors).toEqual({
      5: 'Amount requested "500" is the sum of the 2 rows above it that are not hidden: a total is no lead. Take the row out; if it is one all the same, move it above those rows.',
    });
  });

  it('is found when its amount is the sum of those above it but for fractions of a cent', async () => {
    const third = (day: number) => [`2026-06-0${day}`, 33.333333333333336, 'Daily'];
    const { errors } = await errorsOf(
      [bank, third(1), third(2), third(3), ['2026-06-30', 100, 'Total June']],
      asNumbers,
    );
    expect(errors[5]).toContain('Amount "100" is the sum of the 3 rows above it: a total is no transaction.');
    const other = await errorsOf([bank, third(1), third(2), third(3), ['2026-06-30', 100, 'Daily']], asNumbers);
    expect(other.errors[5]).toBeUndefined();
  });

  it('is found when it sums the rows since a balance', async () => {
    const opening = ['2026-06-01', 5000, 'Opening balance'];
    const rows = [opening, ['2026-06-02', 100, 'Daily'], ['2026-06-03', 200, 'Daily']];
    const { errors, warnings } = await errorsOf([bank, ...rows, ['2026-06-30', 300, 'Total June']]);
    expect(errors).toEqual({ 5: saysTotal('300', 2) });
    expect(warnings[2]).toContain(
      'Amount "5000" stands in a row that says the balance of an account. It is sent: take the row out if it is no transaction.',
    );
  });

  it.each(['Total', 'GRAND TOTAL:', 'Sub-total', 'Sum', 'Balance', '— Totals —'])(
    'is no record by the label %s alone, whatever its sum, where it names nothing and leaves blank what others fill',
    async (label) => {
      const rows = [
        ['2026-06-02', 100, 'Daily'],
        ['2026-06-03', 200, 'Daily'],
        ['', 512, label],
      ];
      const { errors } = await errorsOf([bank, ...rows]);
      expect(errors).toEqual({ 4: hasLabel('512') });
      const { errors: ofLeads } = await errorsOf(
        [
          ['Company name', 'Amount requested', 'Owner 1 last name'],
          ['A', 100, 'Smith'],
          ['B', 200, 'Jones'],
          [label, 512, ''],
        ],
        { kind: 'leads' },
      );
      expect(Object.keys(ofLeads)).toEqual(['4']);
    },
  );

  it('is no record by the label of a balance alone either', async () => {
    const rows = [
      ['2026-06-02', 100, 'Daily'],
      ['2026-06-03', 200, 'Daily'],
      ['', 512, 'Ending balance as of June 30'],
    ];
    expect((await errorsOf([bank, ...rows])).errors).toEqual({
      4: 'Amount "512" stands in a row that says the balance of an account and leaves blank what the others fill: a balance is no transaction. Take the row out; if it is one all the same, fill in what the other rows fill.',
    });
  });

  it.each(['Average', 'AVG.', 'Count:', 'max', 'Minimum', 'Median', 'Number of rows'])(
    'is no record by the label %s either, whatever it is of the rows above it',
    async (label) => {
      const rows = [
        ['2026-06-02', 100, 'Daily'],
        ['2026-06-03', 200, 'Daily'],
        ['', 150, label],
      ];
      expect((await errorsOf([bank, ...rows])).errors).toEqual({
        4: 'Amount "150" stands in a row that says an average, a count or the like and leaves blank what the others fill: a figure of the other rows is no transaction. Take the row out; if it is one all the same, fill in what the other rows fill.',
      });
    },
  );

  it('is a record though it is the sum of the rows above it where it says Max or Minimum: neither is a sum', async () => {
    const rows = [
      ['deal_1', '2026-06-02', 100, 'Daily', 'r1'],
      ['deal_1', '2026-06-03', 200, 'Minimum', 'r2'],
      ['deal_2', '2026-06-04', 300, 'Max', ''],
      ['deal_2', '2026-06-05', 600, 'Minimum', 'r4'],
    ];
    const { errors, warnings } = await errorsOf([['Deal id', 'Date', 'Amount', 'Description', 'Reference'], ...rows]);
    expect(errors).toEqual({});
    expect(warnings).toEqual({});
  });

  it('is a total all the same below rows that say Max or Minimum', async () => {
    const rows = [
      ['2026-06-02', 100, 'Daily'],
      ['2026-06-03', 200, 'Minimum'],
      ['2026-06-04', 400, 'Max'],
      ['', 700, 'Total'],
    ];
    expect(Object.keys((await errorsOf([bank, ...rows])).errors)).toEqual(['5']);
  });

  it('is a record where what it says is more than that label, or where it fills what the others fill', async () => {
    const rows = [
      ['2026-06-02', 100, 'Daily'],
      ['2026-06-03', 200, 'Max'],
      ['', 150, 'Max Mercier'],
      ['', 150, 'Count Basie'],
    ];
    expect((await errorsOf([bank, ...rows])).errors).toEqual({});
  });

  it('is sent with a note where a company has the label of an average for its name', async () => {
    const table = [
      ['Company name', 'Amount requested', 'Owner 1 last name'],
      ['A', 100, 'Smith'],
      ['B', 200, 'Jones'],
      ['Average', 150, ''],
    ];
    const { errors, warnings } = await errorsOf(table, { kind: 'leads' });
    expect(errors).toEqual({});
    expect(warnings[4]).toContain('stands in a row that says an average, a count or the like. It is sent');
  });

  it('is a record without a word where a person is called Max, whatever sum its round amount is', async () => {
    const table = [
      ['Company name', 'Amount requested', 'Owner 1 first name', 'Owner 1 last name', 'Company phone'],
      ['A', 50_000, 'Ada', 'Smith', '(518) 555-0001'],
      ['B', 25_000, 'Ben', 'Jones', '(518) 555-0002'],
      ['C', 75_000, 'Max', 'Lee', '(518) 555-0003'],
      ['D', 150_000, 'Max', 'Lee', ''],
      ['E', 20_000, 'Max', '', ''],
      ['', 30_000, 'Clara', 'Max', ''],
    ];
    const { errors, warnings } = await errorsOf(table, { kind: 'leads' });
    expect(errors).toEqual({});
    expect(Object.values(warnings).join(' ')).not.toContain('It is sent');
  });

  it('is a record where a company is called so, or has the word in its name', async () => {
    const table = [
      ['Company name', 'Amount requested', 'Owner 1 last name'],
      ['A', 100, 'Smith'],
      ['B', 200, 'Jones'],
    ];
    const of = (...row: readonly (string | number)[]) => errorsOf([...table, row], { kind: 'leads' });
    for (const name of ['Total Wine', 'Balance Health', 'Sum & Co', 'Grand Total Foods'])
      expect((await of(name, 512, '')).errors).toEqual({});
    expect((await of('Balance', 512, 'Lee')).errors).toEqual({});
  });

  it('is sent with a note where its label stands for a company, and the sheet has nothing that it could leave blank', async () => {
    const table = [
      ['Company name', 'Amount requested'],
      ['A', 100],
      ['B', 200],
      ['Total', 512],
    ];
    const { errors, warnings } = await errorsOf(table, { kind: 'leads' });
    expect(errors).toEqual({});
    expect(warnings[4]).toContain('stands in a row that says a total, and is no sum of rows above it. It is sent');
  });
});

describe('a row whose amount is the sum of those above it', () => {
  it('is no record when it says that it is a total', async () => {
    const rows = [payment('100.10'), payment('200.20'), payment('300.30').with(5, 'Total June')];
    const { errors, columns } = await errorsOf([headers, ...rows]);
    expect(errors).toEqual({ 4: saysTotal('300.30', 2) });
    expect(columns).toEqual({ 4: 3 });
  });

  it('is no record when it names no deal and all others do', async () => {
    const rows = [payment('100.10'), payment('200.20'), payment('300.30', '')];
    expect((await errorsOf([headers, ...rows])).errors).toEqual({ 4: saysTotal('300.30', 2) });
  });

  it('is no record when it fills little beside its amount, and no row names a deal', async () => {
    const rows = [payment('100.10', ''), payment('200.20', ''), ['', '', '2026-06-30', '300.30', '', '']];
    expect((await errorsOf([headers, ...rows])).errors).toEqual({ 4: saysTotal('300.30', 2) });
  });

  it('is a record when it names its deal and says no total', async () => {
    expect((await errorsOf([headers, payment(100), payment(200), payment(300)])).errors).toEqual({});
  });

  it('is a record below one row alone, and where all others say nothing', async () => {
    expect((await errorsOf([headers, payment(100), payment(100, '')])).errors).toEqual({});
    expect((await errorsOf([headers, payment(0), payment(0), payment(0, '')])).errors).toEqual({});
  });

  it('is no record below one row alone when it both says so and names no deal', async () => {
    const { errors } = await errorsOf([headers, payment(100), payment(100, '').with(5, 'TOTAL')]);
    expect(errors[3]).toMatch(/^Amount "100" is the amount of the row above it: a total is no transaction\./);
  });

  it('is no record either when it both says so and names no deal, and an amount above it cannot be read', async () => {
    const total = payment('350.00', '').with(5, 'Total');
    const { errors } = await errorsOf([headers, payment(100), payment('2o0'), payment(50), total]);
    expect(errors[5]).toMatch(
      /^Amount "350.00" stands in a row that says a total, and 1 amount above it cannot be read, so that it may be their sum: a total is no transaction\./,
    );
    const fee = payment('350.00', '').with(5, 'Fee');
    expect(Object.keys((await errorsOf([headers, payment(100), payment('2o0'), fee])).errors)).toEqual(['3']);
  });

  it('is known when it leaves out the amounts that are text, as a formula does', async () => {
    const rows = [payment(100.1), payment('$50.00'), payment(200.2), payment(300.3, '')];
    const { errors } = await errorsOf([headers, ...rows], { file: 'rows.xlsx' });
    expect(errors[5]).toMatch(/^Amount "300.3" is the sum of the amounts above it that are no text: a total is no/);
  });

  it('is a record once it stands above them', async () => {
    expect((await errorsOf([headers, payment(300, ''), payment(100), payment(200)])).errors).toEqual({});
  });

  it('is no record above them either when it says that it is a total', async () => {
    const rows = [payment(300).with(5, 'Total'), payment(100), payment(200)];
    const { errors } = await errorsOf([headers, ...rows]);
    expect(errors).toEqual({
      2: 'Amount "300" is the sum of the 2 rows below it: a total is no transaction. Take the row out; if it is one all the same, move it below another row.',
    });
    const moved = [payment(100), payment(300).with(5, 'Total'), payment(200)];
    expect((await errorsOf([headers, ...moved])).errors).toEqual({});
  });

  it('is a record where its word is in what a payment is called, and it fills all that others fill', async () => {
    const advance = payment(300).with(5, 'Balance advanced');
    expect((await errorsOf([headers, advance, payment(100), payment(200)])).errors).toEqual({});
    expect((await errorsOf([headers, payment(100), payment(200), advance])).errors).toEqual({});
    const undated = advance.with(2, '');
    expect((await errorsOf([headers, payment(100), payment(200), undated])).errors[4]).toContain(
      'is the sum of the 2 rows',
    );
    expect((await errorsOf([headers, undated, payment(100), payment(200)])).errors[2]).toContain(
      'is the sum of the 2 rows',
    );
    const label = payment(300).with(5, 'Grand total:');
    expect((await errorsOf([headers, payment(100), payment(200), label])).errors[4]).toContain(
      'is the sum of the 2 rows',
    );
  });

  it('is no record above them either when it has the label of a total, fills little else, and is no sum of theirs', async () => {
    const rows = [['', '', '', '301', '', 'Total'], payment(100), payment(200)];
    const { errors } = await errorsOf([headers, ...rows]);
    expect(errors).toEqual({ 2: hasLabel('301') });
    expect((await errorsOf([headers, payment(301).with(5, 'Total'), payment(100)])).warnings[2]).toBeUndefined();
  });

  it('is found below each part of the sheet, and at the foot for all of them', async () => {
    const total = (amount: string) => ['', '', '', amount, '', ''];
    const rows = [payment(10), payment(20), total('30'), payment(40), payment(50), total('90'), total('120')];
    expect((await errorsOf([headers, ...rows])).errors).toEqual({
      4: saysTotal('30', 2),
      7: saysTotal('90', 2),
      8: saysTotal('120', 4),
    });
  });

  it('is known to the cent over many rows', async () => {
    const rows = Array.from({ length: 1000 }, () => payment('0.10'));
    expect((await errorsOf([headers, ...rows, payment('100.00', '')])).errors).toEqual({
      1002: saysTotal('100.00', 1000),
    });
    expect((await errorsOf([headers, ...rows, payment('100.01', '')])).errors).toEqual({});
  });

  it('is known when one row in many names no deal either', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => payment(10, index === 7 ? '' : 'deal_1'));
    expect(Object.keys((await errorsOf([headers, ...rows, payment(400, '')])).errors)).toEqual(['42']);
  });

  it('is known by amounts as their column means them', async () => {
    const rows = [payment('1.250,50'), payment('1.250'), payment('2.500,50', '')];
    expect((await errorsOf([headers, ...rows])).errors).toEqual({ 4: saysTotal('2.500,50', 2) });
  });

  it('is no deal either', async () => {
    const table = [
      ['Company name', 'Owner 1 first name', 'Amount requested', '(Remarks)'],
      ['Harbor', 'Ada', '$1,000.00', ''],
      ['Kite', 'Max', '$2,000.00', ''],
      ['Mill', 'Eve', '$3,000.00', 'grand total'],
    ];
    expect((await errorsOf(table, { kind: 'deals' })).errors[4]).toBe(
      'Amount requested "$3,000.00" is the sum of the 2 rows above it: a total is no deal. Take the row out; if it is one all the same, move it above those rows.',
    );
  });

  it('is a deal where it brings its company along, and those above it name theirs', async () => {
    const table = [
      ['Company id', 'Company name', 'Owner 1 first name', 'Amount requested', 'Business start date'],
      ['cmp_1', '', 'Ada', '10000', '2015-03-01'],
      ['cmp_2', '', 'Max', '20000', '2016-03-01'],
      ['', 'Mill', 'Eve', '30000', ''],
    ];
    const { errors, warnings } = await errorsOf(table, { kind: 'deals' });
    expect(errors).toEqual({});
    expect(warnings[4]).not.toContain('the sum of');
  });

  it("is found in somebody else's sheet, at the cell that the person knows", async () => {
    const table = [
      ['What', 'How much'],
      ['Fee', '100'],
      ['Fee', '200'],
      ['', '300'],
    ];
    const mapping = {
      kind: 'transactions',
      columns: { What: 'Description', 'How much': 'Amount' },
      constants: { Type: 'Fee' },
    };
    const { errors, columns } = await errorsOf(table, { mapping });
    expect(errors).toEqual({ 4: saysTotal('300', 2) });
    expect(columns).toEqual({ 4: 1 });
  });

  it('is no record when it has the label of a total and names no deal, and is no sum of theirs', async () => {
    const rows = [payment('100.10'), payment('200.20'), payment('77.00', '').with(5, 'Total')];
    expect((await errorsOf([headers, ...rows])).errors).toEqual({ 4: hasLabel('77.00') });
    const named = payment('77.00').with(5, 'Total of the day');
    expect((await errorsOf([headers, ...rows.slice(0, 2), named])).warnings[4]).toBeUndefined();
  });

  it('is sent with a note when it says that it is a total among other words and names no deal, and is no sum of theirs', async () => {
    const rows = [payment('100.10'), payment('200.20'), payment('77.00', '').with(5, 'Total of the day')];
    const { errors, warnings } = await errorsOf([headers, ...rows]);
    expect(errors).toEqual({});
    expect(warnings[4]).toContain(
      'Amount "77.00" stands in a row that says a total, and is no sum of rows above it. It is sent: take the row out if it is no transaction.',
    );
  });

  it('is no record when its label is in words of any language and has no date as the others have, and no row names a deal', async () => {
    const table = [
      ['Date', 'Amount', 'Description'],
      ['2026-06-29', '100', 'Daily'],
      ['2026-06-30', '200', 'Daily'],
    ];
    expect((await errorsOf([...table, ['', '300', 'Gesamt']])).errors).toEqual({ 4: saysTotal('300', 2) });
    expect((await errorsOf([...table, ['2026-07-01', '300', 'Gebühr']])).errors).toEqual({});
    const bare = table.map((row) => row.slice(0, 2));
    expect((await errorsOf([...bare, ['', '300']])).errors).toEqual({ 4: saysTotal('300', 2) });
  });

  it('is no record when a word stands in the place of its deal, and it leaves blank what others fill', async () => {
    const summed = [headers, payment(100), payment(200), payment(300, 'Summe').with(2, '')];
    expect((await errorsOf(summed)).errors).toEqual({ 4: saysTotal('300', 2) });
    expect((await errorsOf([headers, payment(100), payment(200), payment(300, 'Summe')])).errors).toEqual({});
  });

  it('is no record below the rows of its deal when it says the deal and nothing else that others say', async () => {
    const subtotal = (amount: number, deal: string) => ['', deal, '', amount, '', ''];
    const ofTwo = [payment(40, 'deal_2'), payment(50, 'deal_2'), subtotal(90, 'deal_2')];
    const { errors } = await errorsOf([headers, payment(10), payment(20), subtotal(30, 'deal_1'), ...ofTwo]);
    expect(errors).toEqual({ 4: saysTotal('30', 2), 7: saysTotal('90', 2) });
  });

  it('is no record below the one row of its deal when it has the label of a total and no date as the others have', async () => {
    const label = (deal: string) => payment(100, deal).with(2, '').with(5, `Total ${deal}`);
    const { errors } = await errorsOf([headers, payment(100), label('deal_1')]);
    expect(errors[3]).toMatch(/^Amount "100" is the amount of the row above it: a total is no transaction\./);
    const dated = label('deal_1').with(2, '2026-06-30');
    expect((await errorsOf([headers, payment(100), dated])).errors).toEqual({});
  });

  it('is sent with a note when it names its deal and fills most of what others fill', async () => {
    const maybe = (amount: string, rows: number) =>
      `Amount "${amount}" is the sum of the ${rows} rows above it: it may be a total. It is sent: take the row out if it is no transaction.`;
    const closing = payment(300).with(5, 'Closing balance');
    const said = await errorsOf([headers, payment(100), payment(200), closing]);
    expect(said.errors).toEqual({});
    expect(said.warnings).toEqual({ 4: maybe('300', 2) });
    const short = (amount: number, deal: string, date = '2026-06-30') => [deal, date, amount];
    const parts = [short(10, 'deal_1'), short(20, 'deal_1'), short(30, 'deal_1', '')];
    const others = [short(40, 'deal_2'), short(50, 'deal_2'), short(90, 'deal_2', '')];
    const undated = await errorsOf([['Deal id', 'Date', 'Amount'], ...parts, ...others]);
    expect(undated.errors).toEqual({});
    expect(undated.warnings).toEqual({ 4: maybe('30', 2), 7: maybe('90', 2) });
  });

  it('is sent with a note when it says a total, has no date as the others have, and is no sum of theirs', async () => {
    const rows = [payment('33.33'), payment('33.33'), payment(67).with(2, '').with(5, 'Total')];
    const { errors, warnings } = await errorsOf([headers, ...rows]);
    expect(errors).toEqual({});
    expect(warnings[4]).toContain(
      'Amount "67" stands in a row that says a total, and is no sum of rows above it. It is',
    );
    const named = rows.with(2, payment(67).with(2, '').with(5, 'New balance'));
    expect((await errorsOf([headers, ...named])).warnings[4]).toBeUndefined();
  });

  describe('of money in and money out', () => {
    const headersOfBank = ['Day', 'Text', 'Debit', 'Credit', 'Deal'];
    const mapping = {
      kind: 'transactions',
      columns: { Day: 'Date', Text: 'Description', Deal: 'Deal id' },
      joins: [{ field: 'Amount', columns: ['Debit', 'Credit'], with: '' }],
    };
    const moved = (debit: string, credit: string) => ['2026-06-30', 'Daily', debit, credit, 'deal_1'];
    const foot = (text: string, debit: string, credit: string) => ['', text, debit, credit, ''];
    const saysColumn = (amount: string, rows: number, header: string) =>
      `Amount "${amount}" is the sum of the ${rows} rows above it that fill "${header}": a total is no transaction. Take the row out; if it is one all the same, move it above those rows.`;

    it('is found where debit and credit have columns of their own, each with its sum, at the cell that holds it', async () => {
      const rows = [moved('(5.00)', ''), moved('', '7.00'), moved('(6.50)', ''), moved('', '8.25')];
      const feet = [foot('Total credits', '', '15.25'), foot('Total debits', '(11.50)', '')];
      const { errors, columns } = await errorsOf([headersOfBank, ...rows, ...feet], { mapping });
      expect(errors).toEqual({ 6: saysColumn('15.25', 2, 'Credit'), 7: saysColumn('(11.50)', 2, 'Debit') });
      expect(columns).toEqual({ 6: 3, 7: 2 });
    });

    it('is found where the debits of a column of their own have no sign', async () => {
      const rows = [moved('5.00', ''), moved('', '7.00'), moved('6.50', ''), moved('', '8.25')];
      const { errors } = await errorsOf([headersOfBank, ...rows, foot('Total', '', '15.25')], { mapping });
      expect(errors).toEqual({ 6: saysColumn('15.25', 2, 'Credit') });
    });

    it('quotes no other cell where a mapping fills the amount of every row', async () => {
      const constant = { ...mapping, columns: { ...mapping.columns, Debit: null, Credit: null } };
      const filled = { ...constant, joins: [], constants: { Amount: '5' } };
      const { errors, columns } = await errorsOf(
        [headersOfBank, moved('', ''), foot('Total', '', '').with(0, '2026-06-30')],
        {
          mapping: filled,
        },
      );
      expect(errors).toEqual({ 3: expect.stringMatching(/^Amount "" is the amount of the row above it/) });
      expect(columns).toEqual({ 3: null });
    });

    it('is found in one column, with the sign of what it sums or without', async () => {
      const rows = [payment(-5), payment(7), payment('-6.50'), payment('8.25')];
      const feet = [payment('15.25', '').with(5, 'Credits'), payment('11.50', '').with(5, 'Debits')];
      const { errors } = await errorsOf([headers, ...rows, ...feet]);
      const saysSide = (amount: string, side: string) =>
        `Amount "${amount}" is the sum of the 2 amounts above it that are ${side} zero: a total is no transaction. Take the row out; if it is one all the same, move it above those rows.`;
      expect(errors).toEqual({ 6: saysSide('15.25', 'above'), 7: saysSide('11.50', 'below') });
    });

    it('is a record where it names its deal and says no total', async () => {
      const rows = [payment(-5), payment(7), payment('8.25'), payment('15.25')];
      expect((await errorsOf([headers, ...rows])).errors).toEqual({});
    });
  });
});
