/** Begins a run and holds it until it is killed or told to end. Prints what came of it as one line of JSON. */
import { writeSync } from 'node:fs';
import { openLedger } from '../../../dist/ledger/open-ledger.js';

const [ledgerPath] = process.argv.slice(2);
const load = {
  service: 'https://api.example.com/v1',
  serviceUrl: 'https://api.example.com',
  sourcePath: '/home/pat/deals.csv',
  sourceName: 'deals.csv',
  sourceDigest: 'ab',
  resultsPath: '/home/pat/deals.results.xlsx',
  options: '{}',
};

try {
  const ledger = openLedger(ledgerPath);
  const run = ledger.beginRun(load);
  tell({ run: run.id, pid: process.pid });
  process.stdin.resume();
  process.stdin.once('end', async () => {
    await run.end('stopped');
    ledger.close();
  });
} catch (error) {
  tell({ code: error.code, message: error.message, pid: process.pid });
}

function tell(value) {
  writeSync(1, `${JSON.stringify(value)}\n`);
}
