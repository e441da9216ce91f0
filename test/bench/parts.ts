/**
 * What the parts of a load cost: each part's CPU beside that of a plain piece of work on the same rows, in turn, within one
 * process, so that the machine's speed falls out. The lines are to be compared with those of an earlier commit.
 */
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import Papa from 'papaparse';
import { assumedContract } from '../../src/contract/contract-settings.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { Database } from '../../src/disk/database.ts';
import type { Intent, Ledger, Outcome, Run } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { matchHeaders } from '../../src/mapping/headers.ts';
import { rowMapper } from '../../src/mapping/row-mapper.ts';
import { stageSource, withStaging } from '../../src/staging/reading.ts';
import { copySource } from '../../src/staging/source/source-copy.ts';
import { openSource } from '../../src/tables/open-source.ts';
import type { SheetRow } from '../../src/tables/row.ts';
import { readingDefaults } from '../builders/default-options.ts';
import { sampleDeal, sampleHeaders, writeSampleDeals } from './sample-deals.ts';
import { file, sampleFile } from './sample-files.ts';

const rows = 3_000;
const fewestRounds = 7;
/** It takes a while until a part has run once in its compiled form. */
const leastMs = 4_000;
const inFlight = 32;
const timesAsked = 200;

const deals = Array.from({ length: rows }, (_, index) => sampleDeal(index + 1));

type Work = () => unknown;
type Measure = (plain: Work, part: Work) => Promise<number>;

/** Each with how many times the plain work it takes. */
const parts: Readonly<Record<string, (measure: Measure) => Promise<number>>> = {
  'reading CSV, beside the parser alone': readingCsv,
  'reading XLSX, beside parsing its bytes as JSON': readingXlsx,
  'making and checking a record, beside writing and parsing it as JSON': mapping,
  'finding the fields of 4,096 unknown headers, beside 1,024 of them': matching,
  'staging rows, beside reading them': staging,
  'writing XLSX, beside deflating its text': writing,
  'intents and outcomes in the ledger, beside the bare SQL': recording,
  'asking which runs there were of a full ledger, beside an empty one': asking,
};

/** @returns the lines in Markdown */
export async function costOfParts(): Promise<string> {
  const lines: string[] = [];
  for (const [name, part] of Object.entries(parts)) lines.push(`- ${name}: ${(await part(timesPlain)).toFixed(2)}`);
  return lines.join('\n');
}

/** Compares the least cost of several rounds each, which is what nothing disturbed. */
async function timesPlain(plain: Work, part: Work): Promise<number> {
  const least = { plain: Number.POSITIVE_INFINITY, part: Number.POSITIVE_INFINITY };
  const began = performance.now();
  for (let round = 0; round < fewestRounds || performance.now() - began < leastMs; round += 1) {
    least.plain = Math.min(least.plain, await cpuOf(plain));
    least.part = Math.min(least.part, await cpuOf(part));
  }
  return least.part / least.plain;
}

async function cpuOf(work: Work): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function readingCsv(measure: Measure): Promise<number> {
  const path = await sampleFile('csv', rows);
  const parse = () => Papa.parse(readFileSync(path, 'utf8'), { delimiter: ',', newline: '\r\n' });
  return measure(parse, () => read(path));
}

async function readingXlsx(measure: Measure): Promise<number> {
  const path = await sampleFile('xlsx', rows);
  const json = JSON.stringify(deals);
  return measure(
    () => JSON.parse(json),
    () => read(path),
  );
}

async function mapping(measure: Measure): Promise<number> {
  const sheet = await read(await sampleFile('csv', rows));
  const kind = recordKind('deals');
  const { columns } = matchHeaders(kind, sampleHeaders, []);
  const settings = { contract: assumedContract, dateOrder: null, decimals: null };
  const map = rowMapper({ kind, sheet: 'Deals', columns }, settings, new Map());
  const data = sheet.slice(1);
  const bodies = data.map((row) => map(row).body);
  return measure(
    () => bodies.map((body) => JSON.parse(JSON.stringify(body)) as unknown),
    () => data.map(map),
  );
}

/** What takes its time for each pair of headers comes out at sixteen, and not at four. */
async function matching(measure: Measure): Promise<number> {
  const work = (count: number) => {
    const headers = Array.from({ length: count }, (_, index) => `Stranger ${index} of many`);
    return () => matchHeaders(recordKind('deals'), headers, []);
  };
  return measure(work(1024), work(4096));
}

async function staging(measure: Measure): Promise<number> {
  const sourcesFolder = file('sources');
  const path = await sampleFile('csv', rows);
  const options = { ...readingDefaults, file: path, kind: recordKind('deals'), sourcesFolder };
  const snapshot = await copySource(path, sourcesFolder, process.stdin);
  const reading = { earlierRefs: null, service: null, digestOf: String, onProgress: () => {} };
  try {
    return await measure(
      () => read(path),
      () => withStaging(snapshot, options, (source, staged) => stageSource(source, snapshot, staged, options, reading)),
    );
  } finally {
    snapshot.lock.remove();
  }
}

