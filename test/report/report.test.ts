import { existsSync, readFileSync } from 'node:fs';
import ExcelJS, { type CellValue } from 'exceljs';
import { describe, expect, it } from 'vitest';
import type { RunEntry } from '../../src/ledger/ledger.ts';
import { type Reported, type ReportOptions, report } from '../../src/report/report.ts';
import { createSheetWriter } from '../../src/report/results-file.ts';
import { stageSource, withStaging } from '../../src/staging/reading.ts';
import { copySource } from '../../src/staging/source/source-copy.ts';
import { readingDefaults } from '../builders/default-options.ts';
import { aRun } from '../builders/runs.ts';
import { readWorkbook, type Table, writeCsv, writeWorkbook } from '../builders/tables.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { partsOf, writeParts } from '../tables/xlsx/workbook-parts.ts';

const inFolder = folderForEachTest();

const results = () => inFolder('results.csv');
const twoRows: Table = [['Company name'], ['Harbor'], ['Summit']];

/** The results of a source, of which the ledger knows these rows. */
async function reportedWith(created: readonly number[], table: Table = twoRows, path = results()): Promise<Reported> {
  const file = inFolder('deals.csv');
  writeCsv(file, table);
  return await reportedOf(file, created, path);
}

async function reportedOf(file: string, created: readonly number[], path: string, as = {}): Promise<Reported> {
  const options = { ...readingDefaults, file, sourcesFolder: inFolder('sources') };
  const snapshot = await copySource(file, options.sourcesFolder, process.stdin);
  const writer = await createSheetWriter(path, { mode: 0o600, properties: {} });
  try {
    return await withStaging(snapshot, options, async (source, staging) => {
      const reading = { earlierRefs: null, service: null, digestOf: String, onProgress: () => {} };
      const staged = await stageSource(source, snapshot, staging, options, reading);
      const results = { writer, path, withSummary: path.endsWith('.xlsx'), note: () => {} };
      const read = { staged, staging, copy: snapshot, mask: 'rows that are in' } as const;
      return report(read, results, {
        run: { ledger: ledgerOf(created, as), record: aRun },
        notices: [],
        valuesBefore: new Map(),
      });
    });
  } finally {
    snapshot.lock.remove();
  }
}

/** One that knows of these rows that they were created, or what else it has of them. */
function ledgerOf(created: readonly number[], as: Partial<RunEntry>): NonNullable<ReportOptions['run']>['ledger'] {
  const entry = (sheet: string, place: number): RunEntry => ({
    sheet,
    row: place,
    kind: 'deals',
    id: place,
    attempt: 1,
    state: 'created',
    attempts: 1,
    record: `deal_${place}`,
    company: null,
    url: null,
    message: null,
    phase: 'committed',
    against: null,
    since: null,
    ...as,
  });
  return {
    rowsAtOnce: 512,
    digest: String,
    lookupRows: async () => new Map(),
    entries: async (_, sheet, after, limit) =>
      created
        .filter((row) => row > after)
        .slice(0, limit)
        .map((row) => entry(sheet, row)),
  };
}

