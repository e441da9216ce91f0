/**
 * Writes one intent into a ledger, and prints how many turns the event loop took until it was reported as written.
 * Words: the path of the ledger.
 */
import { writeSync } from 'node:fs';
import { openLedger } from '../../../dist/ledger/open-ledger.js';
import { aRun, registered } from './a-run.mjs';

const [path] = process.argv.slice(2);
const ledger = openLedger(path);
const run = await ledger.begin(aRun);
const intents = await registered(ledger, run, [1]);
let isWritten = false;
let turns = 0;
const writing = run.intend(intents).then(() => {
  isWritten = true;
});
while (!isWritten) {
  turns += 1;
  await new Promise(setImmediate);
}
await writing;
await run.end('stopped');
await ledger.close();
writeSync(1, String(turns));