async function writing(measure: Measure): Promise<number> {
  const text = Buffer.from(JSON.stringify(deals));
  return measure(
    () => deflateRawSync(text, { level: 1 }),
    () => writeSampleDeals(file('written.xlsx'), rows),
  );
}

async function recording(measure: Measure): Promise<number> {
  const ledger = openLedger(file('ledger.db'));
  let loads = 0;
  const load = async () => {
    loads += 1;
    const run = await ledger.begin({ ...description, sourceName: `${loads}.csv` });
    const intents = await registered(ledger, run, `${loads}`);
    for (let first = 0; first < rows; first += inFlight) {
      const some = intents.slice(first, first + inFlight);
      await Promise.all(some.map((intent) => run.intend([intent])));
      await Promise.all(some.map(({ id }) => run.record([{ id, ...outcomeOf(id) }])));
    }
    await run.end('ended');
  };
  try {
    return await measure(bareSql, load);
  } finally {
    await ledger.close();
  }
}

async function asking(measure: Measure): Promise<number> {
  const [empty, full] = [openLedger(file('empty.db')), openLedger(file('full.db'))];
  const askOften = (ledger: Ledger) => async () => {
    for (let time = 0; time < timesAsked; time += 1) await ledger.runs();
  };
  try {
    await (await empty.begin({ ...description, sourceName: 'one.csv' })).end('ended');
    const run = await full.begin({ ...description, sourceName: 'one.csv' });
    await run.intend(await registered(full, run, 'full'));
    await run.end('ended');
    return await measure(askOften(empty), askOften(full));
  } finally {
    await empty.close();
    await full.close();
  }
}

async function read(path: string): Promise<readonly SheetRow[]> {
  const source = await openSource(path, { name: path, encoding: null, delimiter: null });
  const found: SheetRow[] = [];
  for (const sheet of source.sheets) for await (const row of sheet.rows()) found.push(row);
  await source.close();
  return found;
}

/** Rows that were entered, ready to be sent. */
async function registered(ledger: Ledger, run: Run, load: string): Promise<readonly Intent[]> {
  const contents = Array.from({ length: rows }, (_, row) => ledger.digest(`${load} ${row}`));
  const ids = await run.register(
    contents.map((content, row) => ({
      sheet: 'Deals',
      row,
      kind: 'deals',
      id: null,
      digests: [content],
      note: null,
      repeats: null,
      believed: null,
    })),
  );
  return contents.map((content, row) => ({ id: ids[row] ?? 0, sheet: 'Deals', row, content, fields: null, equals: 0 }));
}

const description = {
  service: 'https://api.example.com/v1',
  serviceUrl: 'https://api.example.com/v1',
  sourcePath: '/home/pat/deals.csv',
  origin: 'month.csv',
  sourceDigest: 'ab',
  resultsPath: '/home/pat/deals.results.xlsx',
  options: '{}',
  person: 'pat',
};

function outcomeOf(row: number): Outcome {
  const record = `deal_${row}`;
  const ids = { record, company: `cmp_${row}`, url: `https://app.example.com/deals/${record}` };
  return { state: 'created', attempts: 1, ...ids, message: null };
}

/** The same rows into a table of the same shape, in as many commits, each as safe. */
function bareSql(): void {
  const db = new Database(file('bare.db'));
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('PRAGMA synchronous = FULL');
  db.exec('DROP TABLE IF EXISTS entries');
  db.exec(
    'CREATE TABLE entries (sheet INTEGER, row INTEGER, fingerprint TEXT UNIQUE, state TEXT, id TEXT, company TEXT, url TEXT, PRIMARY KEY (sheet, row)) WITHOUT ROWID',
  );
  const insert = db.prepare("INSERT INTO entries (sheet, row, fingerprint, state) VALUES (1, ?, ?, 'sending')");
  const update = db.prepare(
    "UPDATE entries SET state = 'created', id = ?, company = ?, url = ? WHERE sheet = 1 AND row = ?",
  );
  for (let first = 0; first < rows; first += inFlight) {
    const last = Math.min(first + inFlight, rows);
    db.exec('BEGIN IMMEDIATE');
    for (let row = first; row < last; row += 1) insert.run([row, `${(row * 7919) % rows} of these rows`]);
    db.exec('COMMIT');
    db.exec('BEGIN IMMEDIATE');
    for (let row = first; row < last; row += 1) {
      const { record: id, company: companyId, url } = outcomeOf(row);
      update.run([id, companyId, url, row]);
    }
    db.exec('COMMIT');
  }
  db.close();
}
