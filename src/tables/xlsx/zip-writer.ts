/** Writes a zip entry by entry (APPNOTE 6.3.10). Packers in JavaScript spent a fifth of the time on checksums alone. */
import { once } from 'node:events';
import { crc32, createDeflateRaw } from 'node:zlib';
import { textWriter } from '../../disk/temporary-file.ts';
import { errorOf } from '../../messages/text.ts';

const chunkSize = 64 * 1024;
/** The memory level of zlib: 2 % faster than the default of 8. */
const mostMemory = 9;
const largest = 0xffff_ffff;

/** A field of a record (APPNOTE 4.3.7, 4.3.9, 4.3.12 and 4.3.16). */
type Field = readonly [bytes: 2 | 4, value: number];

const zero: Field = [2, 0];
/** Bit 3: sizes and checksum follow the data. Bit 11: names are UTF-8. */
const flags = 0x0808;
const deflateMethod = 8;
/** 2000-01-01 00:00 in DOS format, so that equal content makes an equal zip. */
const dosDate = (20 << 9) | (1 << 5) | 1;
/** Version, flags, method, time and date, in the order of both headers. */
const common: readonly Field[] = [[2, 20], [2, flags], [2, deflateMethod], zero, [2, dosDate]];

function record(signature: number, fields: readonly Field[], name: Buffer = Buffer.alloc(0)): Buffer {
  const all: readonly Field[] = [[4, signature], ...fields];
  const bytes = Buffer.alloc(all.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, value] of all) at = bytes.writeUIntLE(value, at, length);
  return Buffer.concat([bytes, name]);
}

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  checksum: number;
  size: number;
  packedSize: number;
}

function sizesOf({ checksum, packedSize, size }: Entry): readonly Field[] {
  return [checksum, packedSize, size].map((value): Field => [4, value]);
}

export interface ZipEntryWriter {
  write(bytes: Buffer): Promise<void>;
  end(): Promise<void>;
}

/** Writes one entry at a time: end an entry before the next begins. */
export class ZipWriter {
  readonly #level: number;
  readonly #writeFile: (bytes: Buffer) => Promise<void>;
  readonly #entries: Entry[] = [];
  #length = 0;

  constructor(level: number, write: (bytes: Buffer) => Promise<void>) {
    this.#level = level;
    this.#writeFile = write;
  }

  async begin(name: string): Promise<ZipEntryWriter> {
    const entry: Entry = { name: Buffer.from(name, 'utf8'), offset: this.#length, checksum: 0, size: 0, packedSize: 0 };
    await this.#write(record(0x04034b50, [...common, ...sizesOf(entry), [2, entry.name.length], zero], entry.name));
    const deflate = createDeflateRaw({ level: this.#level, chunkSize, memLevel: mostMemory });
    const pump = async () => {
      for await (const chunk of deflate) {
        entry.packedSize += (chunk as Buffer).length;
        await this.#write(chunk as Buffer);
      }
    };
    const packed = pump();
    // The next `write` or `end` throws the error.
    packed.catch(() => undefined);
    return {
      write: async (bytes) => {
        entry.checksum = crc32(bytes, entry.checksum);
        entry.size += bytes.length;
        if (entry.size > largest) throw errorOf('workbook-too-large');
        if (!deflate.write(bytes)) await Promise.race([once(deflate, 'drain'), packed]);
      },
      end: async () => {
        deflate.end();
        await packed;
        await this.#write(record(0x08074b50, sizesOf(entry)));
        this.#entries.push(entry);
      },
    };
  }

  /** @param texts the content in pieces, because some parts are too long for one string */
  async add(name: string, texts: Iterable<string>): Promise<void> {
    const entry = await this.begin(name);
    const writer = textWriter(entry.write);
    for (const text of texts) await writer.add(text);
    await writer.end();
    await entry.end();
  }

  async end(): Promise<void> {
    const start = this.#length;
    for (const entry of this.#entries) {
      // No extra field, comment, disk or attributes.
      const rest: readonly Field[] = [[2, entry.name.length], zero, zero, zero, zero, [4, 0], [4, entry.offset]];
      await this.#write(record(0x02014b50, [[2, 20], ...common, ...sizesOf(entry), ...rest], entry.name));
    }
    const count: Field = [2, this.#entries.length];
    await this.#write(record(0x06054b50, [zero, zero, count, count, [4, this.#length - start], [4, start], zero]));
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#length += bytes.length;
    if (this.#length > largest) throw errorOf('workbook-too-large');
    await this.#writeFile(bytes);
  }
}
