import { describe, expect, it } from 'vitest';
import type { CheckedRow } from '../../../src/mapping/checked-row.ts';
import { dateCell, errorsOf, numberCell, readRow, readRows, warningsOf } from '../rows.ts';

const withWords = (value: number, shown: string, words: string) =>
  numberCell(value, { shown, adds: { kind: 'words', words } });

describe('an amount whose format says more than its number', () => {
  const amountOf = (cell: ReturnType<typeof numberCell>) => {
    const [row] = readRows('transactions', ['Deal id', 'Amount'], [['deal_1', cell]]);
    return row as CheckedRow;
  };

  it.each(['DR', 'CR', 'Cr.', 'Debit', 'credit', 'C'])('is refused where that is debit or credit: %s', (words) => {
    expect(errorsOf(amountOf(withWords(1250, `1,250.00 ${words}`, words)))).toEqual([
      `Amount "1,250.00 ${words}" has "${words}" from the format of its cell alone: the number in it is 1250. Format the cell as a number without words, and write the whole amount with its own sign, like 1250 or -1250.`,
    ]);
  });

  it.each(['k', 'K', 'M', 'T', 'mm', 'Mio.', 'thousand'])('is refused where that is a size: %s', (words) => {
    expect(errorsOf(amountOf(withWords(12, `12${words}`, words)))).toEqual([
      `Amount "12${words}" is shown so by the format of its cell alone: the number in it is 12. Format the cell as a number without words, and write the whole amount, like 50000 for 50k.`,
    ]);
  });

  it('is refused where it is shown in thousands or millions, with a word for that or without', () => {
    for (const [shown, words] of [
      ['1.3M', 'M'],
      ['1.3', ''],
    ] as const) {
      const cell = numberCell(1_250_000, { shown, adds: { kind: 'scale', words } });
      expect(errorsOf(amountOf(cell))[0]).toMatch(
        / is shown so by the format of its cell alone: the number in it is 1250000\./,
      );
    }
  });

  it('is refused where it is shown with another sign', () => {
    const cell = numberCell(1250, { shown: '1250', adds: { kind: 'sign', shown: '(1,250.00)' } });
    expect(errorsOf(amountOf(cell))).toEqual([
      'Amount "1250" is shown as (1,250.00) by the format of its cell alone: the number in it is 1250. Format the cell as a number that shows its own sign, and enter the amount with its own sign, like 1250 or -1250.',
    ]);
  });

  it('is refused where it is shown as a duration', () => {
    const cell = numberCell(1.5, { shown: '36:00', adds: { kind: 'duration' } });
    expect(errorsOf(amountOf(cell))).toEqual([
      'Amount "36:00" is a duration, not a number. Format the cell as a number.',
    ]);
  });

  it('is read where it is shown in scientific form, or as a fraction', () => {
    for (const kind of ['scientific', 'fraction'] as const) {
      const row = amountOf(numberCell(1250.5, { adds: { kind } }));
      expect(row.body.amount).toBe(1250.5);
      expect([...errorsOf(row), ...warningsOf(row)]).toEqual([]);
    }
  });

  it('is refused where it is shown as a time of day', () => {
    const cell = numberCell(0.5, { shown: '12:00', adds: { kind: 'time' } });
    expect(errorsOf(amountOf(cell))).toEqual([
      'Amount "12:00" is a time of day, not a number. Format the cell as a number.',
    ]);
    expect(errorsOf(readRow('transactions', { 'Deal id': 'd', Date: cell }))[0]).toBe(
      'Date "12:00" is a time without a day. Write it like 2026-04-30.',
    );
  });

  it('is read where that leaves it what it is, and told', () => {
    const row = amountOf(withWords(1250, '1,250.00 net', 'net'));
    expect(row.body.amount).toBe(1250);
    expect(warningsOf(row)).toEqual([
      'Amount "1,250.00 net" has "net" from the format of its cell, and is read as 1250.',
    ]);
    expect(warningsOf(amountOf(withWords(1.2345, '1.23 net', 'net')))).toEqual([
      'Amount "1.23 net" has "net" from the format of its cell, and is read as 1.2345.',
      'Amount "1.23 net" has more than two decimals: it is read as 1.2345.',
    ]);
  });
});

describe('a number that is no money, whose format has a measure', () => {
  it.each([
    ['Term', 12, '12m', 'm'],
    ['Term', 12, '12 months', 'months'],
    ['Factor rate', 1.28, '1.28x', 'x'],
  ])('is read without a word: %s %s shown as %s', (label, value, shown, words) => {
    const row = readRow('submission-loans', {
      'Deal id': 'd',
      Amount: '1000',
      [label]: withWords(value, shown, words),
    });
    expect(Object.values(row.body)).toContain(value);
    expect([...errorsOf(row), ...warningsOf(row)]).toEqual([]);
  });
});

