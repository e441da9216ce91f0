/** Loads of deals beside what people would use instead, on the same rows and the same plain service. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from './measured-command.ts';
import { type Contender, machine, peers, type Result, race, root } from './race.ts';
import { sampleDeal, sampleHeaders, writeSampleDeals } from './sample-deals.ts';
import { file, folder, sampleFile } from './sample-files.ts';

const rounds = 3;
const rows = 10_000;
const manyRows = 100_000;
const latencyMs = 50;
const inFlight = 32;
/** What starts a process for each row, or is slow, gets fewer rows. */
const rowsOfXargs = 1_000;
const rowsOfNewman = 200;
const newmanVersion = '6.2.1';

const ours = 'dealsheet, CSV → XLSX';

interface Loader extends Contender {
  readonly latencyMs: number;
}

/** @returns the table in Markdown */
export async function endToEnd(): Promise<string> {
  await makeFiles();
  const plain = await startService(0);
  const slow = await startService(latencyMs);
  try {
    const results = await race(await loaders(plain.url, slow.url));
    return `${tableOf(results)}\n\n${ratiosOf(results)}`;
  } finally {
    plain.child.kill();
    slow.child.kill();
  }
}

async function makeFiles(): Promise<void> {
  await writeSampleDeals(file('next.csv'), rows, rows + 1);
  const bodies = Array.from({ length: rowsOfXargs }, (_, index) => {
    const cells = sampleDeal(index + 1);
    return JSON.stringify(Object.fromEntries(sampleHeaders.map((header, column) => [header, cells[column]])));
  });
  writeFileSync(file('bodies.txt'), bodies.map((body) => `${body}\0`).join(''));
}

async function loaders(plain: string, slow: string): Promise<readonly Loader[]> {
  const script = 'a script: papaparse, p-limit, fetch, exceljs';
  const deals = await sampleFile('csv', rows);
  const workbook = await sampleFile('xlsx', rows);
  const manyDeals = await sampleFile('csv', manyRows);
  const manyInWorkbook = await sampleFile('xlsx', manyRows);
  const load = (source: string, url: string) => () => dealsheet(source, 'r.xlsx', url);
  const person = (url: string) => (): Command => ({
    program: process.execPath,
    words: [join(peers, 'script.mjs'), deals, url, file('script.xlsx')],
    folder,
  });
  const floor = 'the same parts without the promises';
  const bare = (source: string, url: string) => () => withoutPromises(source, url);
  const fast = { rows, latencyMs: 0, rounds };
  const far = { rows, latencyMs, rounds: 1 };
  const many = { rows: manyRows, latencyMs: 0, rounds: 1 };
  return [
    { name: ours, ...fast, command: load(deals, plain) },
    { name: 'dealsheet, XLSX → XLSX', ...fast, command: load(workbook, plain) },
    {
      name: 'dealsheet, the next file into the same ledger',
      ...fast,
      rounds: 1,
      command: () => nextDealsheet(file('next.csv'), plain),
    },
    { name: script, ...fast, command: person(plain) },
    { name: floor, ...fast, command: bare(deals, plain) },
    { name: 'xargs -P 32 curl, no results sheet', ...fast, rows: rowsOfXargs, rounds: 1, command: () => xargs(plain) },
    ...newman(plain, await sampleFile('csv', rowsOfNewman)),
    { name: ours, ...far, command: load(deals, slow) },
    { name: script, ...far, command: person(slow) },
    { name: floor, ...far, command: bare(deals, slow) },
    { name: ours, ...many, command: load(manyDeals, plain) },
    { name: 'dealsheet, XLSX → XLSX', ...many, command: load(manyInWorkbook, plain) },
    { name: floor, ...many, command: bare(manyDeals, plain) },
  ];
}

let loads = 0;

/** Each load has a ledger and results of its own: a row is sent once, and results made with another ledger stay. */
function dealsheet(source: string, results: string, url: string): Command {
  loads += 1;
  return loadInto(loads, source, `${loads}-${results}`, url);
}

/** Other deals, into the ledger that the last load has made: each row is looked up before it is sent. */
function nextDealsheet(source: string, url: string): Command {
  return loadInto(loads, source, `${loads}-next.xlsx`, url);
}

export function loadInto(ledger: string | number, source: string, results: string, url: string): Command {
  const words = [
    ...[join(root, 'dist', 'cli', 'main.js'), 'import', source, '--as', 'deals', '--url', url, '--yes', '--quiet'],
    ...['--results', file(results), '--ledger', file(`ledger-${ledger}.db`)],
  ];
  return { program: process.execPath, words, env: { DEALSHEET_TOKEN: 'token' }, folder };
}

function withoutPromises(source: string, url: string): Command {
  loads += 1;
  const words = [join(peers, 'floor.mjs'), source, url, file(`${loads}-floor.xlsx`), file(`${loads}-journal.db`)];
  return { program: process.execPath, words, folder };
}

function xargs(url: string): Command {
  const curl = ['curl', '-sf', '-o', '/dev/null', '-H', 'content-type: application/json', '-d', '{}', `${url}/v1/deal`];
  const words = ['-0', '-P', String(inFlight), '-I', '{}', '-a', file('bodies.txt'), ...curl];
  return { program: 'xargs', words, folder };
}

/** Installed for the benchmark alone, where the registry can be reached; nothing else needs it. */
function newman(url: string, deals: string): readonly Loader[] {
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
  const command = () => {
    writeFileSync(file('collection.json'), JSON.stringify(collectionFor(url)));
    const words = [binary, 'run', file('collection.json'), '-d', deals, '--silent'];
    return { program: process.execPath, words, folder };
  };
  const name = 'newman with a CSV data file, no results sheet';
  return [{ name, rows: rowsOfNewman, latencyMs: 0, rounds: 1, command }];
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

export function startService(latency: number): Promise<{ url: string; child: ChildProcess }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(peers, 'service.mjs'), String(latency)]);
    child.stdout.once('data', (chunk: Buffer) => resolve({ url: chunk.toString('utf8').trim(), child }));
  });
}

function tableOf(results: readonly Result<Loader>[]): string {
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
    `${machine()}; service and client share the machine. Start and end of each process are counted. The ideal at ${latencyMs} ms is ${inFlight} requests in flight without a pause.`,
  ].join('\n');
}

/** Dealsheet's figures over those of each peer, at the same latency and the same number of rows where it loads as many. */
function ratiosOf(results: readonly Result<Loader>[]): string {
  const loads = results.filter(({ contender }) => contender.name === ours);
  const peersOfOurs = results.filter(({ contender }) => !contender.name.startsWith('dealsheet'));
  const lines = peersOfOurs.flatMap(({ contender, cost }) => {
    const here = loads.filter((load) => load.contender.latencyMs === contender.latencyMs);
    const load = here.find((one) => one.contender.rows === contender.rows) ?? here[0];
    if (load === undefined) return [];
    const seconds = cost.seconds / contender.rows / (load.cost.seconds / load.contender.rows);
    const cpu = load.cost.cpuSeconds / load.contender.rows / (cost.cpuSeconds / contender.rows);
    const memory = load.cost.peakMegabytes / cost.peakMegabytes;
    const ratios = [seconds, cpu, memory].map((ratio) => ratio.toPrecision(2));
    const loaded = contender.rows.toLocaleString('en-US');
    return [`| ${[contender.name, loaded, `${contender.latencyMs} ms`, ...ratios].join(' | ')} |`];
  });
  return [
    `| ${ours}, over | rows | latency | rows a second | CPU a row | peak memory |`,
    '|---|--:|--:|--:|--:|--:|',
    ...lines,
  ].join('\n');
}
