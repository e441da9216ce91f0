/**
 * A zip written entry by entry, in constant memory (PKWARE's APPNOTE 6.3.10, without its 64-bit form). A packer of ours over
 * node:zlib: the checksums that other packers make in JavaScript took a fifth of all the time of writing a workbook.
 */
import { once } from 'node:events';
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';
import { DealsheetError } from '../../errors.ts';

export interface ZipWriterOptions {
  /** 1 is fastest, 9 smallest. */
  readonly compression: number;
  /** Writes all of the bytes behind those before. */
  readonly write: (bytes: Buffer) => Promise<void>;
}

const chunkSize = 64 * 1024;
/** zlib's own measure, of 9: 2 % faster than the usual 8. */
const mostMemory = 9;
const versionNeeded = 20;
/** Bit 3: sizes and checksum follow the data; bit 11: names are UTF-8. */
const flags = 0x0808;
const deflateMethod = 8;
/** 2000-01-01 00:00, in the words of DOS: a zip made twice from the same content is the same. */
const dosTime = 0;
const dosDate = (20 << 9) | (1 << 5) | 1;
const largest = 0xffff_ffff;

// Of each record its signature, and its length without a name (APPNOTE 4.3.7, 4.3.9, 4.3.12 and 4.3.16).
const localHeaderSignature = 0x04034b50;
const localHeaderLength = 30;
const descriptorSignature = 0x08074b50;
const descriptorLength = 16;
const directoryHeaderSignature = 0x02014b50;
const directoryHeaderLength = 46;
const endSignature = 0x06054b50;
const endLength = 22;

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  checksum: number;
  size: number;
  packedSize: number;
}

/** One entry at a time: the next begins when the one before has ended. */
export class ZipWriter {
  readonly #options: ZipWriterOptions;
  readonly #entries: Entry[] = [];
  #length = 0;

  constructor(options: ZipWriterOptions) {
    this.#options = options;
  }

  /** Begins an entry whose content comes piece by piece. */
  async begin(name: string): Promise<ZipEntryWriter> {
    const entry: Entry = { name: Buffer.from(name, 'utf8'), offset: this.#length, checksum: 0, size: 0, packedSize: 0 };
    await this.#write(localHeader(entry));
    return new ZipEntryWriter(entry, this.#options.compression, {
      write: (bytes) => this.#write(bytes),
      ended: async () => {
        await this.#write(dataDescriptor(entry));
        this.#entries.push(entry);
      },
    });
  }

  /** @param texts  the content, piece by piece: some parts are too long to be one text */
  async add(name: string, texts: Iterable<string>): Promise<void> {
    const entry = await this.begin(name);
    let pending = '';
    for (const text of texts) {
      pending += text;
      if (pending.length < chunkSize) continue;
      await entry.write(Buffer.from(pending, 'utf8'));
      pending = '';
    }
    await entry.write(Buffer.from(pending, 'utf8'));
    await entry.end();
  }

  /** Writes the directory, without which the file is no zip. */
  async end(): Promise<void> {
    const offset = this.#length;
    for (const entry of this.#entries) await this.#write(directoryHeader(entry));
    await this.#write(endOfDirectory(this.#entries.length, this.#length - offset, offset));
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#length += bytes.length;
    if (this.#length > largest) throw tooLarge();
    await this.#options.write(bytes);
  }
}

interface EntryEvents {
  readonly write: (bytes: Buffer) => Promise<void>;
  readonly ended: () => Promise<void>;
}

export class ZipEntryWriter {
  readonly #entry: Entry;
  readonly #deflate: DeflateRaw;
  readonly #events: EntryEvents;
  readonly #packed: Promise<void>;

  constructor(entry: Entry, level: number, events: EntryEvents) {
    this.#entry = entry;
    this.#events = events;
    this.#deflate = createDeflateRaw({ level, chunkSize, memLevel: mostMemory });
    this.#packed = this.#pump();
    // Told by the next `write` or by `end`.
    this.#packed.catch(() => undefined);
  }

  /** Resolves when there is room for more. @throws whatever writing the file throws */
  async write(bytes: Buffer): Promise<void> {
    this.#entry.checksum = crc32(bytes, this.#entry.checksum);
    this.#entry.size += bytes.length;
    if (this.#entry.size > largest) throw tooLarge();
    if (!this.#deflate.write(bytes)) await Promise.race([once(this.#deflate, 'drain'), this.#packed]);
  }

  async end(): Promise<void> {
    this.#deflate.end();
    await this.#packed;
    await this.#events.ended();
  }

  async #pump(): Promise<void> {
    for await (const chunk of this.#deflate) {
      this.#entry.packedSize += (chunk as Buffer).length;
      await this.#events.write(chunk as Buffer);
    }
  }
}

function localHeader({ name }: Entry): Buffer {
  const header = Buffer.alloc(localHeaderLength);
  header.writeUInt32LE(localHeaderSignature, 0);
  writeCommon(header, 4);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

/** Version, flags, method, time and date stand in both headers in one order. */
function writeCommon(header: Buffer, at: number): void {
  header.writeUInt16LE(versionNeeded, at);
  header.writeUInt16LE(flags, at + 2);
  header.writeUInt16LE(deflateMethod, at + 4);
  header.writeUInt16LE(dosTime, at + 6);
  header.writeUInt16LE(dosDate, at + 8);
}

function dataDescriptor(entry: Entry): Buffer {
  const descriptor = Buffer.alloc(descriptorLength);
  descriptor.writeUInt32LE(descriptorSignature, 0);
  writeSizes(descriptor, 4, entry);
  return descriptor;
}

function writeSizes(header: Buffer, at: number, { checksum, packedSize, size }: Entry): void {
  header.writeUInt32LE(checksum, at);
  header.writeUInt32LE(packedSize, at + 4);
  header.writeUInt32LE(size, at + 8);
}

function directoryHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(directoryHeaderLength);
  header.writeUInt32LE(directoryHeaderSignature, 0);
  header.writeUInt16LE(versionNeeded, 4);
  writeCommon(header, 6);
  writeSizes(header, 16, entry);
  header.writeUInt16LE(entry.name.length, 28);
  header.writeUInt32LE(entry.offset, 42);
  return Buffer.concat([header, entry.name]);
}

function endOfDirectory(entries: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(endLength);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

function tooLarge(): DealsheetError {
  return new DealsheetError(
    'output-failed',
    'A workbook has room for 4 GB of rows, and these are more.',
    'Write to a .csv file.',
  );
}
