/** The reading and writing of tables by themselves, beside the libraries that people use for it. */
import { join } from 'node:path';
import { type Contender, machine, peers, type Result, race, root } from './race.ts';
import { file, folder, sampleFile } from './sample-files.ts';

/** Where a library keeps a whole workbook in memory, more rows would need gigabytes. */
const rows = 10_000;
const manyRows = 100_000;
const rounds = 3;
const columnsRead = 33;
const columnsWritten = 40;

/** @returns the table in Markdown */
export async function tables(): Promise<string> {
  return tableOf(await race(await contenders()));
}

async function contenders(): Promise<readonly Contender[]> {
  const inMemory = ['exceljs', 'SheetJS (@e965/xlsx)'];
  const streaming = ['dealsheet', 'exceljs, streaming'];
  const few = await sampleFile('xlsx', rows);
  const many = await sampleFile('xlsx', manyRows);
  const manyOfCsv = await sampleFile('csv', manyRows);
  return [
    ...[...streaming, ...inMemory].map((tool) => reader(tool, few, rows)),
    reader('dealsheet', many, manyRows),
    reader('exceljs, streaming', many, manyRows),
    checker(many),
    ...['dealsheet', 'papaparse, whole file'].map((tool) => reader(tool, manyOfCsv, manyRows)),
    checker(manyOfCsv),
    ...[...streaming, 'SheetJS (@e965/xlsx)'].map((tool) => writer(tool, rows)),
    writer('dealsheet', manyRows),
  ];
}

function reader(tool: string, source: string, count: number): Contender {
  const words = [join(peers, 'table.mjs'), 'read', tool, source];
  const format = source.endsWith('.csv') ? 'CSV' : 'XLSX';
  return contender(`${tool}: read ${format}, ${columnsRead} columns`, count, words);
}

/** A check beside the libraries alone: what it costs to map, check and stage the rows as well. */
function checker(source: string): Contender {
  const words = [join(root, 'dist', 'cli', 'main.js'), 'check', source, '--as', 'deals', '--quiet'];
  const format = source.endsWith('.csv') ? 'CSV' : 'XLSX';
  return contender(`dealsheet check: ${format}, ${columnsRead} columns`, manyRows, words);
}

function writer(tool: string, count: number): Contender {
  const words = [join(peers, 'table.mjs'), 'write', tool, file('written.xlsx'), String(count)];
  return contender(`${tool}: write XLSX, ${columnsWritten} columns`, count, words);
}

function contender(name: string, count: number, words: readonly string[]): Contender {
  return {
    name,
    rows: count,
    rounds: count === rows ? rounds : 1,
    command: () => ({ program: process.execPath, words, folder }),
  };
}

function tableOf(results: readonly Result<Contender>[]): string {
  const lines = results.map(({ contender: { name, rows: count }, cost }) => {
    const cells = [
      name,
      count.toLocaleString('en-US'),
      ((cost.cpuSeconds * 1e6) / count).toFixed(1),
      cost.seconds.toFixed(1),
      Math.round(cost.peakMegabytes).toLocaleString('en-US'),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| what | rows | CPU µs a row | seconds | peak MB |',
    '|---|--:|--:|--:|--:|',
    ...lines,
    '',
    `${machine()}. Start and end of each process are counted.`,
  ].join('\n');
}
