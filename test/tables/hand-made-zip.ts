/** Zip files written byte by byte, for those that no honest program writes (APPNOTE 4.3). */
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A piece that stands in a part many times: of what a large file takes to make, most was to deflate it each time. */
export interface Repeated {
  readonly before: string;
  readonly piece: string | Buffer;
  readonly times: number;
  readonly after: string;
}
export type Content = string | Buffer | Repeated;

export interface ZipPart {
  readonly name: string;
  readonly content: Content;
  /** Names under which the directory lists the same bytes once more. */
  readonly alsoAs?: readonly string[];
  /** Of the general purpose bits; 1 says that the part is encrypted. */
  readonly flags?: number;
  /** What the directory says instead of the truth. */
  readonly statedSize?: number;
  readonly statedChecksum?: number;
}

const localHeaderLength = 30;
const directoryHeaderLength = 46;

export function handMadeZip(parts: readonly ZipPart[], { withoutDirectory = false } = {}): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  let count = 0;
  for (const part of parts) {
    const { packed, checksum, size } = packedOf(part.content);
    const facts = {
      flags: part.flags ?? 0,
      checksum: part.statedChecksum ?? checksum,
      packedSize: packed.length,
      size: part.statedSize ?? size,
    };
    for (const name of [part.name, ...(part.alsoAs ?? [])]) {
      directory.push(directoryHeader(name, facts, offset));
      count += 1;
    }
    const body = Buffer.concat([localHeader(part.name, facts), packed]);
    bodies.push(body);
    offset += body.length;
  }
  if (withoutDirectory) return Buffer.concat(bodies);
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, listing, end]);
}

function packedOf(content: Content) {
  const isPlain = typeof content === 'string' || Buffer.isBuffer(content);
  const { times, ...texts } = isPlain ? { before: '', piece: '', times: 0, after: content } : content;
  const [before, piece, after] = [Buffer.from(texts.before), Buffer.from(texts.piece), Buffer.from(texts.after)];
  const repeated = (bytes: Buffer) => new Array<Buffer>(times).fill(bytes);
  // What is deflated up to a full flush can stand before anything else, and as often as one likes.
  const open = (bytes: Buffer) =>
    bytes.length === 0 ? bytes : deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH });
  return {
    packed: Buffer.concat([
      open(before),
      ...repeated(open(piece)),
      deflateRawSync(after, { level: constants.Z_BEST_SPEED }),
    ]),
    // Of no bytes at all, zlib tells 0 whatever came before.
    checksum: [before, ...repeated(piece), after].reduce(
      (sum, bytes) => (bytes.length === 0 ? sum : crc32(bytes, sum)),
      0,
    ),
    size: before.length + times * piece.length + after.length,
  };
}

interface Facts {
  readonly flags: number;
  readonly checksum: number;
  readonly packedSize: number;
  readonly size: number;
}

function localHeader(name: string, facts: Facts): Buffer {
  const header = Buffer.alloc(localHeaderLength);
  header.write('PK\u0003\u0004', 'latin1');
  header.writeUInt16LE(20, 4);
  writeFacts(header, 6, facts, name);
  return Buffer.concat([header, Buffer.from(name)]);
}

function directoryHeader(name: string, facts: Facts, offset: number): Buffer {
  const header = Buffer.alloc(directoryHeaderLength);
  header.write('PK\u0001\u0002', 'latin1');
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(20, 6);
  writeFacts(header, 8, facts, name);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, Buffer.from(name)]);
}

function writeFacts(header: Buffer, at: number, facts: Facts, name: string): void {
  const deflated = 8;
  header.writeUInt16LE(facts.flags, at);
  header.writeUInt16LE(deflated, at + 2);
  header.writeUInt32LE(facts.checksum, at + 8);
  header.writeUInt32LE(facts.packedSize, at + 12);
  header.writeUInt32LE(facts.size, at + 16);
  header.writeUInt16LE(Buffer.byteLength(name), at + 20);
}
