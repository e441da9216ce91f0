import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createCsvWriter } from '../../../src/tables/csv/csv-writer.ts';
import { folderForAllTests } from '../../builders/temporary-folder.ts';

const inFolder = folderForAllTests();

it('lets no control character but tabs and line breaks into a CSV file', async () => {
  const path = inFolder('controls.csv');
  const writer = await createCsvWriter(path, { mode: 0o600, mayReplace: async () => true, properties: {} });
  const sheet = await writer.addSheet({ name: 'Deals', columns: [] });
  await sheet.addRow([
    'a\u001b[31mb\u0000\u009b',
    { value: { link: 'https://x.example/\u001b', text: 'x' }, style: 'link' },
    '\u001b=1+1',
    'a\tb\nc\x0bd',
  ]);
  await writer.finish();
  expect(readFileSync(path, 'utf8')).toBe('\uFEFFa[31mb,https://x.example/,\'=1+1,"a\tb\nc\nd"\r\n');
});
