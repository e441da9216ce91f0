/**
 * Writes a table of so many rows into a folder on a small disk. Words: the folder, the ending of the file, the rows.
 * Prints as JSON whether the writer says that it is written, and which files stand there then, with their lengths.
 */
import { readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createSheetWriter } from '../../../dist/report/results-file.js';

const [folder, ending, rows] = process.argv.slice(2);
const writer = await createSheetWriter(join(folder, `table.${ending}`), {
  mode: 0o600,
  compression: 1,
  properties: {},
});
const options = { name: 'Data', columns: [] };
let state = 1;
const letters = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state.toString(36);
};

async function write() {
  const sheet = await writer.addSheet(options);
  for (let row = 0; row < Number(rows); row += 1) await sheet.addRow([letters() + letters() + letters()]);
  await writer.finish();
  return 'written';
}

const said = await write().catch(async (error) => {
  await writer.abandon();
  return error.code;
});
writeSync(
  1,
  JSON.stringify({ said, files: readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size]) }),
);
