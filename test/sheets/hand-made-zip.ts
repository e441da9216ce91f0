/** Zip files written byte by byte, for those that no honest program writes (APPNOTE 4.3). */
import { constants, crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  readonly name: string;
  readonly content: string | Buffer;
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

interface ZipOptions {
  readonly withoutDirectory?: boolean;
  /** Of zlib: how it looks for what repeats. */
  readonly strategy?: number;
}

export function handMadeZip(parts: readonly ZipPart[], options: ZipOptions = {}): Buffer {
  const { strategy = constants.Z_DEFAULT_STRATEGY } = options;
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  let count = 0;
  for (const part of parts) {
    const content = Buffer.from(part.content);
    const packed = deflateRawSync(content, { strategy });
    const facts = {
      flags: part.flags ?? 0,
      checksum: part.statedChecksum ?? crc32(content),
      packedSize: packed.length,
      size: part.statedSize ?? content.length,
    };
    for (const name of [part.name, ...(part.alsoAs ?? [])]) {
      directory.push(directoryHeader(name, facts, offset));
      count += 1;
    }
    const body = Buffer.concat([localHeader(part.name, facts), packed]);
    bodies.push(body);
    offset += body.length;
  }
  if (options.withoutDirectory === true) return Buffer.concat(bodies);
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, listing, end]);
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
