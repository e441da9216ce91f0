import { describe, expect, it } from 'vitest';
import { readRow, warningsOf } from '../rows.ts';

const read = (text: string) => {
  const row = readRow('transactions', { 'Deal id': 'd', Amount: text });
  return [row.body.amount, ...warningsOf(row)];
};

describe('an amount that is written with a currency', () => {
  it.each([
    ['€1,250.00', '€'],
    ['1.250,00 EUR', 'EUR'],
    ['CAD 1,250.00', 'CAD'],
    ['(£1,250.00)', '£'],
  ])('is read by its number, and told not to be sent with it where that is no dollar: %s', (text, currency) => {
    const amount = text.startsWith('(') ? -1250 : 1250;
    expect(read(text)).toEqual([
      amount,
      `Amount "${text}" is read as ${amount}: its currency (${currency}) is not sent.`,
    ]);
  });

  it.each(['$1,250.00', '1,250.00 USD'])('is read without a word on dollars: %s', (text) => {
    expect(read(text)).toEqual([1250, `Amount "${text}" is read as 1250.`]);
  });
});
