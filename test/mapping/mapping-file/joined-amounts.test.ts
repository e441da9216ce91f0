import { describe, expect, it } from 'vitest';
import { joinedAmount } from '../../../src/mapping/mapping-file/made-cells.ts';
import { readMoney } from '../../../src/mapping/values/amounts.ts';
import { numberCell, saidOf } from '../rows.ts';

const debitFirst = new Set([0]);

/** The amount of a row with a column of debits, which are against, and one of credits. */
function amountOf(debit: string, credit: string): unknown {
  const cell = joinedAmount([debit || null, credit || null], debitFirst);
  if (cell === null) return null;
  const reading = readMoney(cell, { decimal: 'contradictory' });
  return reading.ok ? reading.value : saidOf(reading);
}

describe('an amount that stands in one of two columns', () => {
  it.each([
    ['$5.00', -5],
    ['+5', -5],
    ['5-', 5],
    ['\u22125', 5],
    ['(5)', 5],
  ])('gets the other sign where it stands in the column that is against: %s', (debit, amount) => {
    expect(amountOf(debit, '')).toBe(amount);
  });

  it('keeps its own in the other, and the digits of a number', () => {
    expect(amountOf('', '250.00-')).toBe(-250);
    expect(joinedAmount([numberCell(5), '0.00'], debitFirst)).toEqual(numberCell(-5));
  });
});
