import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnName, mostColumns } from '../../src/sheets/excel-limits.ts';
import { openSource } from '../../src/sheets/open-source.ts';
import { allCells, cellAt, columnOf, type SheetRow, widestUsualGap, widthOf } from '../../src/sheets/row.ts';
import { folderForAllTests } from '../builders/temporary-folder.ts';
import { partsOf, writeParts } from './xlsx/workbook-parts.ts';

const inFolder = folderForAllTests();

async function onlyRow(path: string): Promise<SheetRow | undefined> {
  const source = await openSource(path, { name: path, encoding: null, delimiter: ',' });
  try {
    for (const sheet of source.sheets) for await (const row of sheet.rows()) return row;
    return undefined;
  } finally {
    await source.close();
  }
}

type Filled = ReadonlyMap<number, string>;

const readings: readonly (readonly [string, (filled: Filled) => Promise<SheetRow | undefined>])[] = [
  [
    'XLSX',
    async (filled) => {
      const cell = ([column, text]: [number, string]) =>
        `<c r="${columnName(column)}1" t="inlineStr"><is><t>${text}</t></is></c>`;
      await writeParts(
        inFolder('a.xlsx'),
        partsOf({ sheets: { A: `<row r="1">${[...filled].map(cell).join('')}</row>` } }),
      );
      return onlyRow(inFolder('a.xlsx'));
    },
  ],
  [
    'CSV',
    (filled) => {
      const width = Math.max(...filled.keys()) + 1;
      writeFileSync(
        inFolder('a.csv'),
        Array.from({ length: width }, (_, column) => filled.get(column) ?? '').join(','),
      );
      return onlyRow(inFolder('a.csv'));
    },
  ],
];

const near = fc.nat(widestUsualGap * 3);
const column = fc.oneof(near, fc.nat(mostColumns - 1), fc.constant(mostColumns - 1));
const columns = fc.uniqueArray(column, { minLength: 1, maxLength: 12 });

describe.each(readings)('a row of %s', (_format, read) => {
  it('has each cell in its column, wherever blanks stand, and comes back from a text', async () => {
    await fc.assert(
      fc.asyncProperty(columns, async (some) => {
        const filled = new Map(some.sort((one, other) => one - other).map((at) => [at, `v${at}`]));
        const width = Math.max(...some) + 1;
        const cells = Array.from({ length: width }, (_, at) => filled.get(at) ?? null);
        const row = JSON.parse(JSON.stringify(await read(filled))) as SheetRow;
        expect(widthOf(row)).toBe(width);
        expect(allCells(row)).toEqual(cells);
        expect(cells.map((_, at) => cellAt(row, at))).toEqual(cells);
        expect(cellAt(row, width)).toBeNull();
        const places = row.values.flatMap((cell, place) => (cell === null ? [] : [[columnOf(row, place), cell]]));
        expect(places).toEqual([...filled]);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps no more blanks than stand side by side in a usual table', async () => {
    await fc.assert(
      fc.asyncProperty(columns, async (some) => {
        const filled = new Map(some.sort((one, other) => one - other).map((at) => [at, `v${at}`]));
        expect((await read(filled))?.values.length).toBeLessThanOrEqual(some.length * (1 + widestUsualGap));
      }),
      { numRuns: 60 },
    );
  });
});
