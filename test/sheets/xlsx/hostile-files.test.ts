import { readFileSync, writeFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { isDealsheetError } from '../../../src/errors.ts';
import { openSource } from '../../../src/sheets/open-source.ts';
import { createXlsxWriter } from '../../../src/sheets/xlsx/workbook-writer.ts';
import { folderForAllTests } from '../../builders/temporary-folder.ts';
import { partsOf, writeParts } from './workbook-parts.ts';

const inFolder = folderForAllTests();
let sound: Buffer;
let content: string;

beforeAll(async () => {
  const writer = await createXlsxWriter(inFolder('sound.xlsx'), { mode: 0o600, compression: 6, properties: {} });
  const sheet = await writer.addSheet({
    name: 'Data',
    columns: [],
    frozenRows: 0,
    frozenColumns: 0,
    filterRow: null,
    place: 'last',
  });
  for (let row = 1; row <= 200; row += 1) await sheet.addRow([`text ${row} é`, row * 1.5, { day: '2026-06-30' }, true]);
  await writer.finish();
  sound = readFileSync(inFolder('sound.xlsx'));
  content = await contentOf(inFolder('sound.xlsx'));
});

async function contentOf(path: string): Promise<string> {
  const source = await openSource(path, { name: path, encoding: null, delimiter: null });
  try {
    const rows: unknown[] = [];
    for (const sheet of source.sheets) for await (const row of sheet.rows()) rows.push([sheet.name, row]);
    return JSON.stringify(rows);
  } finally {
    await source.close();
  }
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
  it.each([0.3, 0.6, 0.9, 0.99])('is refused when it is cut at %f of its length', async (share) => {
    expect(await outcomeOf(sound.subarray(0, Math.floor(sound.length * share)))).toBe('refused');
  });

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

describe('P26: a workbook that means harm', () => {
  it('is refused when a part would swell beyond all measure', async () => {
    const swollen = Buffer.alloc(200 * 1024 * 1024, 0x20);
    const sheet = Buffer.concat([
      Buffer.from('<worksheet><sheetData>'),
      swollen,
      Buffer.from('</sheetData></worksheet>'),
    ]);
    await writeParts(inFolder('bomb.xlsx'), {
      ...partsOf({ sheets: { Data: '' } }),
      'xl/worksheets/sheet1.xml': sheet,
    });
    await expect(contentOf(inFolder('bomb.xlsx'))).rejects.toThrow(/swell/);
  });

  it('is refused when a size in it is a lie', async () => {
    const parts = partsOf({ sheets: { Data: '<row r="1"><c r="A1"><v>1</v></c></row>' } });
    await writeParts(inFolder('lie.xlsx'), parts);
    const bytes = readFileSync(inFolder('lie.xlsx'));
    const inflated = deflateRawSync(Buffer.from(String(parts['xl/worksheets/sheet1.xml'])));
    const directory = bytes.lastIndexOf('PK\u0001\u0002xl/worksheets', bytes.length);
    expect(directory).toBe(-1);
    const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml');
    const uncompressedSizeAt = entry - 46 + 24;
    bytes.writeUInt32LE(bytes.readUInt32LE(uncompressedSizeAt) + inflated.length, uncompressedSizeAt);
    writeFileSync(inFolder('lie.xlsx'), bytes);
    await expect(contentOf(inFolder('lie.xlsx'))).rejects.toMatchObject({ code: 'unreadable-source' });
  });

  it('is refused with two parts of one name, or a name that climbs out of its folder', async () => {
    const parts = partsOf({ sheets: { Data: '' } });
    await writeParts(inFolder('twice.xlsx'), { ...parts, 'XL/workbook.xml': 'x' });
    await expect(contentOf(inFolder('twice.xlsx'))).rejects.toThrow(/two parts/);
    await writeParts(inFolder('climb.xlsx'), { ...parts, 'aa/evil.xml': 'x' });
    const bytes = Buffer.from(
      readFileSync(inFolder('climb.xlsx')).toString('latin1').replaceAll('aa/evil.xml', '../evil.xml'),
      'latin1',
    );
    writeFileSync(inFolder('climb.xlsx'), bytes);
    await expect(contentOf(inFolder('climb.xlsx'))).rejects.toMatchObject({ code: 'unreadable-source' });
  });

  it('is read in spite of a million merges behind its rows', async () => {
    const merges = Array.from(
      { length: 1_000_000 },
      (_, index) => `<mergeCell ref="A${index + 1}:B${index + 1}"/>`,
    ).join('');
    await writeParts(
      inFolder('merges.xlsx'),
      partsOf({
        sheets: { Data: '<row r="1"><c r="A1"><v>1</v></c></row>' },
        afterRows: `<mergeCells>${merges}</mergeCells>`,
      }),
    );
    const source = await openSource(inFolder('merges.xlsx'), {
      name: 'merges.xlsx',
      encoding: null,
      delimiter: null,
    });
    expect((await source.sheets[0]?.mergedHeaderRanges())?.length).toBe(50);
    await source.close();
  });
});

describe('a file that is not what its name says', () => {
  const others: readonly (readonly [string, Buffer | string, RegExp])[] = [
    ['a PDF', '%PDF-1.7\n', /PDF/],
    ['an HTML page', '<html><table></table></html>', /HTML/],
    ['an old or protected workbook', Buffer.from('d0cf11e0a1b11ae1aaaa', 'hex'), /password|old Excel/],
    ['an empty archive', Buffer.concat([Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(18)]), /empty archive/],
    ['an empty file', '', /empty/],
  ];

  it.each(others)('is named: %s', async (_what, bytes, said) => {
    writeFileSync(inFolder('named.xlsx'), bytes);
    await expect(contentOf(inFolder('named.xlsx'))).rejects.toThrow(said);
  });

  it('is named: a document of another program', async () => {
    await writeParts(inFolder('letter.xlsx'), {
      '_rels/.rels':
        '<Relationships><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      'word/document.xml': '<document/>',
    });
    await expect(contentOf(inFolder('letter.xlsx'))).rejects.toThrow(/no sheets/);
  });
});
