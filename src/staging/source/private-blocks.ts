/**
 * A private file of texts, written one behind the other and read in that order, that goes with its process.
 * Its one rule: it takes a small part of a disk's room and no more, for a ledger may lie on the same one. What it gives is
 * what was written, or nothing.
 */
import { appendFileSync, closeSync, ftruncateSync, openSync, readSync, statfsSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { DealsheetError } from '../../errors.ts';
import { ownerOnly } from '../../file-modes.ts';
import { changedCopy } from './changed-copy.ts';
import { LockedCopy } from './locked-copy.ts';

const shareOfRoom = 0.1;

interface Block {
  /** In bytes. */
  readonly length: number;
  readonly checksum: number;
}

export class PrivateBlocks {
  readonly #copy: LockedCopy;
  readonly #file: number;
  readonly #room: number;
  readonly #blocks: Block[] = [];
  #size = 0;
  #isClosed = false;

  /** @throws Error of the file system when the folder takes no file */
  constructor(folder: string) {
    this.#room = roomIn(folder) * shareOfRoom;
    this.#copy = LockedCopy.begin(folder);
    try {
      this.#file = openSync(this.#copy.path, 'wx+', ownerOnly);
    } catch (error) {
      void this.#copy.remove();
      throw error;
    }
  }

  /**
   * @returns `false` when there is no room for it
   * @throws Error of the file system
   */
  append(text: string): boolean {
    const bytes = Buffer.from(text);
    if (this.#size + bytes.length > this.#room) return false;
    appendFileSync(this.#file, bytes);
    this.#size += bytes.length;
    this.#blocks.push({ length: bytes.length, checksum: crc32(bytes) });
    return true;
  }

  /** @throws DealsheetError `copy-changed` when the file does not hold what was written; Error of the file system */
  *texts(): Generator<string> {
    let place = 0;
    for (const block of this.#blocks) {
      yield this.#textAt(place, block);
      place += block.length;
    }
  }

  #textAt(place: number, { length, checksum }: Block): string {
    // The system may have given the number of the file to another one by then.
    if (this.#isClosed) throw this.#changed('it is closed');
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const count = readSync(this.#file, bytes, done, length - done, place + done);
      if (count === 0) throw this.#changed(`it ends at byte ${place + done}`);
      done += count;
    }
    if (crc32(bytes) !== checksum) throw this.#changed(`the bytes from ${place} on are others`);
    return bytes.toString();
  }

  #changed(how: string): DealsheetError {
    return changedCopy(`The private copy of the checked rows, ${this.#copy.path},`, new Error(how));
  }

  /** Gives the room back at once, also where an open file cannot be removed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    try {
      ftruncateSync(this.#file, 0);
    } finally {
      closeSync(this.#file);
      await this.#copy.remove();
    }
  }
}

function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
