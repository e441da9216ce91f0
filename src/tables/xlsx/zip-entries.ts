/** Reads zip entries. Names and sizes are checked before use; size and checksum on each read. */
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';
import yauzl from 'yauzl';
import { openNeeded } from '../../disk/file-pieces.ts';
import { isDealsheetError } from '../../errors.ts';
import { errorOf } from '../../messages/text.ts';
import { characterSetOf } from './xml-text.ts';

/** Far above the spreadsheet of a month, and far below what fills a disk or memory. */
const mostEntries = 10_000;
const largestTotal = 8 * 1024 ** 3;
/** Deflate packs real sheets to about a twentieth. Only a zip bomb exceeds this ratio. */
const largestRatio = 400;
const smallEnough = 8 * 1024 ** 2;
const encryptedFlag = 1;

export interface ZipEntries {
  /** Whether there is a part of this name, ignoring case (ECMA-376, Part 2, 6.3.5). */
  has(name: string): boolean;
  readonly names: ReadonlySet<string>;
  /** The most that an archive of this size can unpack to. */
  readonly mostUnpacked: number;
  /** The bytes of an entry. @throws DealsheetError `unreadable-source` when they do not match the directory */
  read(name: string): AsyncIterable<Buffer>;
  readText(name: string): Promise<string>;
  /** Reads the entries not yet read to their ends. @throws DealsheetError `unreadable-source` for damage in any */
  verify(): Promise<void>;
  /** Closes the file once no read is in progress. Later reads are refused. */
  close(): Promise<void>;
}

/**
 * Reads backslashes in names, which some Windows programs write, as slashes.
 * @throws DealsheetError `unreadable-source` for a damaged, encrypted or hostile archive
 */
