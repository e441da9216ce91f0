/** Undoes the encoding of an answer. Identity is asked for, but a server may encode all the same. */
import type { Transform } from 'node:stream';
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';

/** One way of undoing a layer: for bytes at hand, and for those that come in pieces. */
export interface Unpacking {
  readonly atOnce: (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;
  readonly inPieces: () => Transform;
}

const gzip: Unpacking = { atOnce: gunzipSync, inPieces: createGunzip };
const brotli: Unpacking = { atOnce: brotliDecompressSync, inPieces: createBrotliDecompress };
const zlib: Unpacking = { atOnce: inflateSync, inPieces: createInflate };
const bareDeflate: Unpacking = { atOnce: inflateRawSync, inPieces: createInflateRaw };

/** How a layer is undone, by the first byte of what is packed in it. */
const unpackings: Readonly<Record<string, (firstByte: number) => Unpacking>> = {
  gzip: () => gzip,
  'x-gzip': () => gzip,
  br: () => brotli,
  // Some servers send the bare stream under this name, without the zlib header that it stands for.
  deflate: (firstByte) => ((firstByte & methodBits) === deflateMethod ? zlib : bareDeflate),
};
/** In the first byte of the zlib header. */
const methodBits = 0x0f;
const deflateMethod = 8;

/** More layers of encoding than this are nobody's honest answer. */
const mostLayers = 2;

/**
 * @param encoding  the value of a Content-Encoding header
 * @returns how its layers are undone, the outermost first; none for a body as it is, `null` for an encoding that is not known
 */
export function layersOf(encoding: string): readonly ((firstByte: number) => Unpacking)[] | null {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const layers = names.reverse().flatMap((name) => unpackings[name] ?? []);
  return names.length > mostLayers || layers.length < names.length ? null : layers;
}

/** @param limit  the most bytes after each step, so that a bomb stays small */
export function unpacked(bytes: Buffer, encoding: string, limit: number): Buffer | 'too-long' | 'broken' {
  const layers = layersOf(encoding);
  if (layers === null) return 'broken';
  // A server may name an encoding also where there is nothing to encode.
  if (bytes.length === 0) return bytes;
  let plain = bytes;
  try {
    for (const layer of layers) plain = layer(plain[0] ?? 0).atOnce(plain, { maxOutputLength: limit });
  } catch (error) {
    return error instanceof RangeError ? 'too-long' : 'broken';
  }
  return plain;
}
