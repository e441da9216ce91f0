/** The files that attachment rows name: visible, below one folder, regular, not empty, and none of ours. Anything else is refused. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  read,
  readdirSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { basename, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { isSameFile } from '../disk/free-name.ts';
import { isOfLedger } from '../ledger/ledger-key.ts';
import { isAddress } from '../mapping/reading.ts';
import { checkMessage } from '../messages/checks.ts';
import type { Message } from '../messages/message.ts';
import { memoryOfResults } from './source/source-copy.ts';
import type { NamedFile } from './staged-row.ts';

export interface AttachmentPlace {
  readonly folder: string;
  readonly privatePaths: readonly string[];
  /** The folder of private copies, which also knows the results that were written. */
  readonly sourcesFolder: string;
}

export interface AttachmentFile extends NamedFile {
  readonly digest: () => string;
  /** Reads the very file that was checked, from its beginning. May be called again for a retry. */
  open(): Readable;
  close(): void;
}

export type FoundFile =
  | { readonly ok: true; readonly file: AttachmentFile }
  | { readonly ok: false; readonly fault: Message };

/**
 * Opens the file that a cell names. It is opened once: what was checked is what is sent, also when the name points at
 * something else a moment later.
 */
export function openAttachment(place: AttachmentPlace, name: string): FoundFile {
  const { folder } = place;
  if (isAbsolute(name) || /^[A-Za-z]:/.test(name) || isAddress(name)) return refused(checkMessage('file-absolute'));
  const path = resolve(folder, name);
  if (!isBelow(resolve(folder), path)) return refused(checkMessage('file-outside'));
  if (sep === '/' && name.includes('\\') && !existsSync(path))
    return refused(checkMessage('file-backslash', { name: posix.normalize(name.replaceAll('\\', '/')) }));
  if (isHidden(resolve(folder), path)) return refused(checkMessage('file-hidden'));
  let descriptor: number | null = null;
  try {
    const real = realpathSync(asWritten(folder, path));
    const realFolder = realpathSync(folder);
    if (!isBelow(realFolder, real)) return refused(checkMessage('file-outside'));
    if (isHidden(realFolder, real)) return refused(checkMessage('file-hidden'));
    const isResults = existsSync(memoryOfResults(real, place.sourcesFolder));
    if (isResults || isOfLedger(real) || isPrivate(place, real)) return refused(checkMessage('file-own'));
    descriptor = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
    const found = fileBehind(descriptor, basename(path));
    if (!found.ok) closeSync(descriptor);
    return found;
  } catch (error) {
    if (descriptor !== null) closeSync(descriptor);
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return refused(checkMessage('file-missing', { folder }));
    return refused(checkMessage('file-unreadable', { error: code ?? String(error) }));
  }
}

const chunkSize = 65_536;

function refused(fault: Message): FoundFile {
  return { ok: false, fault };
}

function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '' && !inside.startsWith(`..${sep}`) && inside !== '..' && !isAbsolute(inside);
}

function isHidden(folder: string, path: string): boolean {
  return relative(folder, path)
    .split(sep)
    .some((part) => part.startsWith('.'));
}

function isPrivate({ privatePaths, sourcesFolder }: AttachmentPlace, real: string): boolean {
  return [sourcesFolder, ...privatePaths]
    .filter((path) => existsSync(path))
    .some((path) => isSameFile(path, real) || isBelow(realpathSync(path), real));
}

/** The path with each part as the disk has it: a name may stand there in another Unicode form than in the cell. */
function asWritten(folder: string, path: string): string {
  if (existsSync(path)) return path;
  return relative(folder, path)
    .split(sep)
    .reduce((above, part) => join(above, existsSync(join(above, part)) ? part : sameNameIn(above, part)), folder);
}

function sameNameIn(folder: string, name: string): string {
  const isSame = (entry: string) => entry.normalize('NFC') === name.normalize('NFC');
  return (existsSync(folder) ? readdirSync(folder) : []).find(isSame) ?? name;
}

function fileBehind(descriptor: number, name: string): FoundFile {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) return refused(checkMessage('file-irregular'));
  if (stats.size === 0) return refused(checkMessage('file-empty'));
  const closing = new AbortController();
  return {
    ok: true,
    file: {
      name,
      size: stats.size,
      digest: () => digestOfDescriptor(descriptor),
      open: () => Readable.from(chunksOf(descriptor, stats.size, closing.signal), { objectMode: false }),
      close: () => {
        closing.abort();
        closeSync(descriptor);
      },
    },
  };
}

const readAt = promisify(read);

/**
 * Reads by position, so that each request begins at the start, and no stream closes the file behind our back. Once it is closed,
 * nothing is read: the system may have given its number to another file.
 */
async function* chunksOf(descriptor: number, size: number, closing: AbortSignal): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    closing.throwIfAborted();
    const length = Math.min(chunkSize, size - position);
    const { bytesRead, buffer } = await readAt(descriptor, Buffer.allocUnsafe(length), 0, length, position);
    closing.throwIfAborted();
    if (bytesRead === 0) throw new Error('The file became shorter while it was sent.');
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function digestOfDescriptor(descriptor: number): string {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(chunkSize);
  for (let position = 0; ; ) {
    const count = readSync(descriptor, chunk, 0, chunkSize, position);
    if (count === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, count));
    position += count;
  }
}
