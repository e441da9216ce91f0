import { afterAll, beforeAll, bench, describe } from 'vitest';
import type { Intent, Ledger, Run, Settlement } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { folderForAllTests } from '../builders/temporary-folder.ts';

const rowsInFlight = 32;
const rows = Number(process.env.DEALSHEET_BENCH_ROWS ?? 100_000);
const rowsOneByOne = 5_000;
const lookups = 50_000;
const once = { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 };
const service = 'https://api.example.com/v1';

const inFolder = folderForAllTests();
let ledger: Ledger;
let runs = 0;

beforeAll(() => {
  ledger = openLedger(inFolder('ledger.db'));
});

afterAll(() => {
  ledger.close();
});

describe('an intent and its outcome, each durable', () => {
  bench('one row at a time', () => measuredLoad(rowsOneByOne, 1, answeredAtOnce), once);
  bench('32 rows in flight, answered together', () => measuredLoad(rows, rowsInFlight, answeredAtOnce), once);
  bench('32 rows in flight, answered one by one', () => measuredLoad(rows, rowsInFlight, answeredInTurns), once);
});

describe('reading', () => {
  bench(
    'the entries of a sheet, streamed',
    () => {
      const [run] = ledger.runs();
      let entries = 0;
      const measure = begin();
      for (const entry of ledger.entriesOf(run?.id ?? '', 'Deals')) entries += entry.attempts;
      tell('entries of a sheet', measure, entries);
    },
    once,
  );
  bench(
    'the live entry of a fingerprint',
    () => {
      const known = Array.from({ length: lookups }, (_, row) => fingerprintOf(runs, row % rowsOneByOne));
      const measure = begin();
      for (const fingerprint of known) ledger.liveEntry(service, fingerprint);
      tell('live entry that is there', measure, lookups);
      const unknown = ledger.fingerprint('never loaded');
      const another = begin();
      for (let count = 0; count < lookups; count += 1) ledger.liveEntry(service, unknown);
      tell('live entry that is not there', another, lookups);
    },
    once,
  );
});

async function measuredLoad(rows: number, inFlight: number, answer: (row: number) => Promise<void>): Promise<void> {
  runs += 1;
  const run = ledger.beginRun({
    service,
    serviceUrl: service,
    sourcePath: '/home/pat/deals.csv',
    sourceName: 'deals.csv',
    sourceDigest: 'ab',
    resultsPath: '/home/pat/deals.results.xlsx',
    options: '{}',
  });
  const intents = Array.from({ length: rows }, (_, row) => intentOf(row));
  let next = 0;
  const measure = begin();
  await Promise.all(Array.from({ length: inFlight }, send));
  tell(`${inFlight} in flight`, measure, rows);
  await run.end('ended');

  async function send(): Promise<void> {
    for (let intent = intents[next++]; intent !== undefined; intent = intents[next++]) {
      await sendOne(run, intent, answer);
    }
  }
}

async function sendOne(run: Run, intent: Intent, answer: (row: number) => Promise<void>): Promise<void> {
  await run.intend([intent], { again: false });
  await answer(intent.row);
  await run.settle([outcomeOf(intent.row)]);
}

async function answeredAtOnce(): Promise<void> {}

const mostTurns = 4;

async function answeredInTurns(row: number): Promise<void> {
  for (let turns = (row * 7919) % mostTurns; turns > 0; turns -= 1)
    await new Promise((resolve) => setImmediate(resolve));
}

function intentOf(row: number): Intent {
  return {
    sheet: 'Deals',
    row,
    kind: 'deals',
    fingerprint: fingerprintOf(runs, row),
    shown: null,
    ref: null,
    repeats: null,
    supersedes: null,
  };
}

function outcomeOf(row: number): Settlement {
  const id = `deal_${String(row).padStart(8, '0')}`;
  const url = `https://app.example.com/deals/${id}`;
  const ids = { id, companyId: `company_${id}`, url };
  return { sheet: 'Deals', row, state: 'created', attempts: 1, httpStatus: 201, ...ids, message: null };
}

function fingerprintOf(run: number, row: number): Buffer {
  return ledger.fingerprint(`row ${row} of run ${run}`);
}

interface Measure {
  readonly cpu: NodeJS.CpuUsage;
  readonly at: number;
}

function begin(): Measure {
  return { cpu: process.cpuUsage(), at: performance.now() };
}

function tell(what: string, { cpu, at }: Measure, rows: number): void {
  const { user, system } = process.cpuUsage(cpu);
  const wall = ((performance.now() - at) * 1000) / rows;
  const megabytes = process.memoryUsage().rss / 1e6;
  process.stdout.write(
    `${what}: ${((user + system) / rows).toFixed(1)} µs CPU and ${wall.toFixed(1)} µs a row over ${rows} rows; ${megabytes.toFixed(0)} MB\n`,
  );
}
