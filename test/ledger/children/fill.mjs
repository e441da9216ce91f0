/**
 * Writes into a ledger on a small disk until it is full. Words: the folder of that disk.
 * Prints as JSON how many writes were reported as durable, how many of them the ledger knows, how many of the others it
 * takes for sent, in which state its run is seen afterwards, and what came after.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger } from '../../../dist/ledger/open-ledger.js';
import { anIntent, aRun } from './a-run.mjs';

const [folder] = process.argv.slice(2);
const most = 100_000;
const path = join(folder, 'ledger.db');
const ledger = openLedger(path);
const run = ledger.beginRun(aRun);

const failures = [];
const durable = [];
const refused = [];
let row = 0;
while (failures.length === 0 && row < most) {
  const batch = Array.from({ length: 8 }, () => ++row);
  const outcomes = await Promise.allSettled(
    batch.map((number) => run.intend([anIntent(ledger, number)], { again: false })),
  );
  outcomes.forEach((outcome, index) => {
    if (outcome.status === 'fulfilled') durable.push(batch[index]);
    else {
      failures.push(outcome.reason);
      refused.push(batch[index]);
    }
  });
}
const later = await run
  .settle([
    {
      ...anIntent(ledger, 1),
      state: 'created',
      attempts: 1,
      httpStatus: 201,
      id: 'x',
      companyId: null,
      url: null,
      message: null,
    },
  ])
  .catch((error) => error);
const atEnd = await run.end('stopped').catch((error) => error);
ledger.close();

const again = openLedger(path);
const entries = [...again.entriesOfRun(run.id)];
const known = new Set(entries.map((entry) => entry.row));
const doubted = new Set(entries.filter(({ state }) => state === 'in-doubt').map(({ row: number }) => number));
const seen = again.run(run.id)?.state;
again.close();
writeSync(
  1,
  JSON.stringify({
    durable: durable.length,
    lost: durable.filter((number) => !known.has(number)).length,
    failed: failures.length,
    doubtedUnsent: refused.filter((number) => doubted.has(number)).length,
    seen,
    sameReason: failures.every((failure) => failure === later && failure === atEnd),
    code: later?.code,
    message: later?.message,
    remedy: later?.remedy,
  }),
);
