/** A place for the body of an answer that may be larger than memory. */

export interface BodyKeeper {
  /** A body begins: what was kept of an earlier try is dropped. */
  begin(): void;
  /** Keeps the next bytes, as they came, still encoded. A fault of the place is remembered as {@link failure}. */
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

/** What is seen of a kept body without reading it. */
export interface KeptEdges {
  readonly beginning: Buffer;
  readonly end: Buffer;
  /** Whether the beginning is all that there is. */
  readonly isWhole: boolean;
}

const edgeLength = 512;

/** Hands a body on to its keeper and remembers its edges. */
export class KeptBody {
  readonly #keeper: BodyKeeper;
  #beginning = Buffer.alloc(0);
  #end = Buffer.alloc(0);

  constructor(keeper: BodyKeeper) {
    this.#keeper = keeper;
    keeper.begin();
  }

  /** @returns whether the keeper has taken the bytes */
  add(chunk: Buffer): boolean {
    if (this.#beginning.length < edgeLength) {
      this.#beginning = Buffer.concat([this.#beginning, chunk.subarray(0, edgeLength - this.#beginning.length)]);
    }
    this.#end = Buffer.from(Buffer.concat([this.#end, chunk.subarray(-edgeLength)]).subarray(-edgeLength));
    this.#keeper.add(chunk);
    return this.#keeper.failure === null;
  }

  get edges(): KeptEdges {
    return { beginning: this.#beginning, end: this.#end, isWhole: this.#beginning.length < edgeLength };
  }
}
