import { describe, expect, it } from 'vitest';
import type { SheetRow } from '../../../src/tables/row.ts';
import type { Source } from '../../../src/tables/source.ts';
import { openXlsx } from '../../../src/tables/xlsx/workbook-reader.ts';
import { folderForAllTests } from '../../builders/temporary-folder.ts';
import { partsOf, writeParts } from './workbook-parts.ts';

const inFolder = folderForAllTests();

/** Sheets that take several reads of the disk each, as texts that hardly pack. */
async function openLarge(): Promise<Source> {
  let state = 1;
  const number = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
  const rows = Array.from({ length: 20_000 }, (_, row) => `<row r="${row + 1}"><c><v>${number()}</v></c></row>`).join(
    '',
  );
  const path = inFolder('large.xlsx');
  await writeParts(path, partsOf({ sheets: { A: rows, B: rows, C: rows, D: rows } }), []);
  return openXlsx(path, true);
}

async function firstRow(rows: AsyncIterable<SheetRow>): Promise<number> {
  for await (const { number } of rows) return number;
  throw new Error('There is no row.');
}

describe('readings of one workbook', () => {
  it('go on beside others that stop early, and leave nothing behind', async () => {
    const source = await openLarge();
    const rounds = Array.from({ length: 10 }, () => source.sheets).flat();
    expect(await Promise.all(rounds.map((sheet) => firstRow(sheet.rows())))).toEqual(rounds.map(() => 1));
    await source.verify();
    await source.close();
  });

  it('are waited for when the workbook is closed, and refused afterwards', async () => {
    const source = await openLarge();
    const ends = source.sheets.map(async (sheet) => {
      let rows = 0;
      for await (const _ of sheet.rows()) rows += 1;
      return rows;
    });
    const settled = Promise.allSettled(ends);
    await source.close();
    for (const { status } of await settled) expect(status).toBe('rejected');
    const [sheet] = source.sheets;
    await expect(async () => sheet && (await firstRow(sheet.rows()))).rejects.toThrow('cannot be read');
  });
});
