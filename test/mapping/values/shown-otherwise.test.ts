import { describe, expect, it } from 'vitest';
import { dateCell, errorsOf, numberCell, readRow, warningsOf } from '../rows.ts';

const shownAs = (value: number, shown: string) => numberCell(value, { shown });

describe('an amount whose format says more than its number', () => {
  const amountOf = (Amount: ReturnType<typeof numberCell>) => readRow('transactions', { 'Deal id': 'deal_1', Amount });

  it.each([
    [1250, '1,250.00 DR'],
    [1250, '1,250.00 net'],
    [12, '12k'],
    [1_250_000, '1.3'],
    [125_050, '1250.50'],
    [1250, '(1,250.00)'],
    [1250, '1,250.00-'],
    [-1250, '1,250.00'],
    [0, 'nil'],
  ])('is refused where that is perhaps another amount: %d as %s', (value, shown) => {
    expect(errorsOf(amountOf(shownAs(value, shown)))).toEqual([
      `Amount "${shown}" is shown so only by the format of its cell: the number in it is ${value}. Format the cell as a number without words, and enter the whole amount with its own sign, like 1250 or -1250.`,
    ]);
  });

  it.each(['12:00', '36:00:00'])('is refused where it is shown as a time: %s', (shown) => {
    const cell = numberCell(0.5, { shown, inOtherForm: true });
    expect(errorsOf(amountOf(cell))).toEqual([
      `Amount "${shown}" is a time, not a number. Format the cell as a number.`,
    ]);
    expect(errorsOf(readRow('transactions', { 'Deal id': 'd', Date: cell }))[0]).toBe(
      `Date "${shown}" is a time without a day. Write it like 2026-04-30.`,
    );
  });

  it('is read, and told, where it is in another form or not seen', () => {
    const row = amountOf(numberCell(1250.5, { inOtherForm: true }));
    expect(row.body.amount).toBe(1250.5);
    expect(warningsOf(row)).toEqual([
      'Amount "1250.5" is read as 1250.5: the format of its cell shows it in another form, or not at all.',
    ]);
    const loan = readRow('submission-loans', { 'Deal id': 'd', Amount: numberCell(0, { inOtherForm: true }) });
    expect(loan.body).toMatchObject({ amount: 0 });
    expect(warningsOf(loan)[0]).toMatch(/^Amount "0" is read as 0: /);
  });

  it('is read where zeros stand in front of it', () => {
    expect(amountOf(shownAs(1250, '01,250')).body.amount).toBe(1250);
  });
});

describe('a number that is no money, whose format has a measure', () => {
  it.each([
    ['Term', 12, '12m'],
    ['Term', 12, '12 months'],
    ['Factor rate', 1.28, '1.28x'],
  ])('is read without a word: %s %s shown as %s', (label, value, shown) => {
    const row = readRow('submission-loans', { 'Deal id': 'd', Amount: '1000', [label]: shownAs(value, shown) });
    expect(Object.values(row.body)).toContain(value);
    expect([...errorsOf(row), ...warningsOf(row)]).toEqual([]);
  });

  it('is refused where that is another number', () => {
    const row = readRow('submission-loans', { 'Deal id': 'd', Amount: '1000', Term: shownAs(12_000, '12k') });
    expect(errorsOf(row)[0]).toMatch(/^Term "12k" is shown so only by the format/);
  });
});

it('an EIN, an SSN or a ZIP whose format has a word is read by its digits', () => {
  const row = readRow('leads', {
    'Company name': 'Harbor',
    'Company EIN': shownAs(123456789, 'EIN 12-3456789'),
    'Owner 1 SSN': shownAs(219099999, 'SSN 219-09-9999'),
    'Company address ZIP': shownAs(12180, 'NY 12180'),
  });
  expect(errorsOf(row)).toEqual([]);
  expect(row.body).toMatchObject({
    company: { ein: '12-3456789', addresses: [{ zip: '12180' }] },
    owner1: { ssn: '219-09-9999' },
  });
});

it('a ZIP whose format has words alone is what a person sees, and no blank', () => {
  const row = readRow('leads', { 'Company name': 'Harbor', 'Company address ZIP': shownAs(0, 'none') });
  expect(row.body).toMatchObject({ company: { addresses: [{ zip: 'none' }] } });
});

describe('a text whose format says more than its number', () => {
  it('is what a person sees', () => {
    const row = readRow('transactions', { 'Deal ref': shownAs(3, 'D-003'), Reference: shownAs(12, 'INV-0012') });
    expect(row.references.map(({ ref }) => ref)).toEqual(['D-003']);
    expect(row.body.reference).toBe('INV-0012');
    expect(warningsOf(row)).toEqual([]);
    expect(readRow('deals', { Ref: shownAs(3, 'D-003') }).ref).toBe('D-003');
  });

  it.each([
    ['12:00', numberCell(0.5, { shown: '12:00', inOtherForm: true }), 'a time'],
    ['120000', numberCell(120_000, { inOtherForm: true }), 'a number that is hidden, or has a form such as 12E4,'],
  ])('is told where a spreadsheet has taken it for a time or a number: %s', (text, Description, form) => {
    const row = readRow('transactions', { 'Deal id': 'd', Description });
    expect(row.body.description).toBe(text);
    expect(warningsOf(row)).toEqual([
      `Description "${text}" is ${form} in the file, and is read as the text ${text}. If that is wrong, format the cell as text and enter the value again.`,
    ]);
  });

  it.each([
    ['Deal id', '120000', { inOtherForm: true }],
    ['Deal ref', '120000', { inOtherForm: true }],
    ['Deal id', '120', { shown: '120' }],
    ['Reference', 'paid', { shown: 'paid' }],
  ] as const)('is refused as an id where it was taken for a number, or hides digits: %s %s', (label, text, look) => {
    const row = readRow('transactions', { [label]: numberCell(120_000, look) });
    expect(errorsOf(row)[0]).toBe(
      `${label} "${text}" may not be the whole value: a number format hides digits, or a program took a text for a number, as 12E4 for 120000. Format the column as text, and type the value again.`,
    );
  });
});

it('a list, or a field of texts and numbers, that a spreadsheet has taken for a date is told', () => {
  const deal = readRow('deals', { Tags: dateCell('2026-12-01') });
  expect(deal.body.tags).toEqual(['2026-12-01']);
  expect(warningsOf(deal)).toContain(
    'Tags "2026-12-01" is a date in the file, and is read as the text 2026-12-01. If that is wrong, format the cell as text and enter the value again.',
  );
  const company = readRow('companies', { 'Default receivable commission': dateCell('2026-10-12') });
  expect(company.body.defaultReceivableCommission).toBe('2026-10-12');
  expect(warningsOf(company).join(' ')).toMatch(/ is a date in the file, and is read as the text 2026-10-12\./);
});
