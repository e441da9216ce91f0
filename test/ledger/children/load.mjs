/**
 * A load in a process of its own, to be killed: sends rows to a "service" that is a file with a line a request.
 * Words: the ledger, the service's file, the number of rows. Goes on with the run that is there, if one is.
 * Prints a line a step, so that whoever watches can kill it there.
 */
import { appendFileSync, writeSync } from 'node:fs';
import { openLedger } from '../../../dist/ledger/open-ledger.js';
import { anOutcome, aRun } from './a-run.mjs';

const [ledgerPath, servicePath, rowsText] = process.argv.slice(2);
const rows = Number(rowsText);
const inFlight = 4;
const rowsOfBatch = 16;
const updatesFrom = 1000;

const ledger = openLedger(ledgerPath);
const [stopped] = await ledger.runs();
const run = stopped === undefined ? await ledger.begin(aRun) : await ledger.resume(stopped.id);
tell(`began ${run.id}`);

const deals = Array.from({ length: rows }, (_, index) => ({ sheet: 'Deals', row: index + 1, kind: 'deals' }));
const updates = deals.map(({ row }) => ({
  sheet: 'Company updates',
  row: updatesFrom + row,
  kind: 'company-updates',
}));
const positions = [...deals, ...updates];
for (let first = 0; first < positions.length; first += rowsOfBatch)
  await register(positions.slice(first, first + rowsOfBatch));
let next = 0;
await Promise.all(Array.from({ length: inFlight }, send));
await run.end('ended');
tell('ended');
await ledger.close();

/** A row that this run has registered before is the same row. */
async function register(batch) {
  const known = await ledger.lookupPlaces(batch.map(({ sheet, row }) => ({ run: run.id, sheet, row })));
  const ids = await run.register(
    batch.map(({ sheet, row, kind }, at) => {
      const digests = [ledger.digest(`${sheet}!${row}`)];
      return { sheet, row, kind, id: known[at]?.row.id ?? null, digests, note: null };
    }),
  );
  batch.forEach((position, at) => {
    position.id = ids[at];
  });
}

async function send() {
  for (;;) {
    const position = positions[next];
    next += 1;
    if (position === undefined) return;
    const { id, sheet, row, kind } = position;
    const known = (await ledger.lookupRows([id])).get(id);
    if (known.phase !== 'open' && !known.isToRepeat) continue;
    await run.intend([{ id, sheet, row, content: ledger.digest(`${sheet}!${row}`), equals: 0 }]);
    tell('request');
    appendFileSync(servicePath, `${sheet}!${row}\n`);
    const state = kind === 'company-updates' ? 'updated' : 'created';
    await run.record([{ ...anOutcome, record: `${sheet}!${row}`, id, state }]);
    tell('settled');
  }
}

function tell(line) {
  writeSync(1, `${line}\n`);
}
