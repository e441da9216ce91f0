import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { isDealsheetError } from '../../../src/errors.ts';
import { createXlsxWriter } from '../../../src/tables/xlsx/workbook-writer.ts';
import { readTable } from '../../builders/read-table.ts';
import { folderForAllTests } from '../../builders/temporary-folder.ts';
import { partsOf, writeParts } from './workbook-parts.ts';

const inFolder = folderForAllTests();
let sound: Buffer;
let content: string;

beforeAll(async () => {
  const writer = await createXlsxWriter(inFolder('sound.xlsx'), { mode: 0o600, properties: {} });
  const sheet = await writer.addSheet({ name: 'Data', columns: [] });
  for (let row = 1; row <= 200; row += 1) await sheet.addRow([`text ${row} é`, row * 1.5, { day: '2026-06-30' }, true]);
  await writer.finish();
  sound = readFileSync(inFolder('sound.xlsx'));
  content = await contentOf(inFolder('sound.xlsx'));
});

async function contentOf(path: string): Promise<string> {
  const { rows, sheets } = await readTable(path);
  return JSON.stringify([sheets, rows]);
}

async function outcomeOf(bytes: Buffer): Promise<'the same' | 'refused' | 'different'> {
  const path = inFolder('odd.xlsx');
  writeFileSync(path, bytes);
  try {
    return (await contentOf(path)) === content ? 'the same' : 'different';
  } catch (error) {
    if (isDealsheetError(error) && error.code === 'unreadable-source') return 'refused';
    throw error;
  }
}

/** Random numbers that are the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('P6: a workbook that is not whole', () => {
  it('is refused with a byte changed in a part, also one that is not used', async () => {
    const parts = partsOf({
      sheets: { Data: '<row r="1"><c r="A1"><v>1</v></c></row>' },
      parts: { 'xl/media/unused.bin': 'x'.repeat(500) },
    });
    await writeParts(inFolder('unused.xlsx'), parts);
    const bytes = readFileSync(inFolder('unused.xlsx'));
    const at = bytes.indexOf('xl/media/unused.bin') + 'xl/media/unused.bin'.length + 1;
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(inFolder('unused.xlsx'), bytes);
    await expect(contentOf(inFolder('unused.xlsx'))).rejects.toMatchObject({ code: 'unreadable-source' });
  });

  it('is either refused or read as it was, whatever is done to its bytes', async () => {
    const mutations = process.env.DEALSHEET_LONG === '1' ? 5000 : 300;
    const random = randomNumbers(20260630);
    for (let count = 0; count < mutations; count += 1) {
      const bytes = Buffer.from(sound);
      const changes = 1 + Math.floor(random() * 4);
      for (let change = 0; change < changes; change += 1)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      expect(
        await outcomeOf(random() < 0.1 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes),
        `mutation ${count}`,
      ).not.toBe('different');
    }
  });
});
