import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { checkFile } from '../../../src/pipeline/check-file.ts';
import { readingDefaults } from '../../../src/pipeline/defaults.ts';
import { type Table, writeCsv } from '../../builders/tables.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealsheet-words-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The errors of a table by the row that has them. */
async function errorsOf(table: Table, kind: RecordKindName = 'transactions'): Promise<Record<number, string>> {
  const file = join(folder, 'rows.csv');
  writeCsv(file, table);
  const errors: Record<number, string> = {};
  const options = { ...readingDefaults, file, snapshotFolder: join(folder, 'sources'), kind: recordKind(kind) };
  await checkFile(options, {
    onProgress: () => {},
    onProblemRow: ({ row, problems }) => {
      const found = problems.filter(({ severity }) => severity === 'error');
      if (found.length > 0) errors[row] = found.map(({ message }) => message).join(' ');
    },
  });
  return errors;
}

const headers = ['Deal id', 'Date', 'Amount', 'Type'];
const payment = ['deal_1', '2026-06-30', '100', 'Payment'];

describe('words in the place of an id', () => {
  it('are no record: a line below the table', async () => {
    expect(await errorsOf([headers, payment, ['Prepared by Ann Lee', '', '', '']])).toEqual({
      3: 'Deal id "Prepared by Ann Lee" is no id, as those above it are. Put the id of the deal there, or take the row out.',
    });
  });

  it('are no record: a figure below the table, and a total that is no sum or has its amount elsewhere', async () => {
    const feet = [
      ['Number of payments', '', '1', ''],
      ['TOTAL', '', '77.00', ''],
      ['Subtotals', '', '', '100'],
    ];
    const errors = await errorsOf([headers, payment, ...feet]);
    expect(Object.keys(errors)).toEqual(['3', '4', '5']);
    expect(errors[4]).toBe(
      'Deal id "TOTAL" is a word for a total, and no id. Put the id of the deal there, or take the row out.',
    );
  });

  it('are none of a total that stands above all rows either', async () => {
    expect(Object.keys(await errorsOf([headers, ['Total', '', '100', ''], payment]))).toEqual(['2']);
  });

  it('may be ids where the first of them has a blank too', async () => {
    const rows = ['Harbor 1', 'Harbor 2', 'kite', 'total-1'].map((id) => payment.with(0, id));
    expect(await errorsOf([headers, ...rows])).toEqual({});
  });

  it('are looked for in each column that names a record, and not in one of refs', async () => {
    const table = [
      ['Deal id', 'Company id', 'Note'],
      ['deal_1', 'cmp_1', 'Asked'],
      ['deal_2', 'see below', 'Asked'],
    ];
    expect(await errorsOf(table, 'submissions')).toEqual({
      3: 'Company id "see below" is no id, as those above it are. Put the id of the company there, or take the row out.',
    });
    const refs = [
      ['Deal ref', 'Deal id', 'Amount'],
      ['', 'deal_1', '100'],
      ['Harbor 1', '', '200'],
    ];
    expect(await errorsOf(refs)).toEqual({});
  });
});
