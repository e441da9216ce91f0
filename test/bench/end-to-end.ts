/**
 * Dealsheet beside what people would use instead, on the same rows and the same plain service, in turn and several times:
 * `npm run bench`. Prints a table in Markdown; with `--write` it takes the place of the one in the README.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, type Cost, canMeasure, measured, medianCost } from './measured-command.ts';
import { sampleDeal, sampleHeaders, writeSampleDeals } from './sample-deals.ts';

const root = resolve(import.meta.dirname, '../..');
const peers = join(import.meta.dirname, 'peers');
const rounds = 3;
const rows = 10_000;
const manyRows = 100_000;
const latencyMs = 50;
const inFlight = 32;
/** What starts a process for each row, or is slow, gets fewer rows. */
const rowsOfXargs = 1_000;
const rowsOfNewman = 200;
const newmanVersion = '6.2.1';

interface Contender {
  readonly name: string;
  readonly rows: number;
  readonly latencyMs: number;
  readonly rounds: number;
  readonly command: (url: string) => Command;
}

const folder = mkdtempSync(join(tmpdir(), 'dealsheet-bench-'));
const file = (name: string) => join(folder, name);

async function main(): Promise<void> {
  if (!canMeasure()) throw new Error('GNU time is wanted at /usr/bin/time (on Debian: apt-get install time).');
  try {
    await makeFiles();
    const services = new Map([0, latencyMs].map((latency) => [latency, startService(latency)]));
    try {
      const results = await race(contenders(), async (latency) => (await services.get(latency))?.url ?? '');
      const table = tableOf(results);
      process.stdout.write(`${table}\n`);
      if (process.argv.includes('--write')) writeToReadme(table);
    } finally {
      for (const service of services.values()) (await service).child.kill();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeFiles(): Promise<void> {
  await writeSampleDeals(file('deals.csv'), rows);
  await writeSampleDeals(file('deals.xlsx'), rows);
  await writeSampleDeals(file('many.csv'), manyRows);
  await writeSampleDeals(file('many.xlsx'), manyRows);
  await writeSampleDeals(file('few.csv'), rowsOfNewman);
  const bodies = Array.from({ length: rowsOfXargs }, (_, index) => {
    const cells = sampleDeal(index + 1);
    return JSON.stringify(Object.fromEntries(sampleHeaders.map((header, column) => [header, cells[column]])));
  });
  writeFileSync(file('bodies.txt'), bodies.map((body) => `${body}\0`).join(''));
}

function contenders(): readonly Contender[] {
  const load = (source: string, results: string) => (url: string) => dealsheet(source, results, url);
  const person = (url: string): Command => ({
    program: process.execPath,
    words: [join(peers, 'script.mjs'), file('deals.csv'), url, file('script.xlsx')],
    folder,
  });
  return [
    { name: 'dealsheet, CSV → XLSX', rows, latencyMs: 0, rounds, command: load('deals.csv', 'r.xlsx') },
    { name: 'dealsheet, XLSX → XLSX', rows, latencyMs: 0, rounds, command: load('deals.xlsx', 'r.xlsx') },
    { name: 'a script: papaparse, p-limit, fetch, exceljs', rows, latencyMs: 0, rounds, command: person },
    { name: 'xargs -P 32 curl, no results sheet', rows: rowsOfXargs, latencyMs: 0, rounds, command: xargs },
    ...newman().map((command) => ({
      name: 'newman with a CSV data file, no results sheet',
      rows: rowsOfNewman,
      latencyMs: 0,
      rounds: 1,
      command,
    })),
    { name: 'dealsheet, CSV → XLSX', rows, latencyMs, rounds: 1, command: load('deals.csv', 'r.xlsx') },
    { name: 'a script: papaparse, p-limit, fetch, exceljs', rows, latencyMs, rounds: 1, command: person },
    { name: 'dealsheet, CSV → XLSX', rows: manyRows, latencyMs: 0, rounds: 1, command: load('many.csv', 'r.xlsx') },
    { name: 'dealsheet, XLSX → XLSX', rows: manyRows, latencyMs: 0, rounds: 1, command: load('many.xlsx', 'r.xlsx') },
  ];
}

let loads = 0;

/** Each load has a ledger of its own: a row is sent once. */
function dealsheet(source: string, results: string, url: string): Command {
  loads += 1;
  const words = [
    ...[
      join(root, 'dist', 'cli', 'main.js'),
      'import',
      file(source),
      '--as',
      'deals',
      '--url',
      url,
      '--yes',
      '--quiet',
    ],
    ...['--results', file(results), '--ledger', file(`ledger-${loads}.db`)],
  ];
  return { program: process.execPath, words, env: { DEALSHEET_TOKEN: 'token' }, folder };
}

function xargs(url: string): Command {
  const curl = ['curl', '-sf', '-o', '/dev/null', '-H', 'content-type: application/json', '-d', '{}', `${url}/v1/deal`];
  const words = ['-0', '-P', String(inFlight), '-I', '{}', '-a', file('bodies.txt'), ...curl];
  return { program: 'xargs', words, folder };
}

/** Installed for the benchmark alone, where the registry can be reached; nothing else needs it. */
function newman(): readonly ((url: string) => Command)[] {
  const place = join(root, 'node_modules', '.cache', `newman-${newmanVersion}`);
  const binary = join(place, 'node_modules', 'newman', 'bin', 'newman.js');
  try {
    mkdirSync(place, { recursive: true });
    if (!existsSync(binary)) {
      execFileSync('npm', ['install', '--prefix', place, '--no-save', '--silent', `newman@${newmanVersion}`], {
        stdio: 'ignore',
      });
    }
  } catch {
    process.stderr.write('newman could not be installed, and is left out.\n');
    return [];
  }
  return [
    (url) => {
      writeFileSync(file('collection.json'), JSON.stringify(collectionFor(url)));
      const words = [binary, 'run', file('collection.json'), '-d', file('few.csv'), '--silent'];
      return { program: process.execPath, words, folder };
    },
  ];
}

function collectionFor(url: string): unknown {
  const fields = sampleHeaders.map((header) => [header, `{{${header}}}`]);
  return {
    info: { name: 'deals', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [
      {
        name: 'deal',
        request: {
          method: 'POST',
          header: [{ key: 'content-type', value: 'application/json' }],
          body: { mode: 'raw', raw: JSON.stringify(Object.fromEntries(fields)) },
          url: `${url}/v1/deal`,
        },
      },
    ],
  };
}

function startService(latency: number): Promise<{ url: string; child: ChildProcess }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(peers, 'service.mjs'), String(latency)]);
    child.stdout.once('data', (chunk: Buffer) => resolve({ url: chunk.toString('utf8').trim(), child }));
  });
}

