/**
 * A load in a process of its own, to be killed: sends rows to a "service" that is a file with a line a request.
 * Words: the ledger, the service's file, the number of rows. Goes on with the run that is there, if one is.
 * Prints a line a step, so that whoever watches can kill it there.
 */
import { appendFileSync, writeSync } from 'node:fs';
import { openLedger } from '../../../dist/ledger/open-ledger.js';

const [ledgerPath, servicePath, rowsText] = process.argv.slice(2);
const rows = Number(rowsText);
const inFlight = 4;
const updatesFrom = 1000;
const load = {
  service: 'https://api.example.com/v1',
  serviceUrl: 'https://api.example.com',
  sourcePath: '/home/pat/deals.csv',
  sourceName: 'deals.csv',
  sourceDigest: 'ab',
  resultsPath: '/home/pat/deals.results.xlsx',
  options: '{}',
};

const ledger = openLedger(ledgerPath);
const stopped = ledger.runs()[0];
const run = stopped === undefined ? ledger.beginRun(load) : ledger.resumeRun(stopped.id);
tell(`began ${run.id}`);

const positions = [
  ...Array.from({ length: rows }, (_, index) => ({ sheet: 'Deals', row: index + 1, kind: 'deals' })),
  ...Array.from({ length: rows }, (_, index) => ({
    sheet: 'Company updates',
    row: updatesFrom + index,
    kind: 'company-updates',
  })),
];
let next = 0;
await Promise.all(Array.from({ length: inFlight }, send));
await run.end('ended');
tell('ended');
ledger.close();

async function send() {
  for (;;) {
    const position = positions[next];
    next += 1;
    if (position === undefined) return;
    const { sheet, row, kind } = position;
    const before = ledger.entry(run.id, position);
    if (before !== null && before.state !== 'not-sent') continue;
    const fingerprint = ledger.fingerprint(`${sheet}!${row}`);
    await run.intend([{ sheet, row, kind, fingerprint, ref: null, repeats: null, supersedes: null }], { again: false });
    tell('request');
    appendFileSync(servicePath, `${sheet}!${row}\n`);
    const state = kind === 'company-updates' ? 'updated' : 'created';
    const outcome = { attempts: 1, httpStatus: 201, id: `id_${row}`, companyId: null, url: null, message: null };
    await run.settle([{ sheet, row, state, ...outcome }]);
    tell('settled');
  }
}

function tell(line) {
  writeSync(1, `${line}\n`);
}
