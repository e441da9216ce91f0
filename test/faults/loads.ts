/** Loads that are killed, resumed and compared with the service's own log. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { expect } from 'vitest';
import type { EndpointName } from '../../src/contract/record-kind.ts';
import {
  defaultSandboxOptions,
  type RunningSandbox,
  type SandboxOptions,
  startSandbox,
} from '../../src/sandbox/server.ts';
import { readWorkbook } from '../builders/tables.ts';
import { type Ended, environmentOf, main, type Workplace } from '../builders/workplace.ts';

const token = 'sandbox-token';

export function startService(options: Partial<SandboxOptions> = {}): Promise<RunningSandbox> {
  return startSandbox({ ...defaultSandboxOptions, fixedToken: token, ...options });
}

export interface LoadOptions {
  readonly env?: Record<string, string>;
  /** SIGKILL after this many milliseconds, or never. */
  readonly killAfterMs?: number;
}

export interface Begun {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

/** Has `dealsheet` begin in a process of its own. @param by  a program and its words that run it, where it is not itself run */
export function begin(
  place: Workplace,
  words: readonly string[],
  { env = {}, by = [] }: { readonly env?: Record<string, string>; readonly by?: readonly string[] } = {},
): Begun {
  const [program = '', ...further] = [...by, process.execPath, main, ...words];
  const environment = environmentOf(place.folder, { DEALSHEET_TOKEN: token, ...env });
  const child = spawn(program, further, { cwd: place.folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      said[stream] += chunk;
    });
  const ended = new Promise<Awaited<Begun['ended']>>((resolve) => {
    child.on('close', (code, signal) => resolve({ ...said, code, signal }));
  });
  return { child, ended };
}

/** Runs `dealsheet` to its end, or to its death. */
export async function runLoad(
  place: Workplace,
  words: readonly string[],
  { env = {}, killAfterMs }: LoadOptions = {},
): Promise<Awaited<Begun['ended']>> {
  const { child, ended } = begin(place, words, { env });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return ended.finally(() => clearTimeout(timer));
}

/** The same for a load that nothing kills, by the workplace: in a process of its own, or in this one. */
export function runWhole(place: Workplace, words: readonly string[]): Promise<Ended> {
  return place.run(words, { env: { DEALSHEET_TOKEN: token } });
}

/** Goes on until a run comes to its end by itself: a load that died before its run began is started again. */
export async function finish(
  place: Workplace,
  file: string,
  service: RunningSandbox,
  further: readonly string[] = [],
): Promise<void> {
  const resumed = await runWhole(place, ['resume', '--yes', '--results', 'results.xlsx']);
  if (resumed.exitCode === 2 && /nothing to resume/.test(resumed.stderr)) {
    const words = ['import', file, '--url', service.url, '--yes', '--results', 'results.xlsx', ...further];
    const again = await runWhole(place, words);
    expect([0, 1, 6], again.stderr).toContain(again.exitCode);
    return;
  }
  expect([0, 1, 6], resumed.stderr).toContain(resumed.exitCode);
}

export interface Verdict {
  readonly duplicates: readonly string[];
  /** Accepted by the service, and called something else than in or in doubt. */
  readonly untold: readonly string[];
  /** Called in, and never accepted. */
  readonly invented: readonly string[];
  readonly inDoubt: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/**
 * Compares the results sheet with the service's own log.
 *
 * @param key  what a row of the sheet and an accepted body have in common, once in the source
 */
export async function judge(
  place: Workplace,
  service: RunningSandbox,
  sheet: string,
  key: { readonly header: string; readonly of: (body: Record<string, unknown>) => unknown },
  endpoint: EndpointName = 'addDeal',
): Promise<Verdict> {
  const accepted = new Map<string, number>();
  for (const entry of service.accepted()) {
    if (entry.endpoint !== endpoint) continue;
    const found = key.of(JSON.parse(entry.body) as Record<string, unknown>);
    if (found !== undefined) accepted.set(String(found), (accepted.get(String(found)) ?? 0) + 1);
  }
  const rows = await readWorkbook(place.path('results.xlsx'), sheet);
  const statuses: Record<string, number> = {};
  const statusOf = new Map<string, string>();
  for (const row of rows) {
    const status = String(row.Status);
    statuses[status] = (statuses[status] ?? 0) + 1;
    statusOf.set(String(row[key.header]), status);
  }
  const isIn = (status: string | undefined) =>
    ['Created', 'Updated', 'Accepted', 'Already loaded', 'Changed since loaded'].includes(status ?? '');
  return {
    duplicates: [...accepted].filter(([, count]) => count > 1).map(([name]) => name),
    untold: [...accepted.keys()].filter((name) => !isIn(statusOf.get(name)) && statusOf.get(name) !== 'In doubt'),
    invented: [...statusOf].filter(([name, status]) => isIn(status) && !accepted.has(name)).map(([name]) => name),
    inDoubt: statuses['In doubt'] ?? 0,
    statuses,
  };
}

export const nothingWrong = { duplicates: [], untold: [], invented: [] };