interface Result {
  readonly contender: Contender;
  readonly cost: Cost;
}

/** One round after the other, each contender once in each: what slows the machine for a while slows all of them. */
async function race(
  all: readonly Contender[],
  urlOf: (latency: number) => Promise<string>,
): Promise<readonly Result[]> {
  const costs = new Map<Contender, Cost[]>(all.map((contender) => [contender, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of all.filter((candidate) => candidate.rounds > round)) {
      costs.get(contender)?.push(await measured(contender.command(await urlOf(contender.latencyMs))));
      process.stderr.write('.');
    }
  }
  process.stderr.write('\n');
  return all.map((contender) => ({ contender, cost: medianCost(costs.get(contender) ?? []) }));
}

function tableOf(results: readonly Result[]): string {
  const lines = results.map(({ contender, cost }) => {
    const ideal = contender.latencyMs === 0 ? null : (contender.rows * contender.latencyMs) / inFlight / 1000;
    const cells = [
      contender.name,
      contender.rows.toLocaleString('en-US'),
      `${contender.latencyMs} ms`,
      Math.round(contender.rows / cost.seconds).toLocaleString('en-US'),
      Math.round((cost.cpuSeconds * 1e6) / contender.rows).toLocaleString('en-US'),
      Math.round(cost.peakMegabytes).toLocaleString('en-US'),
      ideal === null ? '' : `${Math.round((ideal / cost.seconds) * 100)} %`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| what | rows | latency | rows a second | CPU µs a row | peak MB | of the ideal |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...lines,
    '',
    `${machine()} Start and end of each process are counted. The ideal at ${latencyMs} ms is ${inFlight} requests in flight without a pause.`,
  ].join('\n');
}

function machine(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.versions.node} on ${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${gigabytes} GB; service and client share the machine.`;
}

function writeToReadme(table: string): void {
  const path = join(root, 'README.md');
  const marks = /(<!-- bench -->\n)[\s\S]*?(\n<!-- \/bench -->)/;
  const readme = readFileSync(path, 'utf8');
  if (!marks.test(readme)) throw new Error('The README has no place for the table.');
  writeFileSync(
    path,
    readme.replace(marks, (_all, before: string, after: string) => `${before}${table}${after}`),
  );
}

await main();
