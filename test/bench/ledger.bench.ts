import { afterAll, beforeAll, bench, describe } from 'vitest';
import type { Intent, Ledger, Outcome, Run } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { folderForAllTests } from '../builders/temporary-folder.ts';

const rowsInFlight = 32;
const rows = Number(process.env.DEALSHEET_BENCH_ROWS ?? 100_000);
const rowsOneByOne = 5_000;
const lookups = 50_000;
const page = 512;
const once = { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 };
const service = 'https://api.example.com/v1';

const inFolder = folderForAllTests();
let ledger: Ledger;
let runs = 0;

beforeAll(() => {
  ledger = openLedger(inFolder('ledger.db'));
});

afterAll(() => ledger.close());

describe('an intent and its outcome, each durable', () => {
  bench('one row at a time', () => measuredLoad(rowsOneByOne, 1, answeredAtOnce), once);
  bench('32 rows in flight, answered together', () => measuredLoad(rows, rowsInFlight, answeredAtOnce), once);
  bench('32 rows in flight, answered one by one', () => measuredLoad(rows, rowsInFlight, answeredInTurns), once);
});

describe('reading', () => {
  bench(
    'the entries of a sheet, page by page',
    async () => {
      const [run] = await ledger.runs();
      const measure = begin();
      let count = 0;
      for (let last = -1; ; ) {
        const entries = await ledger.entries(run?.id ?? '', 'Deals', last, page);
        count += entries.length;
        if (entries.length < page) break;
        last = entries.at(-1)?.place ?? last;
      }
      tell('entries of a sheet', measure, count);
    },
    once,
  );
  bench(
    'rows by what they say',
    async () => {
      const known = Array.from({ length: lookups }, (_, row) => contentOf(runs, row % rowsOneByOne));
      const measure = begin();
      for (let first = 0; first < lookups; first += page)
        await ledger.lookup(service, known.slice(first, first + page));
      tell('rows that are there', measure, lookups);
    },
    once,
  );
});

async function measuredLoad(rows: number, inFlight: number, answer: (row: number) => Promise<void>): Promise<void> {
  runs += 1;
  const run = await ledger.begin({
    service,
    serviceUrl: service,
    sourcePath: '/home/pat/deals.csv',
    sourceName: 'deals.csv',
    origin: 'month.csv',
    sourceDigest: 'ab',
    resultsPath: '/home/pat/deals.results.xlsx',
    options: '{}',
    person: 'pat',
  });
  const intents = await registered(run, rows);
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
  await run.intend([intent]);
  await answer(intent.row);
  await run.record([{ id: intent.id, ...outcomeOf(intent.row) }]);
}

async function answeredAtOnce(): Promise<void> {}

const mostTurns = 4;

async function answeredInTurns(row: number): Promise<void> {
  for (let turns = (row * 7919) % mostTurns; turns > 0; turns -= 1)
    await new Promise((resolve) => setImmediate(resolve));
}

async function registered(run: Run, count: number): Promise<readonly Intent[]> {
  const contents = Array.from({ length: count }, (_, row) => contentOf(runs, row));
  const nothing = { id: null, note: null, repeats: null, believed: null };
  const ids = await run.register(
    contents.map((content, row) => ({ sheet: 'Deals', row, kind: 'deals', digests: [content], ...nothing })),
  );
  return contents.map((content, row) => ({ id: ids[row] ?? 0, sheet: 'Deals', row, content, fields: null, equals: 0 }));
}

function outcomeOf(row: number): Outcome {
  const record = `deal_${String(row).padStart(8, '0')}`;
  const ids = { record, company: `company_${record}`, url: `https://app.example.com/deals/${record}` };
  return { state: 'created', attempts: 1, httpStatus: 201, ...ids, message: null };
}

function contentOf(run: number, row: number): Buffer {
  return ledger.digest(`row ${row} of run ${run}`);
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
