import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createXlsxWriter } from '../../src/tables/xlsx/workbook-writer.ts';
import { walkXml } from '../../src/tables/xlsx/xml-parts.ts';
import { openZip } from '../../src/tables/xlsx/zip-entries.ts';
import {
  addExportSheet,
  type ColumnLook,
  type ExportColumn,
  type ExportRow,
  mainAmount,
  sumIn,
} from '../../src/workbooks/export-sheet.ts';
import { integer, money, writeSummary } from '../../src/workbooks/summary.ts';
import { folderForAllTests } from '../builders/temporary-folder.ts';
import { hasLibreOffice, runs } from '../builders/tools.ts';

const inFolder = folderForAllTests();
let path: string;

function column(label: string, look: ColumnLook, width = 18): ExportColumn {
  return { label, look, width };
}

const columns = [
  column('Loan ID', 'text', 24),
  column('Status', 'text'),
  column('Due date', 'date', 12),
  column('Past due amount', 'money', 20),
  column('Balance', 'money', 22),
  column('Share', 'percent', 10),
];
const rows: readonly ExportRow[] = [
  [
    '12345678901234567890',
    'Active',
    { day: '2026-12-01' },
    { digits: '0' },
    { digits: '9007199254740.93' },
    { digits: '12.5' },
  ],
  ['=1+1', 'Default', { day: '2026-06-01' }, { digits: '75.5' }, { digits: '1000' }, null],
  ['a & b', 'Paid off', { day: '2026-06-01' }, null, { digits: '-20.03' }, { digits: '100' }],
];

beforeAll(async () => {
  const writer = await createXlsxWriter(inFolder('balances.xlsx'), { mode: 0o600, properties: {} });
  await addExportSheet(writer, {
    name: 'Balances',
    columns,
    rows,
    totals: (index) => (index === 4 ? '9007199255720.9' : '75.5'),
    frozenColumns: 1,
  });
  const byStatus = [
    ['Active', integer(1), money('9007199254740.93')],
    ['Default', integer(1), money('1000')],
  ];
  await writeSummary(writer, [30, 20, 20], {
    title: 'Loan balances',
    facts: [['Records', integer(3)]],
    tables: [
      {
        title: 'Totals',
        headers: ['Amount', 'Total'],
        rows: [['Balance', sumIn('Balances', 4, 3, '9007199255720.9')]],
      },
      { title: 'By status', headers: ['Status', 'Records', 'Balance'], rows: byStatus },
    ],
    notices: [],
  });
  path = await writer.finish();
});

describe('the workbook of an export', () => {
  it('shows amounts, shares and texts as what they are', async () => {
    const workbook = await new ExcelJS.Workbook().xlsx.readFile(path);
    const sheet = workbook.getWorksheet('Balances');
    expect(sheet?.getCell('E4').numFmt).toBe('#,##0.00;[Red]-#,##0.00');
    expect(sheet?.getCell('F2').numFmt).toBe('0.00"%"');
    expect(sheet?.getCell('A2').value).toBe('12345678901234567890');
    expect(sheet?.getCell('A3').value).toBe('=1+1');
  });

  it('has totals that follow the filter', async () => {
    const entries = await openZip(path);
    const xml = await entries.readText('xl/worksheets/sheet1.xml');
    const names = await entries.readText('xl/workbook.xml');
    entries.close();
    expect(xml).toContain('<f>SUBTOTAL(109,E2:E4)</f><v>9007199255720.9</v>');
    expect(xml).toContain('<autoFilter ref="A1:F4"/>');
    expect(names).toContain("'Balances'!$A$1:$F$4");
  });

  it('has the elements of a sheet in the order that the schema wants', async () => {
    const order: string[] = [];
    const entries = await openZip(path);
    for (const name of entries.names) {
      walkXml(name, await entries.readText(name), ({ path }) => {
        const [, child = '', ...below] = path.split('/');
        if (name === 'xl/worksheets/sheet1.xml' && child !== '' && below.length === 0) order.push(child);
      });
    }
    entries.close();
    expect(order).toEqual([
      ...['sheetPr', 'sheetViews', 'sheetFormatPr', 'cols', 'sheetData'],
      ...['autoFilter', 'pageMargins', 'pageSetup', 'ignoredErrors'],
    ]);
  });

  const hasOffice = hasLibreOffice() && runs('pdftotext', '-v');
  it.skipIf(!hasOffice)('is shown by LibreOffice with every figure in full', () => {
    const profile = `-env:UserInstallation=file://${inFolder('profile')}`;
    execFileSync('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', inFolder(), path], {
      stdio: 'ignore',
    });
    execFileSync('pdftotext', ['-layout', inFolder('balances.pdf'), inFolder('balances.txt')]);
    const text = readFileSync(inFolder('balances.txt'), 'utf8');
    expect(text).not.toContain('###');
    for (const shown of ['9,007,199,254,740.93', '9,007,199,255,720.90', '-20.03', '12.50%', '2026-06-01'])
      expect(text).toContain(shown);
  });
});

it('the amount that a table is about is the plain balance, and else the first of several', () => {
  const amounts = (...labels: readonly string[]) =>
    mainAmount([column('loanId', 'text'), ...labels.map((label) => column(label, 'money'))]);
  expect(amounts('principalBalance', 'balance')).toBe(2);
  expect(amounts('amount', 'paid')).toBe(1);
  expect(amounts()).toBeNull();
});
