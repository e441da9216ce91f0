/**
 * Starts the page: its thread, its server, and the browser that shows it. Its one rule: the code that opens it stands in a file
 * that only its owner can read, and in no list of processes.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileLock } from '../disk/locked-file.ts';
import { usageError } from '../errors.ts';
import { ownerOnly } from '../file-modes.ts';
import { pageFolder, tidyPageFolder } from './page-folder.ts';
import { startPageServer } from './server.ts';
import { keyOfProfile, type PageFlags } from './services.ts';
import { Workroom } from './workroom.ts';

export interface PageOptions {
  readonly flags: PageFlags;
  readonly profile: string | null;
  readonly file: string | null;
}

export interface OpenPage {
  /** The file that leads a browser to the page; it goes with the page. */
  readonly door: string;
  /** Where a tab that was closed finds the page again. */
  readonly url: string;
  close(): Promise<void>;
}

/** Compiled, this file is part of a bundle beside that of the thread; the client has a folder of its own. */
const built = import.meta.url.endsWith('.ts')
  ? new URL('../../dist/cli/', import.meta.url)
  : new URL('./', import.meta.url);

/** @throws DealsheetError `usage` where a page with the same ledger is open already; the browser is led to it */
export async function openPage({ flags, profile, file }: PageOptions): Promise<OpenPage> {
  const folder = pageFolder(flags);
  const release = takeTurn(folder);
  tidyPageFolder(folder);
  const service = profile === null ? null : keyOfProfile(profile);
  const room = new Workroom(new URL('page-worker.js', built), { flags, service });
  const clientFolder = fileURLToPath(new URL('../page', built));
  const server = await startPageServer({ room, clientFolder, uploads: folder });
  writeFileSync(addressIn(folder), server.url, { mode: ownerOnly });
  const door = makeDoor(server.url, server.session.code);
  // What cannot be read is told on the page.
  if (file !== null) room.open(file).catch(() => {});
  openInBrowser(door.path);
  return {
    door: door.path,
    url: server.url,
    async close() {
      await room.close();
      await server.close();
      rmSync(door.folder, { recursive: true, force: true });
      release();
    },
  };
}

const addressIn = (folder: string) => join(folder, 'open.url');

/** Two pages with one ledger would each show what the other has changed since. */
function takeTurn(folder: string): () => void {
  const address = addressIn(folder);
  const lock = FileLock.take(join(folder, 'open.lock'));
  if (lock !== null) {
    rmSync(address, { force: true });
    return () => lock.release();
  }
  const url = existsSync(address) ? readFileSync(address, 'utf8') : null;
  if (url !== null) openInBrowser(url);
  throw usageError(
    `The page is open already${url === null ? '' : `, at ${url}`}.`,
    'Go on there. If no tab shows it, press Ctrl-C where it was started, and run this command again.',
  );
}

function makeDoor(url: string, code: string): { readonly folder: string; readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'dealsheet-page-'));
  const path = join(folder, 'dealsheet.html');
  const html = `<!doctype html>
<meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Dealsheet</title>
<meta http-equiv="refresh" content="0; url=${url}/#${code}">
`;
  writeFileSync(path, html, { mode: ownerOnly, flag: 'wx' });
  return { folder, path };
}

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** A browser that cannot be started is not told: the command names the file in any case. */
function openInBrowser(place: string): void {
  const { BROWSER: chosen = '' } = process.env;
  const [program = 'xdg-open', ...words] = chosen === '' ? (openers[process.platform] ?? []) : [chosen];
  const child = spawn(program, [...words, place], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
