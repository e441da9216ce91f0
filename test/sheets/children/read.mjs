/**
 * Reads a whole file as the import does, row by row, and keeps nothing of it. Words: the path.
 * Prints as JSON what was read or said, and the peak of memory in megabytes.
 */
import { writeSync } from 'node:fs';
import { openSource } from '../../../dist/sheets/open-source.js';
import { peakMegabytes } from '../../builders/peak-memory.mjs';

const [path] = process.argv.slice(2);
const told = { rows: 0, cells: 0, merges: 0, first: null, last: null };

function tell(outcome) {
  writeSync(1, JSON.stringify({ ...outcome, peak: Math.round(peakMegabytes()) }));
}

const start = performance.now();
try {
  const source = await openSource(path, { name: path, encoding: null, delimiter: null });
  told.sheets = source.sheets.length;
  for (const sheet of source.sheets) {
    told.merges += (await sheet.mergedHeaderRanges()).length;
    for await (const row of sheet.rows()) {
      told.rows += 1;
      told.cells += row.values.length;
      told.first ??= [row.number, ...row.values.slice(0, 5)];
      told.last = [row.number, ...row.values.slice(0, 5)];
    }
  }
  await source.close();
  tell({ read: told, milliseconds: performance.now() - start });
} catch (error) {
  const { name, code, message, remedy } = error;
  tell({ refused: { name, code, message, remedy }, milliseconds: performance.now() - start });
}
