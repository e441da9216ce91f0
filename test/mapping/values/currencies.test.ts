import { describe, expect, it } from 'vitest';
import type { NumberCell } from '../../../src/tables/row.ts';
import { numberCell, readRow, warningsOf } from '../rows.ts';

const read = (cell: string | NumberCell) => {
  const row = readRow('transactions', { 'Deal id': 'd', Amount: cell });
  return [row.body.amount, ...warningsOf(row)];
};

describe('an amount that is written with a currency', () => {
  it.each([
    ['€1,250.00', '€'],
    ['1.250,00 EUR', 'EUR'],
    ['CAD 1,250.00', 'CAD'],
    ['(£1,250.00)', '£'],
    [numberCell(1250, { currency: 'kr.' }), 'kr.'],
  ])('is read by its number, and told not to be sent with it where that is no dollar: %j', (cell, currency) => {
    const text = typeof cell === 'string' ? cell : cell.shown;
    const amount = text.startsWith('(') ? -1250 : 1250;
    expect(read(cell)).toEqual([
      amount,
      `Amount "${text}" is read as ${amount}: its currency (${currency}) is not sent.`,
    ]);
  });

  it.each(['$1,250.00', '1,250.00 USD'])('is read without a word on dollars: %s', (text) => {
    expect(read(text)).toEqual([1250, `Amount "${text}" is read as 1250.`]);
  });
});
