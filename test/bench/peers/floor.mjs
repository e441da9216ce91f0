/**
 * The parts that a load is made of, without what it promises: a row is sent as soon as it is read, the journal is written and
 * not looked into, no row is known again and nothing is hidden. What this costs, the machine and the libraries cost.
 */
import { createReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import pLimit from 'p-limit';
import Papa from 'papaparse';
import { Pool } from 'undici';
import { z } from 'zod';
import { createSheetWriter } from '../../../dist/report/results-file.js';
import { dealOf } from './deal.mjs';

const [file, url, output, journalFile] = process.argv.slice(2);
const inFlight = 32;
/** Rows that are sent and not in the results yet, which are in the order of the source. */
const rowsAtOnce = 256;

const word = z.string();
const address = z.object({ line1: word, city: word, state: word, zip: word });
const deal = z.object({
  amountRequested: z.number(),
  stage: word,
  company: z.object({
    name: word,
    dba: word,
    address,
    phones: z.array(z.object({ number: word })),
    emails: z.array(z.object({ email: word })),
    industry: word,
    website: word,
    startDate: word,
    ein: word,
    stateIncorporated: word,
  }),
  owner1: z.object({
    firstName: word,
    lastName: word,
    ssn: word,
    dateOfBirth: word,
    phone: word,
    email: word,
    address,
    ownership: z.number(),
    creditScore: z.number(),
  }),
  entityType: word,
  useOfProceeds: word,
  financial: z.object({ averageMonthlyGross: z.number(), grossAnnual: z.number() }),
  bank: z.object({ deposits: z.number() }),
  tags: z.array(word),
});

const journal = new DatabaseSync(journalFile);
journal.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE entries (row INTEGER PRIMARY KEY, state TEXT, id TEXT, url TEXT)`);
const sending = journal.prepare("INSERT INTO entries VALUES (?, 'sending', NULL, NULL)");
const created = journal.prepare("UPDATE entries SET state = 'created', id = ?, url = ? WHERE row = ?");
let writes = [];
let committed = null;

const service = new Pool(url, { connections: inFlight });
const limit = pLimit(inFlight);
const writer = await createSheetWriter(output, { mode: 0o600, compression: 1, properties: {} });
let sheet = null;
let columnOf = null;
let rows = 0;
const outcomes = [];
for await (const cells of rowsOf(file)) {
  if (sheet === null) {
    columnOf = new Map(cells.map((header, column) => [header, column]));
    sheet = await begunSheet(cells);
    continue;
  }
  rows += 1;
  const row = rows;
  outcomes.push(limit(() => loaded(cells, row)));
  if (outcomes.length >= rowsAtOnce) await sheet.addRow(await outcomes.shift());
}
for (const outcome of outcomes) await sheet.addRow(await outcome);
await writer.finish();
await service.close();
journal.close();

/** No cell of the sample holds a line break. */
async function* rowsOf(path) {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    yield* Papa.parse(text.slice(0, end), { skipEmptyLines: true }).data;
  }
}

async function begunSheet(headers) {
  const all = ['Status', 'ID', 'URL', ...headers];
  const columns = all.map(() => ({ width: 14 }));
  const look = { columns, header: 'plain' };
  const begun = await writer.addSheet({ name: 'Deals', ...look });
  await begun.addRow(all);
  return begun;
}

async function loaded(cells, row) {
  const body = JSON.stringify(deal.parse(dealOf((header) => cells[columnOf.get(header)])));
  await written(() => sending.run(row));
  const headers = ['authorization', 'Bearer token', 'content-type', 'application/json'];
  const answer = await service.request({ path: '/v1/deal', method: 'POST', headers, body });
  const { id, url: link } = await answer.body.json();
  await written(() => created.run(id, link, row));
  return ['Created', id, link, ...cells];
}

/** Everything that is written in one turn of the event loop shares a commit. */
function written(write) {
  writes.push(write);
  committed ??= nextTurn().then(() => {
    const all = writes;
    writes = [];
    committed = null;
    journal.exec('BEGIN');
    for (const one of all) one();
    journal.exec('COMMIT');
  });
  return committed;
}
