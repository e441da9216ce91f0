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
import type { Intent, Ledger, Settlement } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { matchHeaders } from '../../src/mapping/headers.ts';
import { rowMapper } from '../../src/mapping/row-mapper.ts';
import { readingDefaults } from '../../src/load/defaults.ts';
import { removeSnapshot, takeSnapshot } from '../../src/staging/source/snapshot.ts';
import { KeptRows } from '../../src/pipeline/survey/kept-rows.ts';
import { openCopy, surveySource } from '../../src/staging/reading.ts';
import type { Survey } from '../../src/pipeline/survey/survey.ts';
import type { SheetRow } from '../../src/sheets/cell.ts';
import { openSource } from '../../src/sheets/open-source.ts';
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
  'going through judged rows once more, beside reading and judging them again': keeping,
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

async function keeping(measure: Measure): Promise<number> {
  const snapshotFolder = file('sources');
  const options = {
    ...readingDefaults,
    file: await sampleFile('csv', rows),
    kind: recordKind('deals'),
    snapshotFolder,
  };
  const snapshot = await takeSnapshot(options.file, snapshotFolder, process.stdin);
  const source = await openCopy(snapshot, options);
  const keptRows = new KeptRows(snapshotFolder);
  try {
    const further = { earlierRefs: null, heldRows: null, service: null, onProgress: () => {} };
    const judged = await surveySource(source, snapshot, options, { ...further, keptRows: null });
    const kept = await surveySource(source, snapshot, options, { ...further, keptRows });
    return await measure(
      () => goThrough(judged),
      () => goThrough(kept),
    );
  } finally {
    await keptRows.close();
    await source.close();
    await removeSnapshot(snapshot);
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
    const run = ledger.beginRun({ ...description, sourceName: `${loads}.csv` });
    for (let first = 0; first < rows; first += inFlight) {
      const numbers = Array.from({ length: Math.min(inFlight, rows - first) }, (_, index) => first + index);
      await Promise.all(numbers.map((row) => run.intend([intentOf(ledger, row, `${loads} ${row}`)], { again: false })));
      await Promise.all(numbers.map((row) => run.settle([outcomeOf(row)])));
    }
    await run.end('ended');
  };
  try {
    return await measure(bareSql, load);
  } finally {
    ledger.close();
  }
}

async function asking(measure: Measure): Promise<number> {
  const [empty, full] = [openLedger(file('empty.db')), openLedger(file('full.db'))];
  const askOften = (ledger: Ledger) => () => {
    for (let time = 0; time < timesAsked; time += 1) ledger.runs().map(({ id }) => ledger.run(id));
  };
  try {
    await empty.beginRun({ ...description, sourceName: 'one.csv' }).end('ended');
    const run = full.beginRun({ ...description, sourceName: 'one.csv' });
    const intents = Array.from({ length: rows }, (_, row) => intentOf(full, row, `${row}`));
    await run.intend(intents, { again: false });
    await run.end('ended');
    return await measure(askOften(empty), askOften(full));
  } finally {
    empty.close();
    full.close();
  }
}

async function read(path: string): Promise<readonly SheetRow[]> {
  const source = await openSource(path, { name: path, encoding: null, delimiter: null });
  const found: SheetRow[] = [];
  for (const sheet of source.sheets) for await (const row of sheet.rows()) found.push(row);
  await source.close();
  return found;
}

async function goThrough({ sheets }: Survey): Promise<void> {
  let found = 0;
  for (const sheet of sheets) for await (const _row of sheet.judgedRows()) found += 1;
  if (found !== rows) throw new Error(`${found} rows of ${rows} came by.`);
}

function intentOf(ledger: Ledger, row: number, text: string): Intent {
  const fingerprint = ledger.fingerprint(text);
  return { sheet: 'Deals', row, kind: 'deals', fingerprint, shown: null, ref: null, repeats: null, supersedes: null };
}

const description = {
  service: 'https://api.example.com/v1',
  serviceUrl: 'https://api.example.com/v1',
  sourcePath: '/home/pat/deals.csv',
  sourceDigest: 'ab',
  resultsPath: '/home/pat/deals.results.xlsx',
  options: '{}',
};

function outcomeOf(row: number): Settlement {
  const id = `deal_${row}`;
  const ids = { id, companyId: `cmp_${row}`, url: `https://app.example.com/deals/${id}` };
  return { sheet: 'Deals', row, state: 'created', attempts: 1, httpStatus: 201, ...ids, message: null };
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
      const { id, companyId, url } = outcomeOf(row);
      update.run([id, companyId, url, row]);
    }
    db.exec('COMMIT');
  }
  db.close();
}