describe('an EIN, an SSN or a ZIP whose format has a word', () => {
  it('is read by its digits', () => {
    const row = readRow('leads', {
      'Company name': 'Harbor',
      'Company EIN': withWords(123456789, 'EIN 12-3456789', 'EIN'),
      'Owner 1 SSN': withWords(219099999, 'SSN 219-09-9999', 'SSN'),
      'Company address ZIP': withWords(12180, 'NY 12180', 'NY'),
    });
    expect(errorsOf(row)).toEqual([]);
    expect(row.body).toMatchObject({
      company: { ein: '12-3456789', addresses: [{ zip: '12180' }] },
      owner1: { ssn: '219-09-9999' },
    });
  });
});

describe('a ZIP whose format has words alone', () => {
  it('is what a person sees, and no blank', () => {
    const row = readRow('leads', { 'Company name': 'Harbor', 'Company address ZIP': withWords(0, 'none', 'none') });
    expect(row.body).toMatchObject({ company: { addresses: [{ zip: 'none' }] } });
  });
});

describe('a text whose format says more than its number', () => {
  it('is what a person sees', () => {
    const row = readRow('transactions', {
      'Deal ref': withWords(3, 'D-003', 'D-'),
      Reference: withWords(12, 'INV-0012', 'INV-'),
    });
    expect(row.references.map(({ ref }) => ref)).toEqual(['D-003']);
    expect(row.body.reference).toBe('INV-0012');
    expect(warningsOf(row)).toEqual([]);
    expect(readRow('deals', { Ref: withWords(3, 'D-003', 'D-') }).ref).toBe('D-003');
  });

  it('is told where that is a time of day', () => {
    const row = readRow('transactions', {
      'Deal id': 'd',
      Description: numberCell(0.5, { shown: '12:00', adds: { kind: 'time' } }),
    });
    expect(row.body.description).toBe('12:00');
    expect(warningsOf(row)).toEqual([
      'Description "12:00" is a time of day in the file, and is sent as the text 12:00. If that is wrong, format the cell as text and enter the value again.',
    ]);
  });
});

describe('a text that a spreadsheet has taken for a number', () => {
  it.each([
    ['duration', 2.5, '60:00', 'a duration'],
    ['scientific', 120_000, '120000', 'a number in scientific form'],
    ['fraction', 12.5, '12.5', 'a fraction'],
  ] as const)('is told: %s', (kind, value, shown, called) => {
    const row = readRow('transactions', { 'Deal id': 'd', Description: numberCell(value, { shown, adds: { kind } }) });
    expect(row.body.description).toBe(shown);
    expect(warningsOf(row)).toEqual([
      `Description "${shown}" is ${called} in the file, and is sent as the text ${shown}. If that is wrong, format the cell as text and enter the value again.`,
    ]);
  });

  it.each(['Deal id', 'Deal ref', 'Reference'])('is refused as an id in scientific form: %s', (label) => {
    const row = readRow('transactions', { [label]: numberCell(120_000, { adds: { kind: 'scientific' } }) });
    expect(errorsOf(row)[0]).toBe(
      `${label} "120000" is a number in scientific form: a spreadsheet takes 12E4 for 120000. Format the column as text, and type the value again.`,
    );
  });
});

describe('a list, or a field of texts and numbers, that a spreadsheet has taken for a date', () => {
  it('is told', () => {
    const deal = readRow('deals', { Tags: dateCell('2026-12-01') });
    expect(deal.body.tags).toEqual(['2026-12-01']);
    expect(warningsOf(deal)).toContain(
      'Tags "2026-12-01" is a date in the file, and is sent as the text 2026-12-01. If that is wrong, format the cell as text and enter the value again.',
    );
    const company = readRow('companies', { 'Default receivable commission': dateCell('2026-10-12') });
    expect(company.body.defaultReceivableCommission).toBe('2026-10-12');
    expect(warningsOf(company).join(' ')).toMatch(/ is a date in the file, and is sent as the text 2026-10-12\./);
  });
});

describe('a number of which its format shows nothing', () => {
  it('is sent, and told', () => {
    const unseen = (value: number) => numberCell(value, { adds: { kind: 'unseen' } });
    const loan = readRow('submission-loans', { 'Deal id': 'd', Amount: unseen(0), Term: unseen(12) });
    expect(loan.body).toMatchObject({ amount: 0, term: 12 });
    expect(warningsOf(loan)).toEqual([
      'Amount "0" is hidden by the format of its cell, which shows nothing there, and is read as 0.',
      'Term "12" is hidden by the format of its cell, which shows nothing there, and is read as 12.',
    ]);
    expect(warningsOf(readRow('transactions', { 'Deal id': 'd', Description: unseen(0) }))).toEqual([
      'Description "0" is hidden by the format of its cell in the file, and is sent as the text 0. If that is wrong, format the cell as text and enter the value again.',
    ]);
  });
});
