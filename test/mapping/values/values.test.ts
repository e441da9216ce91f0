import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ColumnOrder } from '../../../src/contract/date-order.ts';
import { fieldsOf } from '../../../src/contract/fields.ts';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import type { CheckedRow } from '../../../src/mapping/body.ts';
import type { FilledCell, Reading } from '../../../src/mapping/reading.ts';
import {
  type ColumnDecimal,
  type DecimalMark,
  readMoney,
  readPercent,
  readTextOrNumber,
  shapeOfText,
} from '../../../src/mapping/values/amounts.ts';
import { orderShownBy, readDate } from '../../../src/mapping/values/dates.ts';
import { readEin, readIdentifier, readPhone, readSsn, readZip } from '../../../src/mapping/values/identifiers.ts';
import {
  choicesOf,
  readChoice,
  readChoices,
  readEmails,
  readList,
  readText,
  readTruth,
} from '../../../src/mapping/values/texts.ts';
import type { Message } from '../../../src/messages/message.ts';
import { textOf } from '../../../src/messages/text.ts';
import { tellOnPage } from '../../../src/messages/ways.ts';
import type { Cell } from '../../../src/tables/row.ts';
import { codesOf, dateCell, errorsOf, numberCell, readColumn, readRow, readRows, saidOf, warningsOf } from '../rows.ts';

/** A value, `value (changed)` with a note, or `!` and the beginning of the fault. */
function told(reading: Reading): unknown {
  if (!reading.ok) return `! ${saidOf(reading)}`;
  return reading.notes.length === 0 ? reading.value : changed(reading.value);
}
const changed = (value: unknown) => ({ changed: value });

const moneyIn = (cell: FilledCell, decimal: ColumnDecimal) =>
  readMoney(cell, { decimal, saidDecimal: decimal === 'comma' ? decimal : null });
const cell = (value: ReturnType<typeof numberCell>) => value as FilledCell;
const shapeOf = (text: string) => shapeOfText(text, true);
const money = (text: string, decimal: ColumnDecimal = 'point') => told(moneyIn(text, decimal));

