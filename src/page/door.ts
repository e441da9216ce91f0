/**
 * Opens the page in the person's browser. Its one rule: the code stands in a file that only its owner can read, and in no list of
 * processes.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerOnly } from '../file-modes.ts';

/** A file that leads a browser to the page. */
export interface Door {
  readonly path: string;
  close(): void;
}

export function makeDoor(url: string, code: string): Door {
  const folder = mkdtempSync(join(tmpdir(), 'dealsheet-page-'));
  const path = join(folder, 'dealsheet.html');
  const html = `<!doctype html>
<meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Dealsheet</title>
<meta http-equiv="refresh" content="0; url=${url}/#${code}">
`;
  writeFileSync(path, html, { mode: ownerOnly, flag: 'wx' });
  return { path, close: () => rmSync(folder, { recursive: true, force: true }) };
}

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Whether a browser could be started is for the person to see: the file is named all the same. */
export function openInBrowser({ path }: Door): void {
  const { BROWSER: chosen = '' } = process.env;
  const [program = 'xdg-open', ...words] = chosen === '' ? (openers[process.platform] ?? []) : [chosen];
  const child = spawn(program, [...words, path], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
