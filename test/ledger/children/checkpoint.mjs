/**
 * Writes intents into a ledger of two loads and copies its log into its file as fast as it can, until told to end.
 * Words: the ledger, the service, the milliseconds. Prints how many rows the ledger has reported as written.
 */
import { writeSync } from 'node:fs';
import { Database } from '../../../dist/disk/database.js';
import { openLedger } from '../../../dist/ledger/open-ledger.js';
import { aRun, registered } from './a-run.mjs';

const [path, service, milliseconds] = process.argv.slice(2);
const atOnce = 8;
const ledger = openLedger(path);
const run = await ledger.begin({ ...aRun, service });
const other = new Database(path);
other.exec('PRAGMA busy_timeout = 10000; PRAGMA wal_autocheckpoint = 0');
const modes = ['PASSIVE', 'RESTART', 'TRUNCATE', 'FULL'];
const until = performance.now() + Number(milliseconds);
let row = 0;
for (let turn = 0; performance.now() < until; turn += 1) {
  const rows = Array.from({ length: atOnce }, () => ++row);
  const intents = await registered(ledger, run, rows, { sheet: service });
  await Promise.all(intents.map((intent) => run.intend([intent])));
  other.prepare(`PRAGMA wal_checkpoint(${modes[turn % modes.length]})`).all();
}
writeSync(1, `${JSON.stringify({ run: run.id, rows: row })}\n`);
process.kill(process.pid, 'SIGKILL');
