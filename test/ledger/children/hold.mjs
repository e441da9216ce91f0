/** Begins a run and holds it until it is killed or told to end. Prints what came of it as one line of JSON. */
import { writeSync } from 'node:fs';
import { openLedger } from '../../../dist/ledger/open-ledger.js';
import { aRun } from './a-run.mjs';

const [ledgerPath] = process.argv.slice(2);

try {
  const ledger = openLedger(ledgerPath);
  const run = await ledger.begin(aRun);
  tell({ run: run.id, pid: process.pid });
  process.stdin.resume();
  process.stdin.once('end', async () => {
    await run.end('stopped');
    await ledger.close();
  });
} catch (error) {
  tell({ code: error.code, message: error.message, pid: process.pid });
}

function tell(value) {
  writeSync(1, `${JSON.stringify(value)}\n`);
}
