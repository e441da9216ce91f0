import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import { findingText } from '../../../src/messages/finding.ts';
import { Digester } from '../../../src/pipeline/survey/digester.ts';
import { FirstRows } from '../../../src/pipeline/survey/first-rows.ts';
import { checkPlace } from '../../builders/check-place.ts';
import { type Table, writeCsv, writeWorkbook } from '../../builders/tables.ts';

const place = checkPlace();

/** The warnings on duplicates, by row. */
async function warnings(file: string, kind: RecordKindName = 'companies'): Promise<Record<string, string[]>> {
  const { problemRows } = await place.check(file, file.endsWith('.csv') ? { kind } : {});
  const found = problemRows.map(({ sheet, row, problems }) => {
    const told = problems.filter((problem) => /equal to|the same as|another than/.test(findingText(problem)));
    return [`${sheet} ${row}`, told.map(findingText)] as const;
  });
  return Object.fromEntries(found.filter(([, told]) => told.length > 0));
}

const csv = (rows: Table) => writeCsv(place.path('rows.csv'), rows);

describe('a row that says again what an earlier one has said', () => {
  it('is told when it is the very same row, and both are sent', async () => {
    csv([['Deal id', 'Date', 'Amount'], ...[12.5, 13, 12.5, 12.5].map((amount) => ['deal_1', '2026-06-30', amount])]);
    expect(await warnings('rows.csv', 'transactions')).toEqual({
      'rows 4': ['The row is equal to row 2. Both are sent: take one out if it is there by mistake.'],
      'rows 5': ['The row is equal to row 2. Both are sent: take one out if it is there by mistake.'],
    });
  });

  it('is not told to be sent when it is not: its Ref is that of the earlier row too', async () => {
    csv([
      ['Ref', 'Company name', 'Contact types'],
      ['C-1', 'Harbor', 'Merchant'],
      ['C-1', 'Harbor', 'Merchant'],
    ]);
    expect(await warnings('rows.csv')).toEqual({});
  });

  it('is told when it gives a company another value than an earlier update, and not when it gives another field one', async () => {
    csv([
      ['Company to update', 'Company name', 'DBA', 'Phone'],
      ['cmp_1', 'Harbor', 'Old', ''],
      ['cmp_2', 'Kite', 'Old', ''],
      ['cmp_1', 'Harbor', 'New', ''],
      ['cmp_2', '', '', '518-555-0143'],
      ['cmp_2', '', '<clear>', '518-555-0144'],
    ]);
    const told = (label: string, row: string) =>
      `${label} is another than in ${row}, for the same company: what the later row says stands. Take one out if it is there by mistake.`;
    expect(await warnings('rows.csv', 'company-updates')).toEqual({
      'rows 4': [told('DBA', 'row 2')],
      'rows 6': [told('DBA', 'row 3'), told('Phone', 'row 5')],
    });
  });

  it('is told when it is the same company by name, EIN or e-mail, without the value', async () => {
    csv([
      ['Company name', 'Contact types', 'EIN', 'E-mail'],
      ['Harbor Bakery', 'Merchant', '12-3456789', 'a@harbor.example'],
      ['HARBOR BAKERY ', 'Broker', '12-3456780', ''],
      ['Kite Toys', 'Merchant', '12-3456789', 'A@harbor.example'],
      ['Mill', 'Merchant', '', ''],
    ]);
    const again = 'two companies will be made. Take one out if they are the same.';
    expect(await warnings('rows.csv')).toEqual({
      'rows 3': [`Company name is the same as in row 2: ${again}`],
      'rows 4': [
        expect.stringMatching(/E-mail is the same as in row 2/),
        expect.stringMatching(/EIN is the same as in row 2/),
      ],
    });
  });

  it('is told of a deal that brings along a company that an earlier deal has brought', async () => {
    csv([
      ['Amount requested', 'Company name', 'Owner last name'],
      [1, 'Harbor', 'Moreno'],
      [2, 'harbor', 'Moreno'],
    ]);
    expect(await warnings('rows.csv', 'deals')).toEqual({
      'rows 3': [expect.stringMatching(/is the same as in row 2: a company will be made for each/)],
    });
  });

  it('is found across the sheets of a kind', async () => {
    const headers = ['Company name', 'Contact types'];
    await writeWorkbook(place.path('two.xlsx'), {
      Companies: [headers, ['Harbor', 'Merchant']],
      'Companies 2': [headers, ['Harbor', 'Merchant']],
    });
    const found = await warnings('two.xlsx');
    expect(found).toEqual({ 'Companies 2 2': [expect.stringMatching(/^The row is equal to Companies row 2/)] });
  });

  it('is not told where a cell is wrong: what is missing in two records is not the same', async () => {
    csv([
      ['Deal id', 'Date', 'Amount'],
      ['deal_1', '2026-06-31', 12.5],
      ['deal_1', '2026-06-32', 12.5],
    ]);
    expect(await warnings('rows.csv', 'transactions')).toEqual({});
  });

  it('stays right while the memory of it grows', () => {
    const row = fc.record({
      text: fc.string({ maxLength: 3 }),
      sheet: fc.nat(2),
      row: fc.integer({ min: 1, max: 1e6 }),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 3000, size: 'max' }), (rows) => {
        const first = new FirstRows();
        const model = new Map<string, { sheet: number; row: number }>();
        for (const { text, sheet, row } of rows) {
          if (!model.has(text)) model.set(text, { sheet, row });
          expect(first.firstOf(new Digester().text(text), sheet, row)).toEqual(model.get(text));
        }
      }),
      { numRuns: 20 },
    );
  });
});
