/** One command, run to its end by itself: how long it took, and what it cost. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Cost {
  readonly seconds: number;
  /** Of the command and all of its children. */
  readonly cpuSeconds: number;
  /** The largest resident size of any one of them. */
  readonly peakMegabytes: number;
}

export interface Command {
  readonly program: string;
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** The shell's own `time` does not tell memory; GNU time does. */
const time = '/usr/bin/time';
const format = '%e %U %S %M';

/** Whether commands can be measured on this machine. */
export function canMeasure(): boolean {
  try {
    execFileSync(time, ['-f', format, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @throws Error when the command ends with anything but 0 */
export function measured({ program, words, env, folder }: Command): Promise<Cost> {
  const place = mkdtempSync(join(tmpdir(), 'bench-time-'));
  const told = join(place, 'cost');
  return new Promise<Cost>((resolve, reject) => {
    const child = spawn(time, ['-f', format, '-o', told, program, ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
    child.on('close', (code) => {
      if (code === 0) resolve(costOf(readFileSync(told, 'utf8')));
      else reject(new Error(`${program} ${words.join(' ')} ended with ${code}: ${said}`));
    });
  }).finally(() => rmSync(place, { recursive: true, force: true }));
}

function costOf(text: string): Cost {
  const [seconds = 0, user = 0, system = 0, kilobytes = 0] = (text.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  return { seconds, cpuSeconds: user + system, peakMegabytes: kilobytes / 1024 };
}

/** Of several runs, each figure's middle one. */
export function medianCost(costs: readonly Cost[]): Cost {
  const median = (of: (cost: Cost) => number) => {
    const sorted = costs.map(of).sort((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    seconds: median((cost) => cost.seconds),
    cpuSeconds: median((cost) => cost.cpuSeconds),
    peakMegabytes: median((cost) => cost.peakMegabytes),
  };
}
