/**
 * Starts the page: its worker, its server, and the browser. The code that opens it is in a file that only its owner can
 * read, and in no process list.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeLock } from '../disk/locked-file.ts';
import { ownerOnly } from '../disk/new-file.ts';
import { errorOf } from '../messages/text.ts';
import { pageFolder, tidyPageFolder } from './page-folder.ts';
import { startPageServer } from './server.ts';
import { keyOfProfile, type PageFlags } from './services.ts';
import { PageWorker } from './worker-client.ts';

/** In a build, this file is in a bundle next to the worker's, and the client has its own folder. */
const built = import.meta.url.endsWith('.ts')
  ? new URL('../../dist/cli/', import.meta.url)
  : new URL('./', import.meta.url);

/** @throws DealsheetError `usage` when a page with the same ledger is open already; the browser goes there */
export async function openPage(flags: PageFlags, profile: string | null, file: string | null) {
  const folder = pageFolder(flags);
  const release = takeTurn(folder);
  tidyPageFolder(folder);
  const service = profile === null ? null : keyOfProfile(profile);
  const room = new PageWorker(new URL('page-worker.js', built), { flags, service });
  const clientFolder = fileURLToPath(new URL('../page', built));
  const server = await startPageServer({ room, clientFolder, uploads: folder });
  writeFileSync(addressIn(folder), server.url, { mode: ownerOnly });
  const door = makeDoor(server.url, server.session.code);
  // The page shows the error if the file cannot be read.
  if (file !== null) room.open(file).catch(() => {});
  openInBrowser(door.path);
  return {
    /** The file that redirects a browser to the page. Closing the page deletes it. */
    door: door.path,
    /** The address at which a closed tab can be opened again. */
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

/** Two pages with one ledger would each show outdated data. */
function takeTurn(folder: string): () => void {
  const address = addressIn(folder);
  const lock = takeLock(join(folder, 'open.lock'));
  if (lock !== null) {
    rmSync(address, { force: true });
    return () => lock.release();
  }
  const url = existsSync(address) ? readFileSync(address, 'utf8') : null;
  if (url !== null) openInBrowser(url);
  throw errorOf('page-open-already', { url });
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

/** Errors are ignored, because the command prints the file's path anyway. */
function openInBrowser(place: string): void {
  const { BROWSER: chosen = '' } = process.env;
  const [program = 'xdg-open', ...words] = chosen === '' ? (openers[process.platform] ?? []) : [chosen];
  const child = spawn(program, [...words, place], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
