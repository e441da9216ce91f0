import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputCell, OutputSheetOptions } from '../../../src/tables/sheet-writer.ts';
import { createXlsxWriter, freeSheetName } from '../../../src/tables/xlsx/workbook-writer.ts';
import { readTable } from '../../builders/read-table.ts';
import { strictFaults } from '../../builders/strict-workbook.ts';
import { folderForAllTests } from '../../builders/temporary-folder.ts';
import { hasLibreOffice, hasOpenpyxl } from '../../builders/tools.ts';

const inFolder = folderForAllTests();

const plainSheet: OutputSheetOptions = { name: 'Data', columns: [{ width: 12 }], frozenColumns: 1 };

async function write(
  name: string,
  rows: readonly (readonly OutputCell[])[],
  options: Partial<OutputSheetOptions> = {},
): Promise<string> {
  const path = inFolder(name);
  const writer = await createXlsxWriter(path, { mode: 0o600, properties: { made: 'here' } });
  const sheet = await writer.addSheet({ ...plainSheet, ...options });
  for (const row of rows) await sheet.addRow(row);
  return writer.finish();
}

const everything: readonly (readonly OutputCell[])[] = [
  [
    { value: 'Header', style: 'header' },
    { value: 'Amount', style: 'header' },
  ],
  ['=1+1', 12.5, true, { day: '2026-06-30' }, { day: '2026-06-30', time: '13:45:00' }, { digits: '9007199254740.93' }],
  [
    { value: { link: 'https://a.example/x?a=1&b="2"', text: 'a link' }, style: 'link' },
    { value: 'wrong', style: 'problem' },
    { value: { day: '2015-03-04', time: '12:00:00' }, style: 'warning' },
    { value: { day: '2015-03-04' }, style: 'problem' },
    'a\nb',
    null,
    ' x ',
  ],
];

