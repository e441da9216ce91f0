import { describe, expect, it } from 'vitest';
import { foreignHeaders } from '../../../src/mapping/mapping-file/mapped-sheet.ts';

const named = (...values: readonly string[]) => foreignHeaders({ number: 1, values, hidden: false }, undefined, [], 0);

describe("the headers of somebody else's sheet", () => {
  it('are counted when they stand more than once', () => {
    expect(named('Phone', 'Phone', 'phone ')).toEqual(['Phone', 'Phone (2)', 'phone (3)']);
  });

  it('are counted past a header that is called so by itself, wherever it stands', () => {
    expect(named('Amount (2)', 'Amount', 'Amount')).toEqual(['Amount (2)', 'Amount', 'Amount (3)']);
    expect(named('Amount', 'Amount', 'Amount (2)', 'Amount')).toEqual([
      'Amount',
      'Amount (3)',
      'Amount (2)',
      'Amount (4)',
    ]);
  });

  it('take nothing from the columns of ours that stand in front of them in a results sheet', () => {
    const row = { number: 1, values: ['Status', 'ID', 'Status', 'Status'], hidden: false };
    expect(foreignHeaders(row, undefined, [], 2)).toEqual(['Status', 'ID', 'Status', 'Status (2)']);
  });

  it('are joined with a cell that is merged above some of them, and not with a title above all', () => {
    const row = (number: number, ...values: readonly string[]) => ({ number, values, hidden: false });
    const below = (lastColumn: number) =>
      foreignHeaders(
        row(2, 'A', 'B', 'C'),
        row(1, 'June'),
        [{ firstRow: 0, lastRow: 0, firstColumn: 0, lastColumn }],
        0,
      );
    expect(below(1)).toEqual(['June A', 'June B', 'C']);
    expect(below(2)).toEqual(['A', 'B', 'C']);
  });

  it('are others when they differ in a sign, and the same in another case or with other blanks', () => {
    const signs = ['Rate ($)', 'Rate %', 'Rate #', 'Amount 2', 'Amount (2)'];
    expect(named(...signs)).toEqual(signs);
    expect(named('Amount', ' AMOUNT')).toEqual(['Amount', 'AMOUNT (2)']);
    expect(named('Loan\u00a0 no', 'loan no')).toEqual(['Loan no', 'loan no (2)']);
  });
});