describe('an amount', () => {
  it('of digits alone is read exactly, without a word', () => {
    const texts = ['1250', '1250.50', '-5', '0', '9007199254740.93'];
    expect(texts.map((text) => money(text))).toEqual([1250, 1250.5, -5, 0, 9007199254740.93]);
  });

  it.each<[number, ...texts: readonly string[]]>([
    [1250, '$1,250.00', 'USD 1,250', 'USD1250', '1,250.00usd', 'US$1,250.00', '1\u00a0250'],
    [1250.5, '1\u2019250.50', '1\u2009250.50', "1'250.50"],
    [-1250.5, '\u20131,250.50'],
    [-1250, '-US $1,250', '1,250.00-'],
    [-1200, '(1,200.00)', '1,200-'],
    [-100.5, '100.50-'],
    [-100, '100\u2013'],
    [-5, '−5'],
    [0, ' $-   ', '-   €', ' -   '],
    [7, '007'],
  ])('is read exactly, and told: %d', (amount, ...texts) => {
    for (const text of texts) expect(money(text), text).toEqual({ changed: amount });
  });

  it.each([
    ...['12 apples', '1,25,0', '1.2.3', '--5', '(5', '-', '--', '', '.', '$', '5%', '1.2E+05', '50k'],
    ...['$1.2 MM', '1.250,-', '1,250,-', '100.-', '1234567890123456', 'NaN', 'Infinity', '0x10', '١٢', '12$50'],
    ...['1$250', '12USD500', '12 USD 500', 'AUSD 5', '1 250,000', "1,250'000", '0,125'],
  ])('is refused: %s', (text) => expect(money(text)).toMatch(/^!/));

  it('of more digits than a number carries exactly is refused, however it is written', () => {
    const tooMany = /^! has more digits than a number can carry exactly \(15\)/;
    for (const text of ['1,234,567,890,123,456', '$12345.678901234567', `${'9'.repeat(400)}.5`])
      expect(money(text)).toMatch(tooMany);
    const largest = numberCell(Number.MAX_VALUE, { stored: '1.7976931348623157E+308' });
    for (const number of [largest, numberCell(1e15), numberCell(-1e15)])
      expect(told(moneyIn(cell(number), 'point'))).toMatch(tooMany);
    const [row] = readRows('transactions', ['Deal id'], [[cell(largest)]]);
    expect(row === undefined ? [] : errorsOf(row)).toEqual([expect.stringMatching(/has more digits than a number/)]);
    expect(money('999,999,999,999,999')).toEqual({ changed: 999_999_999_999_999 });
    expect(told(moneyIn(cell(numberCell(999_999_999_999_999)), 'point'))).toBe(999_999_999_999_999);
  });

  it.each([
    ['3.3000000000000003', 3.3],
    ['0.30000000000000004', 0.3],
    ['1234.5600000000001', 1234.56],
    ['98765.43000000001', 98765.43],
    ['-0.30000000000000004', -0.3],
    ['2.9999999999999996', 3],
    ['$1,234.5600000000001', 1234.56],
    ['12345678.910000002', 12345678.91],
  ])('that a program has added up is read without the noise of its digits, and told: %s', (text, amount) => {
    const [row] = readRows('transactions', ['Deal id', 'Amount'], [['deal_1', text]]);
    expect(row?.body.amount).toBe(amount);
    expect(warningsOf(row as CheckedRow)).toEqual([
      `Amount "${text}" is read as ${amount}: its last digits are a rounding error of the program that wrote it.`,
    ]);
    expect(told(moneyIn(text.replace(/[$,]/g, '').replace('.', ','), 'comma'))).toEqual({ changed: amount });
  });

  it('of digits that are no noise is refused', () => {
    const tooMany = Array(8).fill(expect.stringMatching(/^! has more digits than a number can carry/));
    const texts = [
      ...['1234567890123456', '1000000000000000.5', '10000000000000000', '1234567890123.4501'],
      ...['1234.567890123456', '12345.6789012345671', '99999999999999.99', '100000000000000.001'],
    ];
    expect(texts.map((text) => money(text))).toEqual(tooMany);
    expect(texts.map((text) => told(readTextOrNumber(text, null)))).toEqual(texts);
  });

  it('with marks that no amount has is refused in the words of its column, and proves nothing of other cells', () => {
    expect(money('1.234.50')).toBe('! is not a number. Write it like 1250 or 1250.50.');
    expect(['1.234.50', '1,2,3', '1.234.500'].map(shapeOf)).toEqual([null, null, 'comma']);
    const rows = readRows('deals', ['Amount requested'], [['1,234.50'], ['1.234.50'], ['1,250']]);
    expect(errorsOf(rows[2] as CheckedRow).join()).not.toMatch(/two amounts/);
  });

  it('of parts of a cent, or with a point before three digits, is read, and told', () => {
    expect(told(moneyIn(cell(numberCell(12.345)), 'unknown'))).toEqual({ changed: 12.345 });
    const read = ['12.345', '12.340', '50.000', '0.500', '1250.500'].map((text) => money(text));
    expect(read).toEqual([...[12.345, 12.34, 50].map(changed), 0.5, 1250.5]);
    const [row] = readRows('deals', ['Amount requested'], [['$12.3456']]);
    expect(warningsOf(row as CheckedRow)).toContain(
      'Amount requested "$12.3456" has more than two decimals: it is read as 12.3456.',
    );
  });

  it('with a dash in place of its cents is refused, and never a negative one', () => {
    for (const text of ['1.250,-', '1.250,\u2013 €', '250, -', '-1.250,-', '(100,-)'])
      expect(money(text, 'comma')).toMatch(/^! is not a number/);
  });

  it('with a decimal comma is read by what its column shows', () => {
    const read = ['1.250,00', '1.250', '12,5'].map((text) => money(text, 'comma'));
    expect(read).toEqual([1250, 1250, 12.5].map(changed));
    expect(money('1.250')).toEqual({ changed: 1.25 });
    expect(money('1,250', 'contradictory')).toMatch(/^! can be two amounts/);
    const texts = ['1,250.00', '12.5', '1,250,000', '1.250,00', '12,5', '1.250', '1,250', '1250'];
    const shown = ['point', 'point', 'point', 'comma', 'comma', '1.250', '1,250', null];
    expect(texts.map(shapeOf)).toEqual(shown);
  });

  it('of a cell is what Excel shows of it', () => {
    expect(told(moneyIn(cell(numberCell(0.1 + 0.2)), 'point'))).toBe(0.3);
    expect(told(moneyIn(cell(numberCell(0.6, { percent: true })), 'point'))).toMatch(/^! is a percentage/);
    expect(told(moneyIn(cell(dateCell('2026-06-30') as never), 'point'))).toMatch(/^! is a date/);
    expect(told(moneyIn(cell(numberCell(2.9999999999999996)), 'point'))).toBe(3);
  });

  it('written with two decimals is read to the cent, for any amount and any marks', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }), fc.boolean(), (cents, dollars) => {
        const [whole = '', fraction = ''] = (Math.abs(cents) / 100).toFixed(2).split('.');
        const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
        const text = `${cents < 0 ? '-' : ''}${dollars ? '$' : ''}${grouped}.${fraction}`;
        const reading = moneyIn(text.replace('-$', '$-').replace('$-', '-'), 'point');
        expect(reading.ok && Math.round((reading.value as number) * 100)).toBe(cents === 0 ? 0 : cents);
      }),
    );
  });

  it('in percent is sixty as 60, 60% and a cell that shows 60%', () => {
    const cells = ['60', '60%', cell(numberCell(0.6, { percent: true })), '1%', '0.6', '1'];
    expect(cells.map((each) => told(readPercent(each, 'point')))).toEqual([60, 60, 60, 1, ...[0.6, 1].map(changed)]);
  });

  it('in percent that is no part of a whole is read as it is, and told', () => {
    const readings = ['100%', '0', '150%', '-5', '1,500 %'].map((text) => readPercent(text, 'point'));
    const said = [[100], [0], [150, 'percent-outside'], [-5, 'percent-outside'], [1500, 'read-as', 'percent-outside']];
    expect(readings.map((reading) => reading.ok && [reading.value, ...codesOf(reading)])).toEqual(said);
  });

  it('that may be text is a number only when it is nothing else', () => {
    const texts = ['10', '10%', '010', '2 points'];
    expect(texts.map((text) => told(readTextOrNumber(text, null)))).toEqual([10, '10%', '010', '2 points']);
    expect(told(readTextOrNumber(cell(numberCell(0.1, { percent: true })), 'comma'))).toBe('10%');
    expect(told(readTextOrNumber('12345678901234567', null))).toBe('12345678901234567');
  });

  it('that may be text is the number that Excel shows of a calculated one', () => {
    expect(told(readTextOrNumber('1.2100000000000002', null))).toEqual({ changed: 1.21 });
    expect(told(readTextOrNumber('1,2100000000000002', 'comma'))).toEqual({ changed: 1.21 });
    const calculated = numberCell(1.1 * 1.1, { shown: '1.21' });
    expect(told(readTextOrNumber(cell(calculated), null))).toBe(1.21);
    expect(told(readText(cell(calculated)))).toBe('1.21');
  });
});