describe('the results of a run', () => {
  it('are written also when a cell stands far to the right of the table', async () => {
    const path = inFolder('results.xlsx');
    await reportedWith(
      [2],
      [
        ['Company name', 'Amount requested', '', ''],
        ['Harbor', 1, '', 'Call him'],
      ],
      path,
    );
    expect(await readWorkbook(path, 'deals')).toMatchObject([{ Status: 'Created', 'Company name': 'Harbor' }]);
  });

  it('have first what may make a record twice, and last how a cell was read', async () => {
    const equal = ['Harbor', '$1,250.00', 'Moreno'];
    const path = inFolder('results.xlsx');
    await reportedWith([], [['Company name', 'Amount requested', 'Owner 1 last name'], equal, equal], path);
    const [, copy] = await readWorkbook(path, 'deals');
    const notes = String(copy?.Problems).split('\n');
    expect(notes[0]).toContain('The row is the same as row 2 of the source.');
    expect(notes.at(-1)).toBe('Note: Amount requested "$1,250.00" is read as 1250.');
  });

  it('have a calculated number as the number that it is', async () => {
    const file = inFolder('deals.xlsx');
    await writeWorkbook(file, {
      Deals: [
        ['Company name', 'Amount requested'],
        ['Harbor', 1.1 * 3],
      ],
    });
    const path = inFolder('results.xlsx');
    await reportedOf(file, [], path);
    expect(await readWorkbook(path, 'Deals')).toMatchObject([{ 'Amount requested': 1.1 * 3 }]);
  });

  const [amount, percent] = ['Amount requested', 'Owner 1 ownership percent'];
  const phone = 'Company phone';
  it.each<[what: string, cells: Record<string, readonly [CellValue, format: string]>, written: object, as?: object]>([
    [
      'what the format of a cell shows, and the number of an amount whose words leave it what it is',
      { Ref: [3, '"D-"000'], [amount]: [1250, '#,##0.00" DR"'], [percent]: [60, '0" points"'] },
      { Status: 'Invalid', Ref: 'D-003', [amount]: '1250 shown as 1,250.00 DR', [percent]: 60 },
    ],
    [
      'both the number and what is shown of an amount with another sign, so that neither is taken for it',
      { Ref: [3, '(0)'], [amount]: [1250, '(#,##0.00)'] },
      { Status: 'Invalid', Ref: '(3)', [amount]: '1250 shown as (1,250.00)' },
    ],
    [
      'both of an amount that is shown in thousands without a word, which by itself would be another amount',
      { Ref: [3, '0,'], [amount]: [1_250_000, '#,##0,'] },
      { Status: 'Invalid', Ref: '0', [amount]: '1250000 shown as 1,250' },
    ],
    [
      'the number of an amount whose format has zeros in front, which as text would be another amount',
      { Ref: [1250, '00,000'], [amount]: [1250, '00,000'], [percent]: [60, '00,000'] },
      { Ref: '01,250', [amount]: 1250, [percent]: 60 },
    ],
    [
      'a number that has lost digits as the number that it is, whatever its format',
      { Ref: [1_234_567_890_123_450, '0000-0000-0000-0000'], [amount]: [1250, ''] },
      { Status: 'Invalid', Ref: 1_234_567_890_123_450 },
    ],
    [
      'an id in scientific form in that form, in which it is refused again',
      { Ref: [120_000, '0.00E+00'], [amount]: [1250, '0.00E+00'] },
      { Status: 'Invalid', Ref: '1.2E+5', [amount]: 1250 },
    ],
    ['so, too, a phone number', { [phone]: [5_185_550_142, '0.00E+00'] }, { [phone]: '5.185550142E+9' }],
    ['also one of round digits', { [phone]: [120_000, '0.00E+00'] }, { [phone]: '1.2E+5' }],
    [
      'a ZIP as it was read, without the word of its format',
      { 'Company address ZIP': [7030, '"NJ "00000'] },
      { 'Company address ZIP': '07030' },
    ],
    [
      'a mark for a formula without its result, whose text would be sent',
      { Ref: [{ formula: '"D-"&1' }, ''] },
      { Status: 'Invalid', Ref: '#FORMULA!' },
    ],
    [
      'such a mark also in a row in doubt, which is sent once it is settled as not created',
      { Ref: [{ formula: '"D-"&1' }, ''] },
      { Status: 'In doubt', Ref: '#FORMULA!' },
      { state: 'in-doubt', phase: 'in-doubt' },
    ],
    [
      'such a mark also in a total row, which is left out again',
      { 'Company name': ['Total', ''], [amount]: [{ formula: 'SUM(B2:B3)' }, ''] },
      { Status: 'Left out', [amount]: '#FORMULA!' },
    ],
  ])('have %s', async (_, cells, written, as) => {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('Deals');
    const columns = Object.entries<readonly [CellValue, string]>({
      'Company name': ['Harbor', ''],
      [amount]: [5, ''],
      ...cells,
    });
    sheet.addRow(columns.map(([header]) => header));
    sheet.addRow(columns.map(([, [value]]) => value)).eachCell((cell, at) => {
      cell.numFmt = columns[at - 1]?.[1][1] ?? '';
    });
    const file = inFolder('deals.xlsx');
    await book.xlsx.writeFile(file);
    const path = inFolder('results.xlsx');
    await reportedOf(file, as === undefined ? [] : [2], path, as);
    expect(await readWorkbook(path, 'Deals')).toMatchObject([written]);
  });

  it('have no exponent in an amount that programs in Java have stored with one, which CSV would not be read with', async () => {
    const text = (reference: string, value: string) => `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows = `<row r="1">${text('A1', 'Company name')}${text('B1', 'Amount requested')}</row><row r="2">${text('A2', 'Harbor')}<c r="B2"><v>1.25E7</v></c></row>`;
    const file = inFolder('deals.xlsx');
    await writeParts(file, partsOf({ sheets: { Deals: rows } }));
    await reportedOf(file, [], results());
    expect(readFileSync(results(), 'utf8')).toMatch(/,Harbor,12500000\r\n/);
  });

  it('have every row of the source, sent or not', async () => {
    const { counts } = await reportedWith([3]);
    expect(counts).toMatchObject({ rows: 2, created: 1 });
    expect(existsSync(results())).toBe(true);
  });

  it.each([
    ['behind the last row', [2, 3, 4], 'deals!4'],
    ['above the first', [1, 2, 3], 'deals!1'],
  ])('are not written without a row that the ledger has %s', async (_, created, missing) => {
    await expect(reportedWith(created)).rejects.toMatchObject({
      code: 'output-failed',
      message: expect.stringContaining(`The ledger has a result for ${missing}, but the source has no such row`),
    });
    expect(existsSync(results())).toBe(false);
  });
});
