import { readdirSync, readFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { noRecord } from '../../src/contract/row-state.ts';
import { createSheetWriter } from '../../src/report/results-file.ts';
import { type ResultMark, type ResultRow, resultColumns, writeResults } from '../../src/workbooks/results.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';

const inFolder = folderForEachTest();

function aRow(row: Partial<ResultRow>): ResultRow {
  return {
    state: 'invalid',
    ...noRecord,
    problems: [],
    key: 'r#Deals!2',
    cells: [],
    marks: [],
    ...row,
  };
}

const headers = ['Company name', 'Amount requested', 'EIN'];

async function write(name: string, rows: () => AsyncIterable<ResultRow>): Promise<string> {
  const path = inFolder(name);
  const writer = await createSheetWriter(path, { mode: 0o600, properties: {} });
  await writeResults(writer, [{ name: 'Deals', headers, mostCells: 0, widths: [20, 20, 20], rows: rows() }], null);
  return path;
}

async function* each(...rows: readonly ResultRow[]): AsyncIterable<ResultRow> {
  yield* rows;
}

async function cellsOf(row: Partial<ResultRow>): Promise<readonly ExcelJS.Cell[]> {
  const path = await write('deals.results.xlsx', () => each(aRow(row)));
  const workbook = await new ExcelJS.Workbook().xlsx.readFile(path);
  const sheet = workbook.getWorksheet('Deals');
  return headers.map((_, index) => sheet?.getCell(2, resultColumns.length + 1 + index) as ExcelJS.Cell);
}

const errorAt = (column: number, note: string): ResultMark => ({ column, severity: 'error', note });
const warningAt = (column: number, note: string): ResultMark => ({ column, severity: 'warning', note });

describe('a cell that a problem speaks of', () => {
  it('is marked also where the row ends before it', async () => {
    const cells = await cellsOf({ cells: ['Harbor'], marks: [errorAt(2, 'EIN is missing.')] });
    expect(cells.map(({ value }) => value)).toEqual(['Harbor', null, null]);
    const isFilled = ({ fill }: ExcelJS.Cell) => fill?.type === 'pattern' && fill.pattern === 'solid';
    expect(cells.map(isFilled)).toEqual([false, false, true]);
  });

  it('keeps the look of its error beside a warning, in whichever order they come', async () => {
    const [alone] = await cellsOf({ cells: ['Harbor'], marks: [errorAt(0, 'One.')] });
    for (const marks of [
      [errorAt(0, 'One.'), warningAt(0, 'Two.')],
      [warningAt(0, 'One.'), errorAt(0, 'Two.')],
    ]) {
      const [cell] = await cellsOf({ cells: ['Harbor'], marks });
      expect(cell?.fill).toEqual(alone?.fill);
    }
    const [warned] = await cellsOf({ cells: ['Harbor'], marks: [warningAt(0, 'Two.')] });
    expect(warned?.fill).not.toEqual(alone?.fill);
  });
});

it('the columns of a results workbook show their headers and the key of a row whole', async () => {
  const path = inFolder('deals.results.xlsx');
  const writer = await createSheetWriter(path, { mode: 0o600, properties: {} });
  const key = '2026-11-27-01-vzkv#Deals!1204';
  const byState = { created: 1, 'changed-since-loaded': 1, 'left-out': 1 } as const;
  const amounts = { label: 'Amount', source: '1', byState: {}, unreadable: 1, leftOut: '1', leftOutUnreadable: 0 };
  await writeResults(
    writer,
    [{ name: 'Deals', headers, mostCells: 0, widths: [20, 20, 20], rows: each(aRow({ key })) }],
    () => ({
      title: 'Results of a load',
      facts: [],
      isPart: false,
      sheets: [{ name: 'Deals', kind: 'deals', rows: 3, byState, amounts }],
      notices: [],
    }),
  );
  const workbook = await new ExcelJS.Workbook().xlsx.readFile(path);
  const cut: string[] = [];
  for (const sheet of workbook.worksheets)
    sheet.eachRow((row) =>
      row.eachCell((cell, column) => {
        const isHeader = cell.font?.bold === true && row.cellCount > 2;
        if ((isHeader || cell.text === key) && cell.text.length > (sheet.getColumn(column).width ?? 0))
          cut.push(cell.text);
      }),
    );
  expect(cut).toEqual([]);
});

it.each(['deals.results.xlsx', 'deals.results.csv'])(
  'results that cannot be written to their end leave no file behind: %s',
  async (name) => {
    const path = await write(name, () => each(aRow({ cells: ['Earlier'] })));
    const before = readFileSync(path);
    async function* broken(): AsyncIterable<ResultRow> {
      yield aRow({ cells: ['Harbor'] });
      throw new Error('The source was cut off.');
    }
    await expect(write(name, broken)).rejects.toThrow('The source was cut off.');
    expect(readdirSync(inFolder())).toEqual([name]);
    expect(readFileSync(path)).toEqual(before);
  },
);
