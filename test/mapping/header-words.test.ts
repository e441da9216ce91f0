import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../src/contract/fields.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { headerRowTest } from '../../src/mapping/header-row.ts';

const deals = recordKind('deals');

function rowOf(...values: string[]) {
  return { number: 7, values, hidden: false };
}

/** The words of a header as people write them once more further down. */
const waysToWrite: readonly ((header: string) => string)[] = [
  (header) => header,
  (header) => header.toUpperCase(),
  (header) => `  ${header}  `,
  (header) => `${header} *`,
  (header) => `${header}:`,
  (header) => `[${header}]`,
  (header) => header.replaceAll(' ', '_'),
];

describe('the words of headers', () => {
  it('are known for every field, however they are written', () => {
    const isHeaderRow = headerRowTest(deals, ['Amount requested', 'Company name'], 2);
    for (const { path, headers } of fieldsOf(deals)) {
      const other = path === 'amountRequested' ? 'Company name' : 'Amount requested';
      for (const header of headers) {
        for (const way of waysToWrite) {
          const written = way(header);
          expect(isHeaderRow(rowOf(written, other)), written).toBe(true);
        }
      }
    }
  });

  it.each([
    ['another script', 'Сумма', 'Компания'],
    ['accents', 'Überweisung', 'Société'],
    ['accents written in two signs', 'U\u0308berweisung', 'Socie\u0301te\u0301'],
    ['wide letters', 'Ａｍｏｕｎｔ', 'Ｎａｍｅ'],
    ['digits', '2026 amount', '1st name'],
    ['a sign', '№ 1', '% of all'],
  ])('are known again in headers of %s', (_name, ...headers) => {
    expect(headerRowTest(deals, headers, headers.length)(rowOf(...headers))).toBe(true);
  });

  it('are not found in a row of data', () => {
    const isHeaderRow = headerRowTest(deals, ['Amount requested', 'Company name'], 2);
    expect(isHeaderRow(rowOf('50000', 'Harbor Bakery LLC'))).toBe(false);
  });
});
