/**
 * Writes intents into a ledger until its disk fails. Words: the folder on that disk, the number of rows that are entered before.
 * Prints as JSON how many writes were reported as durable, how many of them the ledger knows, how many of the others it
 * takes for sent, in which state its run is seen afterwards, and what came after.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger } from '../../../dist/ledger/open-ledger.js';
import { anOutcome, aRun, registered } from './a-run.mjs';

const [folder, rowsText] = process.argv.slice(2);
const atOnce = 8;
const path = join(folder, 'ledger.db');
const ledger = openLedger(path);
const run = await ledger.begin(aRun);
const rows = Array.from({ length: Number(rowsText) }, (_, index) => index + 1);
const intents = await registered(ledger, run, rows);

const failures = [];
const durable = [];
const refused = [];
for (let first = 0; failures.length === 0 && first < intents.length; first += atOnce) {
  const batch = intents.slice(first, first + atOnce);
  const outcomes = await Promise.allSettled(batch.map((intent) => run.intend([intent])));
  outcomes.forEach((outcome, index) => {
    if (outcome.status === 'fulfilled') durable.push(batch[index].id);
    else {
      failures.push(outcome.reason);
      refused.push(batch[index].id);
    }
  });
}
const later = await run.record([{ id: intents[0].id, ...anOutcome }]).catch((error) => error);
const atEnd = await run.end('stopped').catch((error) => error);
await ledger.close();

const again = openLedger(path);
const known = await again.lookupRows(intents.map(({ id }) => id));
const isDoubted = (id) => known.get(id)?.phase === 'in-doubt';
// A row without room for the word that its process is gone is on its way still.
const isLive = (id) => isDoubted(id) || known.get(id)?.phase === 'sending';
const seen = (await again.run(run.id))?.state;
await again.close();
writeSync(
  1,
  JSON.stringify({
    durable: durable.length,
    lost: durable.filter((id) => !isLive(id)).length,
    failed: failures.length,
    doubtedUnsent: refused.filter(isDoubted).length,
    seen,
    sameReason: failures.every((failure) => failure === later && failure === atEnd),
    code: later?.code,
    message: later?.message,
    remedy: later?.remedy,
  }),
);
