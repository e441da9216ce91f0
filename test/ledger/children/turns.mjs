/**
 * Writes one intent into a ledger, and prints how many turns the event loop took until it was reported as written.
 * Words: the path of the ledger.
 */
import { writeSync } from 'node:fs';
import { openLedger } from '../../../dist/ledger/open-ledger.js';

const [path] = process.argv.slice(2);
const ledger = openLedger(path);
const run = ledger.beginRun({
  service: 's',
  serviceUrl: 's',
  sourcePath: 's',
  sourceName: 's',
  sourceDigest: 's',
  resultsPath: 's',
  options: '{}',
});
let isWritten = false;
let turns = 0;
const writing = run.intend([intent()], { again: false }).then(() => {
  isWritten = true;
});
while (!isWritten) {
  turns += 1;
  await new Promise(setImmediate);
}
await writing;
await run.end('stopped');
ledger.close();
writeSync(1, String(turns));

function intent() {
  const fingerprint = ledger.fingerprint('row 1');
  return { sheet: 'Deals', row: 1, kind: 'deals', fingerprint, ref: null, repeats: null, supersedes: null };
}
