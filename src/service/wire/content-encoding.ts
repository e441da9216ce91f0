/** Undoes the encoding of an answer as it comes. Identity is asked for, but a server may encode all the same. */
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createInflateRaw, createUnzip } from 'node:zlib';
import type { Dispatcher } from 'undici';

/** Takes the pieces of a body. */
export interface Decoding {
  /** @returns whether more is wanted */
  take(chunk: Buffer): boolean;
  end(): void;
}

/** How a layer is undone, by the first byte of what is packed in it: some send bare deflate, without the zlib header. */
const unpackings: Readonly<Record<string, (firstByte: number) => Transform>> = {
  gzip: () => createUnzip(),
  'x-gzip': () => createUnzip(),
  br: () => createBrotliDecompress(),
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createUnzip() : createInflateRaw()),
};

/** More layers of encoding than this are nobody's honest answer. */
const mostLayers = 2;

/** @param plain  takes the decoded pieces; it is told to fail where the encoding is not known, or broken */
export function decodingOf(
  encoding: string,
  controller: Dispatcher.DispatchController,
  plain: Decoding & { fail(): false },
): Decoding {
  const names = encoding.toLowerCase().match(/[^,\s]+/g) ?? [];
  const layers = names.filter((name) => name !== 'identity').map((name) => unpackings[name]);
  let next: Decoding = plain;
  for (const layer of layers) {
    if (layer === undefined || layers.length > mostLayers) return { take: plain.fail, end: plain.end };
    next = unpacked(layer, next, controller, plain.fail);
  }
  return next;
}

/** A server may name an encoding also where there is nothing to encode: the stream is opened with the first piece. */
function unpacked(
  open: (firstByte: number) => Transform,
  next: Decoding,
  controller: Dispatcher.DispatchController,
  fail: () => false,
): Decoding {
  let stream: Transform | null = null;
  const opened = (firstByte: number): Transform => {
    const made = open(firstByte).once('end', next.end).on('error', fail);
    return made.on('data', (piece: Buffer) => next.take(piece) || made.destroy());
  };
  return {
    take(chunk) {
      stream ??= opened(chunk[0] ?? 0);
      if (stream.destroyed) return false;
      // Some pieces still come after the pause.
      if (!stream.write(chunk) && stream.listenerCount('drain') === 0) {
        controller.pause();
        stream.once('drain', () => controller.resume());
      }
      return true;
    },
    end: () => void (stream === null ? next.end() : stream.end()),
  };
}
