/**
 * A private copy of the source for one load: the rows checked are the rows sent and reported, even if the file is
 * edited meanwhile. Standard input becomes a file in the same way.
 */
import { createHash, hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { filePieces, needFile } from '../../disk/file-pieces.ts';
import { beginLockedFile, type LockedFile, removeLeftFiles } from '../../disk/locked-file.ts';
import { folderOwnerOnly, ownerOnly, permissionBits } from '../../disk/new-file.ts';
import { type DealsheetError, isForRoom } from '../../errors.ts';
import { obstacleText } from '../../messages/file-errors.ts';
import { errorOf } from '../../messages/text.ts';

/** The path that means standard input. */
export const standardInput = '-';

export interface SourceCopy {
  /** The given path, made absolute; `-` for standard input. */
  readonly sourcePath: string;
  readonly sourceName: string;
  /** The folder of the source. Relative paths in file cells start there. */
  readonly sourceFolder: string;
  /** The file mode of the source. The copy has 0600. */
  readonly sourceMode: number;
  /** {@link stampAt} before the copy, or before its run goes on; `null` for standard input. */
  readonly stamp: string | null;
  /** The private folder of the copy. */
  readonly folder: string;
  /** The path of the copy. */
  readonly path: string;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
}

/**
 * Copies the source into a private folder, and removes the copies of processes that have ended. The copy stays locked while the
 * process lives.
 * @param folder created with mode 0700 if missing
 * @throws DealsheetError `unreadable-source` for a missing file, a folder, an empty standard input, or a full disk
 */
export async function copySource(file: string, folder: string, input: NodeJS.ReadableStream) {
  const isInput = file === standardInput;
  const sourcePath = isInput ? standardInput : resolve(file);
  const found = isInput ? null : await needFile(sourcePath);
  const copy = await lockedCopy(folder, sourcePath);
  const digest = await fill(copy, isInput ? input : filePieces(sourcePath), sourcePath);
  return {
    sourcePath,
    sourceName: isInput ? 'standard input' : basename(sourcePath),
    sourceFolder: isInput ? process.cwd() : dirname(sourcePath),
    sourceMode: found === null ? ownerOnly : found.mode & permissionBits,
    stamp: found === null ? null : stampOf(found),
    folder,
    path: copy.path,
    digest,
    lock: copy,
  };
}

/** A text that changes when the file is edited or replaced; `null` where there is none. */
export async function stampAt(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  return found === null ? null : stampOf(found);
}

function stampOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

export const copyName = { prefix: 'copy-', ending: '.source' };

export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of filePieces(path)) hash.update(piece);
  return hash.digest('hex');
}

/** The path of the record of a results file as it was written. @param place its path, without symbolic links */
export function memoryOfResults(place: string, folder: string): string {
  return join(folder, 'results', hash('sha256', place));
}

async function lockedCopy(folder: string, sourcePath: string): Promise<LockedFile> {
  try {
    await mkdir(folder, { recursive: true, mode: folderOwnerOnly });
    removeLeftFiles(folder, copyName);
    return beginLockedFile(folder, copyName);
  } catch (cause) {
    throw notCopied(cause, sourcePath, folder);
  }
}

async function fill(copy: LockedFile, from: AsyncIterable<string | Buffer>, sourcePath: string): Promise<string> {
  const hash = createHash('sha256');
  let isEmpty = true;
  try {
    const to = await open(copy.path, 'wx', ownerOnly);
    try {
      for await (const piece of from) {
        isEmpty = false;
        hash.update(piece);
        await to.writeFile(piece);
      }
    } finally {
      await to.close();
    }
  } catch (cause) {
    copy.remove();
    if (isForRoom(cause)) throw notCopied(cause, sourcePath, dirname(copy.path));
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw errorOf('file-not-read', { path: sourcePath, code }, cause);
  }
  if (isEmpty && sourcePath === standardInput) {
    copy.remove();
    // A failing command before the pipe leaves it empty.
    throw errorOf('source-without-input');
  }
  return hash.digest('hex');
}

function notCopied(cause: unknown, sourcePath: string, folder: string): DealsheetError {
  return errorOf('source-not-copied', { path: sourcePath, folder, obstacle: obstacleText(cause) }, cause);
}
