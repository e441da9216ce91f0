/**
 * Opens the file that a person names, and reads files piece by piece into one buffer. A stream leaves as many bytes to the garbage
 * collector as the file has.
 */
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { errorOf } from '../messages/text.ts';

const lineBreaks = /[\n\r]+/;

/**
 * @throws DealsheetError `unreadable-source` when the file is missing, is not a regular file, or has a line break in
 *     its name, because messages and Run cells contain the name
 */
export async function needFile(path: string): Promise<Stats> {
  if (lineBreaks.test(path)) throw errorOf('line-break-in-name', { path: path.split(lineBreaks).join('\uFFFD') });
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw notRead(path, cause);
  });
  if (found.isDirectory()) throw errorOf('file-is-folder', { path });
  if (!found.isFile()) throw errorOf('file-is-device', { path });
  return found;
}

/** @throws DealsheetError `unreadable-source` like {@link needFile}, and when the file may not be read */
export async function openNeeded(path: string): Promise<FileHandle> {
  await needFile(path);
  return open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw notRead(path, cause);
  });
}

function notRead(path: string, cause: NodeJS.ErrnoException): Error {
  const { code = '' } = cause;
  return code === 'ENOENT'
    ? errorOf('file-not-found', { path }, cause)
    : errorOf('file-not-read', { path, code }, cause);
}

/** What is made from larger pieces survives the first garbage collection, which costs a third more. */
const pieceBytes = 65_536;

/**
 * @param from  the first byte, counted from 0
 * @returns pieces that are valid until the next one is asked for: they share a buffer
 * @throws the system error for a file that cannot be read
 */
export async function* filePieces(path: string, from = 0): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    const place = Buffer.allocUnsafeSlow(pieceBytes);
    if (from > 0) await file.read(place, 0, from, null);
    for (;;) {
      const { bytesRead } = await file.read(place, 0, pieceBytes, null);
      if (bytesRead === 0) return;
      yield place.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** The first line, or its first 64 KiB. */
export async function firstLineOf(path: string): Promise<string> {
  for await (const piece of filePieces(path)) return piece.toString('utf8').split('\n')[0] ?? '';
  return '';
}
