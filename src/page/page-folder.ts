/** The page's private folder beside the ledger, for dropped files and downloads. */
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { folderOwnerOnly, ownerOnly } from '../disk/new-file.ts';
import { obstacleText } from '../messages/file-errors.ts';
import { errorOf } from '../messages/text.ts';
import { ledgerFiles } from '../settings/ledger-choice.ts';
import { type Correction, correctionSchema } from '../staging/source/corrections.ts';
import type { PageFlags } from './services.ts';

export function pageFolder(flags: PageFlags): string {
  const folder = `${ledgerFiles(flags)}.page`;
  mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
  return folder;
}

const uploadStem = 'file-';
const changesStem = 'changes-';
const passingStem = 'passing-';
/** Three months: by then, a dropped file and the changes in a file are no longer needed. */
const longestKeptMs = 92 * 24 * 3_600_000;

/** Removes what earlier pages left: downloads, and old dropped files and changes. */
export function tidyPageFolder(folder: string, now = Date.now()): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const isOfFile = name.startsWith(uploadStem) || name.startsWith(changesStem);
    const isOld = isOfFile && now - statSync(path).mtimeMs > longestKeptMs;
    if (isOld || name.startsWith(passingStem)) rmSync(path, { recursive: true, force: true });
  }
}

export function passingFolder(flags: PageFlags): string {
  return mkdtempSync(join(pageFolder(flags), passingStem));
}

/** What a person changed in a file with this digest, also in an earlier visit. What another version of the program wrote is dropped. */
export function keptChanges(folder: string, digest: string): readonly Correction[] {
  const path = changesAt(folder, digest);
  return existsSync(path)
    ? z
        .array(correctionSchema)
        .catch([])
        .parse(JSON.parse(readFileSync(path, 'utf8')))
    : [];
}

export function keepChanges(folder: string, digest: string, changes: readonly Correction[]): void {
  const path = changesAt(folder, digest);
  const passing = `${path}.new`;
  writeFileSync(passing, JSON.stringify(changes), { mode: ownerOnly, flush: true });
  renameSync(passing, path);
}

function changesAt(folder: string, digest: string): string {
  return join(folder, `${changesStem}${digest}.json`);
}

const longestName = 180;
const mostBytes = 2 ** 31;

/** @throws DealsheetError `usage` for a name that leaves the folder or hides the file */
export function fileNameIn(text: string): string {
  const name = text.normalize('NFC');
  const isPlain = name === basename(name) && !/[\\/:\u0000-\u001f]/.test(name) && !name.startsWith('.');
  if (isPlain && name !== '' && name.length <= longestName) return name;
  throw errorOf('page-file-name');
}

/**
 * @returns the path of the stored file
 * @throws DealsheetError `usage` for an invalid name; `unreadable-source` when it is too large or cannot be written
 */
export async function keepUpload(name: string, body: Readable, folder: string): Promise<string> {
  const own = mkdtempSync(join(folder, uploadStem));
  const path = join(own, fileNameIn(name));
  let bytes = 0;
  async function* counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > mostBytes) throw new Error('too large');
      yield piece;
    }
  }
  try {
    await pipeline(body, counted, createWriteStream(path, { mode: ownerOnly, flags: 'wx' }));
    return path;
  } catch (cause) {
    rmSync(own, { recursive: true, force: true });
    throw errorOf('page-file-not-stored', { obstacle: obstacleText(cause) }, cause);
  }
}
