/** The page as a person opens it: the command, the file that leads a browser to it, and what is spoken there. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { environmentOf, main, type Workplace } from '../builders/workplace.ts';

export interface Opened {
  /** `http://127.0.0.1:52113` */
  readonly url: string;
  readonly port: number;
  readonly code: string;
  /** The file that leads to it. */
  readonly door: string;
  readonly process: ChildProcess;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function openPage(place: Workplace, words: readonly string[] = [], env = {}): Promise<Opened> {
  const child = spawn(process.execPath, [main, 'open', ...words], {
    cwd: place.folder,
    // No browser is started: the test is one.
    env: environmentOf(place.folder, { BROWSER: 'true', ...env }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const door = await doorOf(child);
  const [, url = '', code = ''] = /url=(http:[^#]+)\/#([\w-]+)/.exec(readFileSync(door, 'utf8')) ?? [];
  return {
    ...{ url, code, door, process: child, port: Number(new URL(url).port) },
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Begins the session as the page does. */
export async function keyOf({ url, code }: Opened): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const { text } = await spoken(`${url}/api/session`, { method: 'POST', headers, body: JSON.stringify({ code }) });
  return JSON.parse(text).key;
}

async function doorOf(child: ChildProcess): Promise<string> {
  const lines: string[] = [];
  if (child.stderr === null) throw new Error('It says nothing.');
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    const [, door] = /open (\S+\.html) in it/.exec(line) ?? [];
    if (door === undefined) continue;
    child.stderr.resume();
    return door;
  }
  throw new Error(lines.join('\n'));
}

export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** One request with exactly these headers, which no browser would send. */
export function spoken(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Readonly<Record<string, string>>; body?: string | Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(pieces).toString() });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