export async function openZip(path: string): Promise<ZipEntries> {
  const file = await openNeeded(path);
  try {
    const entries = await entriesIn(file);
    const { size } = await file.stat();
    const verified = new Set<Entry>();
    const needed = (name: string): Entry => {
      const entry = entries.get(name.toLowerCase());
      if (entry === undefined) throw errorOf('part-unreadable', { part: name });
      return entry;
    };
    const read = async function* (entry: Entry): AsyncGenerator<Buffer> {
      yield* bytesOf(file, entry);
      verified.add(entry);
    };
    return {
      names: new Set([...entries.values()].map(({ fileName }) => fileName)),
      mostUnpacked: mostUnpacked(size),
      has: (name) => entries.has(name.toLowerCase()),
      read: (name) => read(needed(name)),
      readText: (name) => textOf(read, needed(name)),
      verify: async () => {
        for (const entry of entries.values()) {
          if (!verified.has(entry)) for await (const _ of read(entry));
        }
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The entries by lower-case name. yauzl reads only the directory and does not close the file. */
async function entriesIn(file: FileHandle): Promise<ReadonlyMap<string, Entry>> {
  const options = { lazyEntries: true, autoClose: false, strictFileNames: false };
  const zip = await yauzl.fromFdPromise(file.fd, options).catch((cause: unknown) => {
    throw errorOf('workbook-cut-off', {}, cause);
  });
  if (zip.entryCount > mostEntries) throw errorOf('workbook-with-many-parts', { count: zip.entryCount });
  const entries = new Map<string, Entry>();
  let total = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const folded = entry.fileName.toLowerCase();
      total += entry.uncompressedSize;
      if (entries.has(folded)) throw errorOf('part-unreadable', { part: entry.fileName });
      refuseStrange(entry);
      // Many small bombs make a large one, and a directory can list the same bytes under many names.
      if (total > largestTotal || total > mostUnpacked(zip.fileSize)) throw tooLarge(total);
      if (!entry.fileName.endsWith('/')) entries.set(folded, entry);
    }
  } catch (cause) {
    throw isDealsheetError(cause) ? cause : errorOf('workbook-cut-off', {}, cause);
  }
  return entries;
}

function mostUnpacked(packed: number): number {
  return Math.max(smallEnough, largestRatio * packed);
}

export function tooLarge(unpacked: number): Error {
  return errorOf('workbook-unpacks-too-large', { megabytes: Math.round(unpacked / 1024 ** 2) });
}

function refuseStrange({ fileName, compressionMethod, compressedSize, uncompressedSize, ...entry }: Entry): void {
  if ((entry.generalPurposeBitFlag & encryptedFlag) !== 0) throw errorOf('workbook-encrypted');
  if (uncompressedSize > mostUnpacked(compressedSize)) throw tooLarge(uncompressedSize);
  if (compressionMethod !== storedMethod && compressionMethod !== deflateMethod)
    throw errorOf('part-unreadable', { part: fileName });
}

const storedMethod = 0;
const deflateMethod = 8;
/** Larger than zlib's default of 16 KB: unpacking takes less than half the time. */
const unpackedChunk = 256 * 1024;
const packedChunk = 64 * 1024;
/** APPNOTE 4.3.7. The last two numbers are the lengths of the name and the extra field, which follow. */
const localHeaderSignature = 0x04034b50;
const localHeaderLength = 30;
const usualHeader = 1024;

/** The bytes of an entry. Checks their size and checksum. */
async function* bytesOf(file: FileHandle, entry: Entry): AsyncGenerator<Buffer> {
  let checksum = 0;
  let size = 0;
  try {
    for await (const chunk of unpacked(packedBytes(file, entry), entry)) {
      size += chunk.length;
      if (size > entry.uncompressedSize) break;
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (cause) {
    throw isDealsheetError(cause) ? cause : errorOf('part-unreadable', { part: entry.fileName }, cause);
  }
  if (size !== entry.uncompressedSize || checksum !== entry.crc32)
    throw errorOf('part-unreadable', { part: entry.fileName });
}

/** Reads by position, so that concurrent reads share only the file handle, which waits for them before it closes. */
async function* packedBytes(file: FileHandle, entry: Entry): AsyncGenerator<Buffer> {
  const place = entry.relativeOffsetOfLocalHeader;
  // Reads header and content at once, because a workbook can have thousands of small parts.
  const head = await pieceAt(file, place, Math.min(packedChunk, usualHeader + entry.compressedSize));
  if (head.length < localHeaderLength || head.readUInt32LE(0) !== localHeaderSignature)
    throw new Error('There is no part at its place.');
  const start = localHeaderLength + head.readUInt16LE(26) + head.readUInt16LE(28);
  const first = head.subarray(start, start + entry.compressedSize);
  yield first;
  for (let done = first.length; done < entry.compressedSize; ) {
    const piece = await pieceAt(file, place + start + done, Math.min(packedChunk, entry.compressedSize - done));
    done += piece.length;
    yield piece;
  }
}

async function pieceAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, from);
  if (bytesRead === 0) throw new Error('The file ends early.');
  return buffer.subarray(0, bytesRead);
}

function unpacked(packed: AsyncIterable<Buffer>, entry: Entry): AsyncIterable<Buffer> {
  // Some programs deflate an empty part to no bytes at all, which is not valid deflate data.
  if (entry.compressionMethod === storedMethod || entry.compressedSize === 0) return packed;
  if (entry.compressedSize <= packedChunk && entry.uncompressedSize <= unpackedChunk)
    return unpackedAtOnce(packed, entry.uncompressedSize);
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, Math.min(unpackedChunk, entry.uncompressedSize));
  // The stream passes errors of either side to the reader.
  return pipeline(packed, createInflateRaw({ chunkSize }), () => {});
}

/** For thousands of small sheets, a stream each would take several times as long as the unpacking itself. */
async function* unpackedAtOnce(packed: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of packed) pieces.push(piece);
  // One byte over the expected size is enough to detect a bomb.
  yield inflateRawSync(Buffer.concat(pieces), { maxOutputLength: size + 1 });
}

const largestText = 40 * 1024 ** 2;

async function textOf(read: (entry: Entry) => AsyncIterable<Buffer>, entry: Entry): Promise<string> {
  if (entry.uncompressedSize > largestText) throw tooLarge(entry.uncompressedSize);
  const chunks: Buffer[] = [];
  for await (const chunk of read(entry)) chunks.push(chunk);
  try {
    const bytes = Buffer.concat(chunks);
    return new TextDecoder(characterSetOf(bytes), { fatal: true }).decode(bytes);
  } catch (error) {
    throw errorOf('part-unreadable', { part: entry.fileName }, error);
  }
}