describe('P20: an amount with a comma in front of three digits, which no cents have', () => {
  const column = ['12,50', '12,500', '7,250', '(1,000)', '1.250,50', '12 500,000', '0,125', '7'];
  const read = (texts: readonly string[], how: { readonly decimals?: DecimalMark } = {}) =>
    readColumn('deals', 'Amount requested', texts, how);
  const amountsIn = (...how: Parameters<typeof read>) => read(...how).map(({ body }) => body.amountRequested);

  it('is an error where other cells have a comma in front of cents: one slip of a key made units of thousands', () => {
    expect(amountsIn(column)).toEqual([12.5, undefined, undefined, undefined, 1250.5, 12500, 0.125, 7]);
    const said = read(column).map((row) => errorsOf(row)[0]);
    expect(said.slice(1, 4)).toEqual(
      ['12,500', '7,250', '(1,000)'].map(
        (text) =>
          `Amount requested "${text}" can be two amounts: other cells of the column have a comma in front of cents, and cents have two digits. If those are typos, correct them. Otherwise write this one like 1250 or 1250,50, or set "decimals" in a mapping.`,
      ),
    );
  });

  it('is read as a person has said of the marks, and told', () => {
    const decimals = 'comma';
    expect(amountsIn(column, { decimals })).toEqual([12.5, 12.5, 7.25, -1, 1250.5, 12500, 0.125, 7]);
    expect(warningsOf(read(column, { decimals })[1] as CheckedRow)).toContain(
      'Amount requested "12,500" has more than two decimals: it is read as 12.5.',
    );
  });

  it('is none with a comma in front of more than three digits, and shows nothing to others, unless they show commas', () => {
    expect(amountsIn(['12,5000', '1,250', '7,250.00'])).toEqual([undefined, 1250, 7250]);
    expect(amountsIn(['12,5000', '12,50'])).toEqual([12.5, 12.5]);
  });

  it('is thousands where no cell says otherwise', () => {
    expect(amountsIn(['12,500', '12.50', '7,250'])).toEqual([12500, 12.5, 7250]);
  });

  it('is a number with three decimals where the field is no money', () => {
    const rows = readRows('submission-loans', ['Factor rate'], [['1,28'], ['1,285']]);
    expect(rows.map(({ body }) => body.factorRate)).toEqual([1.28, 1.285]);
  });
});

describe('an amount whose decimal mark a person has said', () => {
  const amounts = (decimals: DecimalMark, ...texts: readonly string[]) => {
    const rows = readColumn('deals', 'Amount requested', texts, { decimals });
    return rows.map((row) => [
      row.body.amountRequested ?? null,
      [...errorsOf(row), ...warningsOf(row)].find((said) => said.startsWith('Amount')),
    ]);
  };
  const read = (text: string, amount: number, shown = String(amount)) => [
    amount,
    `Amount requested "${text}" is read as ${shown}.`,
  ];
  const refused = (text: string) => [
    null,
    expect.stringContaining(`Amount requested "${text}" is not a number. Write it`),
  ];

  it('is read by a point, whatever the other cells show', () => {
    expect(amounts('point', '1,234', '1234,50', '1.234,5', '12,5', '1,234.5', '0,125')).toEqual([
      read('1,234', 1234),
      refused('1234,50'),
      refused('1.234,5'),
      refused('12,5'),
      read('1,234.5', 1234.5, '1234.50'),
      refused('0,125'),
    ]);
  });

  it('is read by a comma, and every mark of thousands that is taken out is told with the text of the cell', () => {
    expect(amounts('comma', '1.234,5', '12.500', '1234,50', '1,234.5', '$1.250')).toEqual([
      read('1.234,5', 1234.5, '1234.50'),
      read('12.500', 12500),
      read('1234,50', 1234.5, '1234.50'),
      refused('1,234.5'),
      read('$1.250', 1250),
    ]);
  });

  it('is refused where a mark can be none of thousands', () => {
    expect(amounts('comma', '0.125', '1.2345', '1234.5', '00.125', '12.50')).toEqual(
      ['0.125', '1.2345', '1234.5', '00.125', '12.50'].map(refused),
    );
    expect(errorsOf(readRow('deals', { 'Amount requested': '0.125' }, { decimals: 'comma' }))[0]).toMatch(
      /Write it like 1250 or 1250,50\.$/,
    );
    expect(told(readPercent('12.500%', 'comma'))).toEqual({ changed: 12500 });
    expect(told(readPercent('0.500', 'comma'))).toMatch(/^! is not a number/);
    expect(told(moneyIn('0,125', 'point'))).toMatch(/^! is not a number/);
  });

  it('that may be text is a number by that mark, and else the text that it is', () => {
    const texts = ['12,5', '12,5%', '1.250', '0.125', '12,5 points', '10%', '2'];
    const toldBy = (decimals: 'comma' | null) => texts.map((text) => told(readTextOrNumber(text, decimals)));
    const byComma = [{ changed: 12.5 }, { changed: '12.5%' }, { changed: 1250 }, '0.125', '12,5 points', '10%', 2];
    expect(toldBy('comma')).toEqual(byComma);
    expect(toldBy(null)).toEqual(['12,5', '12,5%', 1.25, 0.125, '12,5 points', '10%', 2]);
  });
});

