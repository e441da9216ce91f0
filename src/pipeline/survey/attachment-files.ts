/** The files that attachment rows name: below one folder, regular, not empty. Anything else is refused. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, read, readSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { isOfLedger } from '../../ledger/ledger-files.ts';

export interface AttachmentFile {
  readonly name: string;
  readonly size: number;
  /** SHA-256, in hexadecimal. */
  readonly digest: () => string;
  /** Reads the very file that was checked, from its beginning. May be called again for a retry. */
  open(): Readable;
  close(): void;
}

export type FoundFile =
  | { readonly ok: true; readonly file: AttachmentFile }
  | { readonly ok: false; readonly fault: string };

/**
 * Opens the file that a cell names. It is opened once: what was checked is what is sent, also when the name points at
 * something else a moment later.
 *
 * @returns the file, or the rest of a sentence that begins with the field and its value
 */
export function openAttachment(folder: string, name: string): FoundFile {
  if (isAbsolute(name) || /^[A-Za-z]:/.test(name))
    return refused('is an absolute path. Name a file below the folder of attachments.');
  const path = resolve(folder, name);
  if (!isBelow(resolve(folder), path)) return refused('leads out of the folder of attachments. Put the file below it.');
  let descriptor: number | null = null;
  try {
    const real = realpathSync(path);
    if (!isBelow(realpathSync(folder), real)) return refused('is a link that leads out of the folder of attachments.');
    if (isOfLedger(real)) return refused(ofLedger);
    descriptor = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
    const found = fileBehind(descriptor, basename(path));
    if (!found.ok) closeSync(descriptor);
    return found;
  } catch (error) {
    if (descriptor !== null) closeSync(descriptor);
    const code = (error as NodeJS.ErrnoException).code;
    const isNotThere = code === 'ENOENT' || code === 'ENOTDIR';
    if (isNotThere && sep === '/' && name.includes('\\'))
      return refused(`is not there: a slash stands between folder and file. Write ${name.replaceAll('\\', '/')}.`);
    if (isNotThere) return refused(`is not there: no such file in ${folder}.`);
    return refused(`cannot be read (${code ?? String(error)}).`);
  }
}

/** What is wrong with the file that a cell names, or `null`. */
export function attachmentFault(folder: string, name: string): string | null {
  const found = openAttachment(folder, name);
  if (!found.ok) return found.fault;
  found.file.close();
  return null;
}

/** A key of another program may have the name and the size of a ledger's. */
const ofLedger =
  'belongs to a ledger, or is named like the key of one, and those are not sent anywhere. Name another file, or give it another name.';

const chunkSize = 65_536;

function refused(fault: string): FoundFile {
  return { ok: false, fault };
}

function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '' && !inside.startsWith(`..${sep}`) && inside !== '..' && !isAbsolute(inside);
}

function fileBehind(descriptor: number, name: string): FoundFile {
  const stats = fstatSync(descriptor);
  if (stats.isDirectory()) return refused('is a folder, and a file is wanted.');
  if (!stats.isFile()) return refused('is not a regular file.');
  if (stats.size === 0) return refused('is an empty file.');
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