describe('a workbook that we write', () => {
  it('is read back as it was written', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 }).map((found) => found.replace(/\r\n?/g, '\n'));
    const cell = fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('_x0041_', '=x', '\u0001', '\ufffe', ']]>', '<a&b>'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
        async (table) => {
          const { rows } = await readTable(await write('back.xlsx', table));
          const got = new Map(rows.map(({ number, values }) => [number, values]));
          table.forEach((row, index) => {
            row.forEach((value, column) => {
              const found = (got.get(index + 1)?.[column] ?? null) as null | string | { value: unknown };
              const plain = found !== null && typeof found === 'object' ? found.value : found;
              expect(plain).toEqual(value === '' ? null : Object.is(value, -0) ? 0 : value);
            });
          });
        },
      ),
      { numRuns: 120 },
    );
  });

  it('is the same for exceljs, with its links, filters and frozen panes', async () => {
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(await write('all.xlsx', everything));
    const sheet = workbook.getWorksheet('Data');
    expect(sheet?.getCell('A2').value).toBe('=1+1');
    expect(sheet?.getCell('D2').value).toEqual(new Date('2026-06-30T00:00:00Z'));
    expect(sheet?.getCell('E2').value).toEqual(new Date('2026-06-30T13:45:00Z'));
    expect(sheet?.getCell('A3').value).toEqual({ text: 'a link', hyperlink: 'https://a.example/x?a=1&b=%222%22' });
    expect(['A2', 'B2', 'B3'].map((place) => sheet?.getCell(place).alignment?.indent ?? 0)).toEqual([1, 0, 1]);
    expect(sheet?.autoFilter).toBe('A1:G3');
    expect(sheet?.views[0]).toMatchObject({ state: 'frozen', xSplit: 1, ySplit: 1 });
  });

  it.skipIf(!hasOpenpyxl())('is the same for openpyxl', async () => {
    const path = await write('python.xlsx', everything);
    const script =
      "import openpyxl,sys;s=openpyxl.load_workbook(sys.argv[1])['Data'];print([c.value for c in s[2]]);print(s['A3'].hyperlink.target)";
    const said = execFileSync('/usr/bin/python3', ['-c', script, path], { encoding: 'utf8' });
    expect(said).toContain(
      "'=1+1', 12.5, True, datetime.datetime(2026, 6, 30, 0, 0), datetime.datetime(2026, 6, 30, 13, 45), 9007199254740.93",
    );
    expect(said).toContain('https://a.example/x?a=1&b=%222%22');
  });

  it.skipIf(!hasLibreOffice())('is the same for LibreOffice', async () => {
    const path = await write('office.xlsx', everything);
    const profile = `-env:UserInstallation=file://${inFolder('profile')}`;
    const words = [profile, '--headless', '--convert-to', 'csv', '--outdir', inFolder(), path];
    execFileSync('soffice', words, { stdio: 'ignore' });
    expect(readFileSync(inFolder('office.csv'), 'utf8')).toContain(
      '=1+1,12.5,TRUE,2026-06-30,2026-06-30 13:45:00,9007199254740.93',
    );
  });

  it('is what Excel opens without a repair, whatever its cells are', async () => {
    expect(await strictFaults(await write('strict.xlsx', everything))).toEqual([]);
  });

  it('cuts a text that Excel would refuse, and says so in the cell', async () => {
    const { rows } = await readTable(await write('long.xlsx', [['x'.repeat(40_000)]]));
    expect(rows.map(({ values }) => String(values[0]))).toEqual([
      expect.stringMatching(/^x{32700}x*… \(cut: 40000 characters in all\)$|^x+ … \(cut: 40000 characters in all\)$/),
    ]);
  });

  it('is opened by Excel in silence, whatever stands in its cells, links and names', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        'a b',
        'https://a.example/a b?c="<d>"',
        '_x0041_',
        '\ud83d',
        '\u0000',
        "'",
        'x'.repeat(33_000),
        `${'x'.repeat(32_700)}😀`.repeat(2),
      ),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.webUrl().map((url) => url + 'p'.repeat(3000)),
    );
    const cell: fc.Arbitrary<OutputCell> = fc.oneof(
      text,
      fc.record({ link: text, text }),
      fc.record({ value: text, style: fc.constantFrom('problem' as const, 'note' as const, 'title' as const) }),
      fc.constantFrom('1e999', '-0.10', '9'.repeat(400), '1E+05', 'five').map((digits) => ({ digits })),
      fc.constantFrom('2026-06-30', '1899-01-01', '9999-12-31').map((day) => ({ day })),
      fc.double(),
    );
    const sheet = fc.record({ name: text, rows: fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 4 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(sheet, { minLength: 1, maxLength: 3 }), async (sheets) => {
        const path = inFolder('silent.xlsx');
        const writer = await createXlsxWriter(path, { mode: 0o600, properties: { made: sheets[0]?.name ?? '' } });
        for (const { name, rows } of sheets) {
          const written = await writer.addSheet({ ...plainSheet, name });
          for (const row of rows) await written.addRow(row);
        }
        await writer.finish();
        expect(await strictFaults(path)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('stands at its place only when it is whole, with the permissions asked for', async () => {
    const path = inFolder('place.xlsx');
    const writer = await createXlsxWriter(path, { mode: 0o600, properties: {} });
    const sheet = await writer.addSheet(plainSheet);
    await sheet.addRow(['a']);
    expect(existsSync(path)).toBe(false);
    await writer.finish();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = await createXlsxWriter(path, { mode: 0o600, properties: {} });
    await again.abandon();
    expect(readdirSync(inFolder()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(existsSync(path)).toBe(true);
  });

  it('puts a sheet that is written last in front when it is asked to', async () => {
    const path = inFolder('tabs.xlsx');
    const writer = await createXlsxWriter(path, { mode: 0o600, properties: {} });
    await (await writer.addSheet(plainSheet)).addRow(['a']);
    await (await writer.addSheet({ name: 'Summary', columns: [], isSummary: true })).addRow(['b']);
    await writer.finish();
    expect((await readTable(path)).sheets).toEqual(['Summary', 'Data']);
  });

  it('gives sheets names that Excel takes', () => {
    expect(freeSheetName('a/b:c*d?[e]\\', [])).toBe('a_b_c_d__e__');
    expect(freeSheetName('x'.repeat(40), [])).toHaveLength(31);
    expect(freeSheetName('Deals', ['DEALS', 'deals (2)'])).toBe('Deals (3)');
    expect(freeSheetName('history', [])).toBe('history_');
    expect(freeSheetName(`${'x'.repeat(30)}'y`, [])).toBe('x'.repeat(30));
    expect(freeSheetName(`${'x'.repeat(30)}😀`, [])).toBe('x'.repeat(30));
    expect(freeSheetName("''", [])).toBe('Sheet');
  });
});
