/** Runs the scripts of children/ in processes of their own, with the built project. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'children');

type Script = 'load' | 'hold' | 'fill' | 'checkpoint';

export function scriptPath(script: Script): string {
  return join(folder, `${script}.mjs`);
}

export interface Child {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly lines: readonly string[];
  /** Resolves with the n-th line of the child, or `null` when it ended before. */
  line(number: number): Promise<string | null>;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly errors: string;
  }>;
}

export function startChild(script: Script, words: readonly string[], env: Record<string, string> = {}): Child {
  const spawned = spawn(process.execPath, [scriptPath(script), ...words], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  const lines: string[] = [];
  const waiting = new Map<number, (line: string | null) => void>();
  let isOver = false;
  let errors = '';
  spawned.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  createInterface({ input: spawned.stdout })
    .on('line', (line) => {
      lines.push(line);
      waiting.get(lines.length)?.(line);
    })
    .on('close', () => {
      isOver = true;
      for (const resolve of waiting.values()) resolve(null);
    });
  const ended = new Promise<Awaited<Child['ended']>>((resolve) => {
    spawned.on('close', (code, signal) => resolve({ code, signal, errors }));
  });
  return {
    process: spawned,
    lines,
    ended,
    line: (number) => {
      const line = lines[number - 1];
      if (line !== undefined) return Promise.resolve(line);
      return isOver ? Promise.resolve(null) : new Promise((resolve) => waiting.set(number, resolve));
    },
  };
}
