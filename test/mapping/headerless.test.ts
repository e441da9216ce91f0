import { describe, expect, it } from 'vitest';
import { recordKind, recordKinds } from '../../src/contract/record-kinds.ts';
import { rowInPlaceOfHeaders } from '../../src/mapping/headerless.ts';
import type { Cell } from '../../src/sheets/cell.ts';
import { dateCell, numberCell } from './rows.ts';

function found(...table: readonly (readonly Cell[])[]): number | null {
  const rows = table.map((cells, index) => ({ number: index + 3, cells, hidden: false }));
  return rowInPlaceOfHeaders(recordKinds, rows)?.number ?? null;
}

const bank: readonly Cell[] = ['06/30/2026', '-228.57', '*', null, 'ACH DEBIT HARBOR BAKERY 063026'];

describe('a row in the place of headers', () => {
  it('is the first, where it holds values and no row has headers', () => {
    expect(found(bank)).toBe(3);
    expect(found(bank, bank.with(4, 'CHECK'))).toBe(3);
    expect(found(['Harbor', 'LLC', '219099999', 'ada@harbor.example'])).toBe(3);
    expect(found([numberCell(228.57), '12-3456789', 'Harbor'])).toBe(3);
  });

  it('is one too where a payment is called what a field is called', () => {
    expect(found([...bank, 'Payment', 'Type'].with(4, 'Description').slice(0, 5))).toBe(3);
  });

  it('is none above headers, nor where its cells may be names', () => {
    expect(found(bank, ['Date', 'Amount', 'Description'])).toBeNull();
    expect(found(['06/30/2026', '45,000.00'], ['Firm', 'How much'], ['Harbor', '500.00'])).toBeNull();
    expect(found(['Account', '2024', '2025', '2026'])).toBeNull();
    expect(found(['Account', dateCell('2026-01-01'), dateCell('2026-02-01')])).toBeNull();
    expect(found(['Firm', 'How much', '1.5% fee', 'Line 12345'])).toBeNull();
    expect(found(['Rate', '0-30', 'Notes'])).toBeNull();
    expect(found()).toBeNull();
  });

  it('is looked for by the headers of the kind that is meant', () => {
    const rows = [{ number: 1, cells: bank, hidden: false }];
    expect(rowInPlaceOfHeaders([recordKind('deals')], rows)?.number).toBe(1);
  });
});
