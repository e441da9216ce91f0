/** Reads a file piece by piece into one buffer. A stream leaves as many bytes to the garbage collector as the file has. */
import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

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
export function firstLineOf(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(pieceBytes);
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, pieceBytes, 0));
    return text.split('\n')[0] ?? '';
  } finally {
    closeSync(descriptor);
  }
}
