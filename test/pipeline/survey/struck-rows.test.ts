import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { checkFile } from '../../../src/pipeline/check-file.ts';
import { readingDefaults } from '../../../src/pipeline/defaults.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealsheet-struck-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What is told before they are sent of two leads, in whose first row these cells are struck through. */
async function toldWithStruck(columns: readonly number[]): Promise<Record<number, string>> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Leads');
  sheet.addRow(['Company name', 'Amount requested', 'Owner 1 last name']);
  sheet.addRow(['Harbor', 100, 'Smith']);
  sheet.addRow(['Kite', 250, 'Jones']);
  for (const column of columns) sheet.getCell(2, column).font = { strike: true };
  const file = join(folder, 'leads.xlsx');
  await book.xlsx.writeFile(file);
  const told: Record<number, string> = {};
  const options = { ...readingDefaults, file, snapshotFolder: join(folder, 'sources'), kind: recordKind('leads') };
  await checkFile(options, {
    onProgress: () => {},
    onProblemRow: ({ row, problems }) => {
      for (const { message, isToldBefore } of problems) if (isToldBefore === true) told[row] = message;
    },
  });
  return told;
}

describe('a row that is struck through', () => {
  it('is sent with a note, and told before', async () => {
    expect(await toldWithStruck([1, 2, 3])).toEqual({
      2: 'The row is struck through, and is read like the others. It is sent: take it out if it is no lead any more.',
    });
  });

  it('is a row like any other where one of its cells is not', async () => {
    expect(await toldWithStruck([1, 3])).toEqual({});
    expect(await toldWithStruck([])).toEqual({});
  });
});
