/**
 * Reads whole files as the import does, row by row, and keeps nothing of them. Each line of its input is a path; for each it prints
 * as a line of JSON what was read or said, the peak of memory and what is still held, both in megabytes.
 */
import { createInterface } from 'node:readline';
import { openSource } from '../../../dist/tables/open-source.js';
import { forgetPeak, peakMegabytes } from '../../builders/peak-memory.mjs';

for await (const path of createInterface({ input: process.stdin })) {
  globalThis.gc();
  forgetPeak();
  const start = performance.now();
  const told = await readWhole(path).catch(({ name, code, message, remedy }) => ({
    refused: { name, code, message, remedy },
  }));
  const milliseconds = performance.now() - start;
  const [peak, held] = [peakMegabytes(), process.memoryUsage.rss() / 1024 ** 2].map(Math.round);
  process.stdout.write(`${JSON.stringify({ ...told, peak, held, milliseconds })}\n`);
}

async function readWhole(path) {
  const read = { rows: 0, cells: 0, merges: 0, first: null, last: null };
  const source = await openSource(path, { name: path, encoding: null, delimiter: null });
  try {
    read.sheets = source.sheets.length;
    for (const sheet of source.sheets) {
      read.merges += (await sheet.mergedHeaderRanges()).length;
      for await (const row of sheet.rows()) {
        read.rows += 1;
        read.cells += row.values.length;
        read.first ??= [row.number, ...row.values.slice(0, 5)];
        read.last = [row.number, ...row.values.slice(0, 5)];
      }
    }
    return { read };
  } finally {
    // From Node 25 on, a file that the garbage collector has to close ends the process.
    await source.close();
  }
}
