/** A sheet of Excel has room for 65,530 links; a load has more rows than that. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../../src/sheets/open-source.ts';
import { createXlsxWriter } from '../../../src/sheets/xlsx/workbook-writer.ts';
import { folderForAllTests } from '../../builders/temporary-folder.ts';
import { hasLibreOffice, hasOpenpyxl } from '../../builders/tools.ts';

const mostLinks = 65_530;
const rows = mostLinks + 500;
const longAddress = `https://service.example/records/${'x'.repeat(300)}`;
const addressOf = (row: number) => (row === rows ? longAddress : `https://service.example/records/${row}?a=1&b="2"`);
/** Other programs take up to a minute for so many links, so they are asked in the long form alone. */
const isLong = process.env.DEALSHEET_LONG === '1';

describe('more links than a sheet may have', () => {
  const inFolder = folderForAllTests();
  let path: string;

  beforeAll(async () => {
    const writer = await createXlsxWriter(inFolder('links.xlsx'), { mode: 0o600, compression: 1, properties: {} });
    const options = {
      name: 'Data',
      columns: [],
    } as const;
    const sheet = await writer.addSheet(options);
    for (let row = 1; row <= rows; row += 1) {
      await sheet.addRow([{ value: { link: addressOf(row), text: addressOf(row) }, style: 'link' }]);
    }
    path = await writer.finish();
  });

  it('are all read back by their texts', async () => {
    const source = await openSource(path, { name: 'links.xlsx', encoding: null, delimiter: null });
    const wrong: number[] = [];
    let count = 0;
    for await (const { number, values } of source.sheets[0]?.rows() ?? []) {
      count += 1;
      if (values[0] !== addressOf(number)) wrong.push(number);
    }
    await source.close();
    expect([count, wrong]).toEqual([rows, []]);
  });

  it.skipIf(!isLong || !hasOpenpyxl())(
    'are links up to the limit, then formulas that are links, and text where that is too long',
    () => {
      const script = `
import openpyxl, sys, json
cells = [row[0] for row in openpyxl.load_workbook(sys.argv[1])['Data'].iter_rows()]
print(json.dumps([sum(c.hyperlink is not None for c in cells), cells[0].hyperlink.target, cells[-2].value, cells[-1].value]))`;
      const told = JSON.parse(
        execFileSync('/usr/bin/python3', ['-c', script, path], { encoding: 'utf8' }),
      ) as unknown[];
      const address = addressOf(rows - 1).replaceAll('"', '""');
      expect(told).toEqual([mostLinks, addressOf(1), `=HYPERLINK("${address}","${address}")`, longAddress]);
    },
  );

  it.skipIf(!isLong || !hasLibreOffice())('are all shown by LibreOffice', () => {
    const words = [
      '--headless',
      `-env:UserInstallation=file://${inFolder('profile')}`,
      '--convert-to',
      'csv',
      '--outdir',
      inFolder(),
    ];
    execFileSync('soffice', [...words, path], { stdio: 'ignore' });
    const lines = readFileSync(inFolder('links.csv'), 'utf8').trimEnd().split('\n');
    const shown = lines.map((line) => line.replace(/^"(.*)"$/, '$1').replaceAll('""', '"'));
    expect(shown).toEqual(Array.from({ length: rows }, (_, index) => addressOf(index + 1)));
  });
});
