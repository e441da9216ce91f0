/** A place for the body of an answer that may be larger than memory. */

export interface BodyKeeper {
  /** A body begins: what was kept of an earlier try is dropped. */
  begin(): void;
  /** Keeps the next bytes, decoded. A fault of the place is remembered as {@link failure}. */
  add(chunk: Buffer): void;
  /** Why the bytes could not be kept, or `null`. */
  readonly failure: Error | null;
}

/** Keeps a body that is small enough for memory. */
export class MemoryKeeper implements BodyKeeper {
  failure: Error | null = null;
  readonly #mostBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  begin(): void {
    this.#chunks = [];
    this.#length = 0;
  }

  add(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length <= this.#mostBytes) this.#chunks.push(chunk);
    else this.failure = new Error('The answer of the service is longer than that of a record may be.');
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
