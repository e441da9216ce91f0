/** The reading and writing of tables by themselves, beside the libraries that people use for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contender, machine, peers, type Result, race } from './race.ts';
import { writeSampleDeals } from './sample-deals.ts';

/** Where a library keeps a whole workbook in memory, more rows would need gigabytes. */
const rows = 20_000;
const manyRows = 100_000;
const million = 1_000_000;
const narrow = 12;
const wide = 33;
const rounds = 3;
const columnsWritten = 40;

const folder = mkdtempSync(join(tmpdir(), 'dealsheet-tables-'));
const file = (name: string) => join(folder, name);

/** @returns the table in Markdown */
export async function tables(): Promise<string> {
  try {
    for (const [name, count] of [
      ['few', rows],
      ['many', manyRows],
    ] as const) {
      await writeSampleDeals(file(`${name}.csv`), count);
      await writeSampleDeals(file(`${name}.xlsx`), count);
    }
    await writeSampleDeals(file('million.xlsx'), million, narrow);
    return tableOf(await race(contenders()));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function contenders(): readonly Contender[] {
  const inMemory = ['exceljs', 'SheetJS (@e965/xlsx)'];
  const streaming = ['dealsheet', 'exceljs, streaming'];
  return [
    ...[...streaming, ...inMemory].map((tool) => reader(tool, 'few.xlsx', rows)),
    ...streaming.map((tool) => reader(tool, 'many.xlsx', manyRows)),
    reader('dealsheet', 'million.xlsx', million, narrow),
    ...['dealsheet', 'papaparse, whole file'].map((tool) => reader(tool, 'many.csv', manyRows)),
    ...[...streaming, 'SheetJS (@e965/xlsx)'].map((tool) => writer(tool, rows)),
    ...streaming.map((tool) => writer(tool, manyRows)),
  ];
}

function reader(tool: string, source: string, count: number, columns = wide): Contender {
  const words = [join(peers, 'table.mjs'), 'read', tool, file(source)];
  const format = source.endsWith('.csv') ? 'CSV' : 'XLSX';
  return contender(`${tool}: read ${format}, ${columns} columns`, count, words);
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