describe('a date', () => {
  const date = (text: string, order: ColumnOrder = 'unknown') => told(readDate(text, order));

  it.each([
    ['in numbers', '6/30/2026 14:05', '6/30/2026 2:05:33 PM', '30.06.2026, 14:05', '2026-06-30 2:05'],
    ['in words', 'Jun 30, 2026 2:05 p.m.', '30 June 2026 14:00', 'Jun 30, 2026 at 2:05 PM'],
    ['of a zone in numbers', '2026-06-30T14:05:00.123456-04:00', '2026-06-30 23:59:59+00'],
    ['of a zone in letters', '2026-06-30 14:05:00 UTC', '2026-06-30 09:30 AM EDT'],
    ['of a program', 'Tue Jun 30 2026 14:05:00 GMT-0400 (Eastern Daylight Time)'],
  ])('with a time of day %s is read without it, and told', (_, ...texts) => {
    for (const text of texts) {
      const reading = readDate(text, 'unknown');
      expect(reading, text).toMatchObject({ ok: true, value: '2026-06-30' });
      expect(codesOf(reading)).toContain('time-left-out');
    }
  });

  it.each(['6/30/2026 0:00', '6/30/2026 12:00:00 AM', '06/30/2026 00:00:00', '30.06.2026 00:00'])(
    'that a program has kept as a moment is its day alone: %s',
    (text) => {
      const reading = readDate(text, 'unknown');
      expect(reading).toMatchObject({ ok: true, value: '2026-06-30' });
      expect(codesOf(reading)).toEqual(['day-read-as']);
      expect(date('2026-06-30 00:00:00.000')).toBe('2026-06-30');
    },
  );

  it('of which its cell shows no day or no year is sent with the one that it has, and told', () => {
    const said = (time: string | null, hides: 'day' | 'year' = 'day', day = '2026-06-15') => {
      const reading = readDate({ kind: 'date', day, time, hides }, 'unknown');
      return reading.ok && [reading.value, ...codesOf(reading)];
    };
    expect(said(null, 'year', '2026-06-01')).toEqual(['2026-06-01', 'day-unseen']);
    expect(said(null)).toEqual(['2026-06-15', 'day-unseen']);
    expect(said('12:00:00')).toEqual(['2026-06-15', 'day-unseen', 'time-left-out']);
    // The first day is what a person who writes a month means.
    expect(said(null, 'day', '2026-06-01')).toEqual(['2026-06-01']);
  });

  it('with a time of day or a short year shows the order that alone makes a day of it, and hangs on that', () => {
    const shown = ['6/30/2026 14:05', '26/11/01', '11/11/01', '26/11/45', '05/05/05'].map(orderShownBy);
    expect(shown).toEqual(['mdy', 'two readings', 'two readings', 'dmy', null]);
    expect(date('6/3/2026 14:05')).toMatch(/^! can be read month first .* or day first/);
  });

  it('written year first in four, two and two digits is read without a word', () => {
    for (const day of ['2026-06-30', '2024-02-29']) expect(date(day)).toBe(day);
    expect(date('2026-06-30T00:00:00Z')).toBe('2026-06-30');
  });

  it.each<[day: string, ...texts: readonly string[]]>([
    ['2026-06-30', '6/30/2026', '30.06.2026', '20260630', '30-Jun-26', '30 June 2026', 'Jun 30, 2026'],
    ['2026-06-30', 'Tuesday, June 30, 2026'],
    ['2026-09-03', 'Thu, 3 Sep 2026', 'Thur 3 Sep 2026', 'Thurs. 3 Sept. 2026', 'Sept 3, 2026', '3-Sept-26'],
    ['2026-09-02', 'Weds 2 September 2026'],
    ['2026-06-03', '2026/6/3'],
    ['2026-04-04', '4/4/2026', '4/04/2026'],
    ['1900-01-01', '19000101'],
    ['2199-12-31', '21991231'],
    ['2029-06-30', '6/30/29'],
    ['1930-06-30', '6/30/30'],
  ])('is read as %s, and told', (day, ...texts) => {
    for (const text of texts) expect(date(text), text).toEqual({ changed: day });
  });

  it.each([
    ...['2026-02-30', '2023-02-29', '30 February 2026', '13/13/2026', 'mid June', '2026', '6/2026', '45000'],
    ...['2026-6', '3/2015', 'Mar. 2015', '46176.5', '13040506', '22000101', 'June 2026', 'Sept 2026'],
    ...['Septe 3, 2026', '30 June 2026 or later', '30 June 2026 25:00'],
    ...['6/30/2026 14:60', '14:05', '6/30/2026 soon'],
  ])('is refused: %s', (text) => expect(date(text)).toMatch(/^!/));

  it.each<ColumnOrder>(['unknown', 'mdy', 'dmy', 'ymd', 'contradictory'])(
    'that is none, or no day in any order, is told so, whatever its column says: %s',
    (order) => {
      for (const text of ['4/5/202', '4/5/2', '04-05-026', '104/5/2026'])
        expect(date(text, order)).toMatch(/^! is not a date/);
      for (const text of ['13/25/2019', '31/02/2015', '0/5/2019'])
        expect(date(text, order)).toMatch(/^! is not a day in the calendar/);
    },
  );

  it.each<[string, ...(readonly ColumnOrder[])]>([
    ['26/11/01', 'unknown', 'contradictory', 'mdy'],
    ['11/11/01', 'unknown', 'contradictory'],
    ['05/05/26', 'unknown', 'contradictory'],
    ['31/02/15', 'unknown', 'contradictory', 'mdy', 'dmy'],
    ['4/30/26', 'ymd'],
    ['4/5/26', 'ymd'],
  ])(
    'with a short year that can come first or last is held until its column or the person says which: %s',
    (text, ...orders) => {
      for (const order of orders) expect(date(text, order)).toMatch(/^! can (only )?be read .* first \(/);
    },
  );

  it.each<[text: string, days: { readonly [Order in ColumnOrder]?: string }]>([
    ['26/11/01', { dmy: '2001-11-26', ymd: '2026-11-01' }],
    ['11/11/01', { mdy: '2001-11-11' }],
    ['05/05/26', { ymd: '2005-05-26' }],
    ['05/05/05', { unknown: '2005-05-05' }],
    ['6/3/2026 14:05', { dmy: '2026-03-06' }],
    ['03/04/2026', { mdy: '2026-03-04', dmy: '2026-04-03' }],
    ['04/05/26', { ymd: '2004-05-26' }],
    ['31/02/15', { ymd: '1931-02-15' }],
    ['26/04/03', { ymd: '2026-04-03' }],
    ['13/04/05', { ymd: '2013-04-05' }],
    ['04/04/26', { ymd: '2004-04-26' }],
    ['30/06/2026', { ymd: '2026-06-30' }],
  ])('is the day that the order of its column makes of it: %s', (text, days) => {
    for (const [order, day] of Object.entries(days)) expect(date(text, order as ColumnOrder)).toEqual({ changed: day });
  });

  it('that can be two days is settled by its column or the person, and else refused with the days and their orders', () => {
    expect(date('11/01/2026')).toBe(
      '! can be read month first (November 1, 2026) or day first (January 11, 2026), and its column does not show the order. Write it like 2026-04-30. Or give --date-order mdy or dmy; for good, set "dateOrder": "mdy" or "dmy" in a mapping, or in "formats" in the profile.',
    );
    expect(date('26/11/01')).toContain('give --date-order dmy or ymd; for good, set "dateOrder": "dmy" or "ymd" in a');
    expect(date('05/05/26')).toContain(
      'read month first (May 5, 2026) or day first (May 5, 2026) or year first (May 26, 2005), and its',
    );
    expect(date('04/05/06')).toContain('--date-order mdy or dmy or ymd;');
    expect(date('03/04/2026', 'contradictory')).toMatch(/and its column has dates that contradict each other\./);
  });

  it('that is a day only in another order than its column names that order', () => {
    expect(date('4/30/26', 'ymd')).toMatch(
      /^! can only be read month first \(April 30, 2026\), and its column is read year first\. .* Or, if that is the order of all dates of the file, give --date-order mdy;/,
    );
    expect(date('26/11/01', 'mdy')).toMatch(
      /^! can only be read day first \(November 26, 2001\) or year first \(November 1, 2026\), and its column is read month first\./,
    );
  });

  it('that can be two days is refused on the page with the choices of the page', () => {
    tellOnPage();
    const said = date('11/01/2026');
    tellOnPage(false);
    expect(said).toMatch(/Or choose “Month first” or “Day first” under “How it is read” on the page\.$/);
  });

  it('that is not to be seen has only the orders of its days told', () => {
    const reading = readDate('11/01/2026', 'unknown');
    expect(saidOf(reading, true)).toMatch(/^can be read month first or day first, and its column/);
  });

  describe('beside texts that a spreadsheet has left', () => {
    const notesOf = (...dates: readonly Cell[]) =>
      readColumn('transactions', 'Date', dates).map((row) => warningsOf(row).join('\n'));

    it('is told where its day may be a month: the spreadsheet has perhaps taken one for the other', () => {
      const [swapped, left, same] = notesOf(dateCell('2026-02-03'), '13/03/2026', dateCell('2026-03-03'));
      expect(swapped).toContain(
        'Date "2026-02-03" may be 2026-03-02, with day and month swapped: other cells in the column are dates stored as text',
      );
      expect(left).toContain('is read as 2026-03-13');
      expect(same).toBe('');
    });

    it('is not told where another date has a day that is no month, or no text tells an order', () => {
      expect(notesOf(dateCell('2026-02-03'), '13/03/2026', dateCell('2026-02-28'))[0]).toBe('');
      expect(notesOf(dateCell('2026-02-03'), '2026-03-13')[0]).toBe('');
    });
  });

  it('of which only an order of the year first makes a day, or that makes none, is left to the person', () => {
    expect(date('31/02/15')).toMatch(
      /^! can only be read year first \(February 15, 1931\), and its column does not show the order\. .* of all dates of the file, give --date-order ymd;/,
    );
    for (const order of ['contradictory', 'mdy', 'dmy'] as const)
      expect(date('80/04/17', order)).toMatch(/^! can only be read year first \(April 17, 1980\)/);
    expect(date('26/13/03', 'ymd')).toMatch(/^! is not a day in the calendar/);
    expect(date('03/04/2026', 'ymd')).toMatch(/^! can only be read month first .* or day first .* read year first\./);
  });

  it('with a year of two digits tells which century was taken', () => {
    const reading = readDate('4/17/29', 'mdy');
    expect(reading.ok && saidOf(reading, true)).toBe(
      'is read month first: its two-digit year is read as one from 1930 to 2029.',
    );
  });

  it('whose day and month are one number is the same in either order, and said to be so where it is hidden', () => {
    for (const order of ['mdy', 'dmy', 'unknown', 'contradictory'] as const) {
      const reading = readDate('05.05.1975', order);
      expect(reading).toMatchObject({ ok: true, value: '1975-05-05' });
      expect(reading.ok && saidOf(reading, true)).toBe('is read as the day that it is in either order.');
    }
  });

  it('of a cell is its calendar day, and a bare number is none', () => {
    expect(told(readDate(dateCell('2026-06-30') as FilledCell, 'unknown'))).toBe('2026-06-30');
    expect(told(readDate(dateCell('2026-06-30', '13:00:00') as FilledCell, 'unknown'))).toEqual({
      changed: '2026-06-30',
    });
    expect(told(readDate(cell(numberCell(46203)), 'unknown'))).toBe(
      '! is a number, not a date. Format the cell as a date, or write it like 2026-04-30.',
    );
  });

  it('that has been is told when it is still to come', () => {
    const said = (text: string) => {
      const reading = readDate(text, 'mdy', '2026-11-22');
      return reading.ok && [reading.value, ...codesOf(reading)];
    };
    expect(said('2026-11-22')).toEqual(['2026-11-22']);
    for (const day of ['2035-01-01', '2999-01-01']) expect(said(day)).toEqual([day, 'day-in-future']);
    expect(said('1/1/2035')).toEqual(['2035-01-01', 'day-read-as', 'day-in-future']);
  });

  it('is the same day in every time zone', () => {
    const before = process.env.TZ;
    for (const zone of ['Pacific/Kiritimati', 'America/New_York', 'Pacific/Pago_Pago']) {
      process.env.TZ = zone;
      expect(date('June 30, 2026')).toEqual({ changed: '2026-06-30' });
    }
    process.env.TZ = before;
  });
});

describe('digits that are text', () => {
  it('keep the zeros that the cell shows, and are refused when a spreadsheet has destroyed them', () => {
    for (const text of ['00123', '1E5', '12e4', '1234567890123456000', '1234567890123450'])
      expect(told(readIdentifier(text))).toBe(text);
    for (const stored of ['1234567890123456', '1.5E+20', '1234567.891234567'])
      expect(told(readIdentifier(cell(numberCell(Number(stored), { stored }))))).toMatch(/^! has more digits/);
    const calculated = numberCell(1.1 * 3, { stored: '+3.3000000000000003', shown: '3.3' });
    expect(told(readIdentifier(cell(calculated)))).toBe('3.3');
    for (const text of ['1.23457E+15', '1,2E15', '1E+05', '1e-7'])
      expect(told(readIdentifier(text))).toMatch(/^! is written in scientific form/);
    expect(told(readIdentifier('1234567890123450000'))).toEqual({ changed: '1234567890123450000' });
    expect(told(readEin(cell(numberCell(12345678, { shown: '01-2345678' }))))).toBe('01-2345678');
    expect(told(readEin(cell(numberCell(12345678))))).toMatch(/^! has too few digits/);
    for (const text of ['7030', '70301234', '601', '6011234', '601-1234'])
      expect(told(readZip(text)), text).toMatch(/^! has too few digits/);
  });

  it('are refused when a program has taken them for decimals: a zero in front may be gone', () => {
    for (const read of [readIdentifier, readEin, readSsn, readZip])
      expect(told(read('2139.0'))).toMatch(/^! ends like an amount: .* Enter it without the decimals/);
    expect(told(readIdentifier('v1.0'))).toBe('v1.0');
  });

  it('are refused where a column was too narrow for them when it was saved, as any other field is', () => {
    const [row] = readRows('transactions', ['Reference', 'Description'], [['#####', '#1 supplier']]);
    expect(row === undefined ? [] : errorsOf(row)).toEqual([
      'Reference "#####" is what a spreadsheet shows where a column is too narrow for its numbers. Widen the column there, and export the file again.',
    ]);
  });

  it('are an EIN, an SSN or a ZIP by their number', () => {
    expect(['12-3456789', '123456789'].map((text) => told(readEin(text)))).toEqual(['12-3456789', '123456789']);
    expect(told(readEin('12-345'))).toMatch(/^! is not an EIN/);
    expect(told(readEin('123-45-6789'))).toBe('! is written like an SSN. An EIN is written 12-3456789.');
    expect(told(readSsn('12-3456789'))).toBe('! is written like an EIN. An SSN is written 123-45-6789.');
    for (const read of [readEin('**-***6789'), readSsn('XXX-XX-6789'), readSsn('•••6789')])
      expect(told(read)).toMatch(/^! is masked by the program that wrote it/);
    expect(readEin('12\u20133456789')).toMatchObject({ ok: true, value: '12-3456789' });
    expect(readSsn('219\u201009\u20159999')).toMatchObject({ ok: true, value: '219-09-9999' });
    expect(told(readSsn('219-09-9999'))).toBe('219-09-9999');
    for (const text of ['000-12-3456', '666-12-3456', '987-65-4321', '123-00-4567', '123-45-0000'])
      expect(told(readSsn(text))).toEqual({ changed: text });
    for (const text of ['12207', '12207-1234', 'K1A 0B1']) expect(told(readZip(text))).toBe(text);
    for (const read of [readZip, readPhone]) expect(told(read('see notes'))).toEqual({ changed: 'see notes' });
    for (const text of ['12207-', "'12207", '12207.5', '1-2207', '12207/12208'])
      expect(told(readZip(text)), text).toEqual({ changed: text });
    expect(told(readZip('2,207'))).toMatch(/^! has too few digits/);
  });
});

describe('a choice', () => {
  const types = choicesOf(['LLC', 'S Corporation', 'Processor'], {
    'S Corp': 'S Corporation',
    Processor: 'Procedssor',
  });

  it('is matched without case and punctuation, and is never anything but an allowed value', () => {
    const chosen = (text: string) => told(readChoice(text, types));
    expect(['LLC', 'Processor', 'Procedssor'].map(chosen)).toEqual(['LLC', 'Procedssor', 'Procedssor']);
    const changed = ['LLC', 'S Corporation', 'S Corporation', 'Procedssor'].map((value) => ({ changed: value }));
    expect(['llc', 's-corporation', 's corp', 'processor'].map(chosen)).toEqual(changed);
    expect(told(readChoice('S Corporatoin', types))).toMatch(/Did you mean S Corporation\?$/);
    expect(told(readChoice('Inc', types))).not.toMatch(/Did you mean/);
    expect(told(readChoice('Dead', choicesOf(['Lead', 'Application'], {})))).not.toMatch(/Did you mean/);
    expect(told(readChoice('Zebra', types))).toBe('! is not one of the allowed values: LLC, S Corporation, Processor.');
  });

  it.each([
    ['S-Corp', 'S Corporation'],
    ['S Corp', 'S Corporation'],
    ['Limited Liability Company', 'LLC'],
    ['Sole Prop', 'Sole Proprietorship'],
    ['Non profit', 'Non-Profit'],
  ])('takes %s for the documented entity type that it is another word for, and says so', (written, documented) => {
    const field = fieldsOf(recordKind('deals')).find(({ path }) => path === 'entityType');
    const entityTypes = choicesOf(field?.choices ?? [], field?.facts.spellings ?? {});
    expect(told(readChoice(written, entityTypes))).toEqual({ changed: documented });
  });

  it('of yes and no is a truth in words and numbers, and nothing else is one', () => {
    const written: Cell[] = [{ kind: 'boolean', value: false }, 'TRUE', 'yes', 'N', '0', 'perhaps'];
    expect(written.map((text) => told(readTruth(text as FilledCell)))).toEqual([
      ...[false, true, { changed: true }, { changed: false }, { changed: false }],
      '! is not one of the allowed values: TRUE, FALSE.',
    ]);
  });

  it('may be several in one cell', () => {
    expect(told(readChoices('LLC; Processor', types))).toEqual(['LLC', 'Procedssor']);
    expect(told(readChoices('LLC; s corp', types))).toEqual({ changed: ['LLC', 'S Corporation'] });
    expect(told(readChoices('LLC|S Corporation', types))).toEqual(['LLC', 'S Corporation']);
    expect(told(readChoices('LLC; Zebra', types))).toMatch(/^! has "Zebra", which is not one/);
  });
});

describe('text', () => {
  it('loses the blanks around it, and says so', () => {
    expect(told(readText('  a b '))).toEqual({ changed: 'a b' });
    expect(told(readText('a b'))).toBe('a b');
  });

  it('that a spreadsheet has made a date of is told, in ids as well', () => {
    const date = dateCell('2026-03-04') as FilledCell;
    for (const read of [readText, readIdentifier]) {
      const reading = read(date);
      expect(reading).toMatchObject({ ok: true, value: '2026-03-04' });
      expect(reading.ok && saidOf(reading)).toMatch(/^is a date in the file, and is read as the text 2026-03-04\./);
    }
  });

  it('that begins like a formula is told: in a file that is text nobody has calculated it', () => {
    for (const read of [readText, readIdentifier]) {
      for (const text of ['=A2&" LLC"', '=SUM(B2:B9)', '="p "&1', '=$A$1', '= -1']) {
        const reading = read(text);
        expect(reading).toMatchObject({ ok: true, value: text });
        expect(reading.ok && saidOf(reading)).toMatch(/^begins like a formula, and is read as the text that it is\./);
      }
    }
    for (const text of ['=', '=)', '==>', 'a=b']) expect(told(readText(text))).toBe(text);
    expect(told(readIdentifier('a=b'))).toBe('a=b');
  });

  it('is split on ; else | else ,', () => {
    expect(['a; b,c', 'a|b,c', 'a'].map((text) => told(readList(text)))).toEqual([['a', 'b,c'], ['a', 'b,c'], ['a']]);
    expect(told(readEmails('a@b.example; c@d.example'))).toEqual({ changed: 'a@b.example, c@d.example' });
  });

  it('P20: is told where it is split at a comma, which may be one of a name', () => {
    const row = readRow('deals', { 'Assigned to': 'Shah, Pat', Tags: 'a, b,,' });
    expect(row.body).toMatchObject({ assignedTo: ['Shah', 'Pat'], tags: ['a', 'b'] });
    expect(warningsOf(row)).toEqual([
      'Assigned to "Shah, Pat" is read as Shah; Pat.',
      'Tags "a, b,," is read as a; b.',
    ]);
  });

  it.each(['"', '\u3003', '???', '. .'])('P20: of marks alone is told, and names no record: %s', (text) => {
    const row = readRow('deals', { 'Company name': text, 'Company id': text, Ref: text, 'Amount requested': '5' });
    expect(row.body).toMatchObject({ company: { name: text } });
    expect(warningsOf(row)).toContainEqual(expect.stringMatching(/^Company name .* has no letter and no digit\./));
    expect(errorsOf(row).filter((error) => error.includes('has no letter'))).toHaveLength(2);
  });

  it('that is an address where an id is meant is read as it is, and told', () => {
    const link = 'https://crm.example/deals/deal_1';
    expect(readIdentifier(link)).toMatchObject({ ok: true, value: link });
    expect(codesOf(readIdentifier(link))).toEqual(['address-for-id']);
  });

  it('is split where a line ends, and on ; or | in a line, and not on the commas there', () => {
    const texts = ['renewal\nfood', 'a, b\r\nc', 'a,\nb,\n', 'a; b\n\nc', 'a|b\rc,d', 'a,b\n'];
    expect(texts.map((text) => told(readList(text)))).toEqual([
      ['renewal', 'food'],
      ['a, b', 'c'],
      ['a', 'b'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c,d'],
      ['a', 'b'],
    ]);
    expect(told(readEmails('a@x.example\nb@x.example'))).toEqual({ changed: 'a@x.example, b@x.example' });
    const types = choicesOf(['Funder', 'Broker'], {});
    expect(told(readChoices('Funder\nBroker', types))).toEqual(['Funder', 'Broker']);
  });

  it('has the ends of its lines made visible in messages', () => {
    const row = readRow('companies', { 'Company name': 'A', 'Contact types': 'Funder\nBrother' });
    expect(errorsOf(row)[0]).toMatch(/^Contact types "Funder\u21b5Brother" has "Brother", which is not one of/);
  });

  it('that is a phone stays as typed', () => {
    expect(told(readPhone('1.5185550142E+10'))).toMatch(/^! is written in scientific form/);
    for (const text of ['(518) 555-0142', '5185550142', '+44 20 7946 0958', '1-518-555-0142 ext. 12'])
      expect(told(readPhone(text))).toBe(text);
  });

  it.each([
    [readPhone, '555-0142', 'has fewer than ten digits'],
    [readPhone, '518-555-0142; 518-555-0143', 'has the digits of two phone numbers'],
    [readEin, '1-23456789', 'has nine digits, but not in groups like 01-2345678.'],
    [readSsn, '12-345-6789', 'has nine digits, but not in groups like 012-34-5678.'],
    [readZip, '12207-', 'is not written like a ZIP code'],
    [readZip, '432-15', 'is not written like a ZIP code'],
  ])('P20: that has digits too few, or in other groups, is told, and stays as typed: %o %s', (read, text, note) => {
    const reading = read(text);
    expect(reading).toMatchObject({ ok: true, value: text });
    expect(reading.ok && textOf(reading.notes[0] as Message)).toContain(note);
  });
});
