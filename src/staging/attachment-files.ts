/** Opens the files that attachment rows name: visible, regular, non-empty, below one folder, and not Dealsheet's own. */
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
import { isSameFile } from '../disk/new-file.ts';
import { isOfLedger } from '../ledger/ledger-key.ts';
import { isAddress } from '../mapping/reading.ts';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import { memoryOfResults } from './source/source-copy.ts';
import type { NamedFile } from './staged-row.ts';

export interface AttachmentPlace {
  readonly folder: string;
  readonly privatePaths: readonly string[];
  /** Folder of the private source copies. It also records which results files were written. */
  readonly sourcesFolder: string;
}

export interface AttachmentFile extends NamedFile {
  readonly digest: string;
  /** Reads the checked file from its start. A retry calls it again. */
  open(): Readable;
  close(): void;
}

export type FoundFile =
  | { readonly ok: true; readonly file: AttachmentFile }
  | { readonly ok: false; readonly fault: Message };

/** Opens the file that a cell names, once: the bytes checked are the bytes sent, even if the path changes. */
export function openAttachment(place: AttachmentPlace, name: string): FoundFile {
  const { folder } = place;
  if (isAbsolute(name) || /^[A-Za-z]:/.test(name) || isAddress(name)) return refused(messageOf('file-absolute'));
  const path = resolve(folder, name);
  if (!isBelow(resolve(folder), path)) return refused(messageOf('file-outside'));
  if (sep === '/' && name.includes('\\') && !existsSync(path))
    return refused(messageOf('file-backslash', { name: posix.normalize(name.replaceAll('\\', '/')) }));
  if (isHidden(resolve(folder), path)) return refused(messageOf('file-hidden'));
  let descriptor: number | null = null;
  try {
    const real = realpathSync(asWritten(folder, path));
    const realFolder = realpathSync(folder);
    if (!isBelow(realFolder, real)) return refused(messageOf('file-outside'));
    if (isHidden(realFolder, real)) return refused(messageOf('file-hidden'));
    const isResults = existsSync(memoryOfResults(real, place.sourcesFolder));
    if (isResults || isOfLedger(real) || isPrivate(place, real)) return refused(messageOf('file-own'));
    descriptor = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
    const found = fileBehind(descriptor, basename(path));
    if (!found.ok) closeSync(descriptor);
    return found;
  } catch (error) {
    if (descriptor !== null) closeSync(descriptor);
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return refused(messageOf('file-missing', { folder }));
    return refused(messageOf('file-unreadable', { error: code ?? String(error) }));
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
  const paths = [sourcesFolder, ...privatePaths].filter((path) => existsSync(path));
  return paths.some((path) => isSameFile(path, real) || isBelow(realpathSync(path), real));
}

/** Resolves each part of the path to its name on disk, which may be in another Unicode form than the cell. */
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
  if (!stats.isFile()) return refused(messageOf('file-irregular'));
  if (stats.size === 0) return refused(messageOf('file-empty'));
  const closing = new AbortController();
  const digest = digestOfDescriptor(descriptor);
  return {
    ok: true,
    file: {
      name,
      size: stats.size,
      digest,
      open: () => Readable.from(chunksOf(descriptor, stats.size, digest, closing.signal), { objectMode: false }),
      close: () => {
        closing.abort();
        closeSync(descriptor);
      },
    },
  };
}

const readAt = promisify(read);

/** Reads by position, so each request starts at byte 0. Leaves out the end of a file that has changed: no record is made of it. */
async function* chunksOf(descriptor: number, size: number, digest: string, closing: AbortSignal) {
  const hash = createHash('sha256');
  for (let position = 0; position < size; ) {
    closing.throwIfAborted();
    const length = Math.min(chunkSize, size - position);
    const { bytesRead, buffer } = await readAt(descriptor, Buffer.allocUnsafe(length), 0, length, position);
    closing.throwIfAborted();
    position += bytesRead;
    hash.update(buffer.subarray(0, bytesRead));
    if (bytesRead === 0 || (position === size && hash.digest('hex') !== digest))
      throw Object.assign(new Error('The file changed while it was sent.'), { code: 'FILE_CHANGED' });
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
