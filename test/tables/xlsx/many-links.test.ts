/** A sheet of Excel has room for 65,530 links; a load has more rows than that. */
import { expect, it } from 'vitest';
import { mostLinks } from '../../../src/tables/excel-limits.ts';
import { openSource } from '../../../src/tables/open-source.ts';
import type { BehindRows } from '../../../src/tables/source.ts';
import { createXlsxWriter } from '../../../src/tables/xlsx/workbook-writer.ts';
import { folderForAllTests } from '../../builders/temporary-folder.ts';

const inFolder = folderForAllTests();
const rows = mostLinks + 500;
const addressOf = (row: number) => `https://service.example/records/${row}?a=1&b="2"`;

it('links beyond those that a sheet may have are addresses', async () => {
  const writer = await createXlsxWriter(inFolder('links.xlsx'), { mode: 0o600, properties: {} });
  const sheet = await writer.addSheet({ name: 'Data', columns: [] });
  for (let row = 1; row <= rows; row += 1)
    await sheet.addRow([{ value: { link: addressOf(row), text: 'Open' }, style: 'link' }]);
  const path = await writer.finish();
  const source = await openSource(path, { name: 'links.xlsx', encoding: null, delimiter: null });
  const wrong: number[] = [];
  let behind: BehindRows | undefined;
  for await (const { number, values } of source.sheets[0]?.rows((found) => {
    behind = found;
  }) ?? [])
    if (values[0] !== (number > mostLinks ? addressOf(number) : 'Open')) wrong.push(number);
  await source.close();
  expect([behind?.links.length, wrong]).toEqual([mostLinks, []]);
});
