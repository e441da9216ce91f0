/**
 * Gathers calls that come while the ledger is busy, so that they share a write; a few writes are under way at once.
 * Its one rule: two calls about the same row are never under way at the same time.
 */

/** The rows that a call is about, or what they say: calls that share one go one behind the other. */
export type Keys = readonly (string | number)[];

interface Waiting<Call, Result> {
  readonly call: Call;
  readonly keys: Keys;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** A write is about a thousand rows at most, and those of its last call. */
const mostKeys = 2000;

export class Batches<Call, Result> {
  readonly #write: (calls: readonly Call[]) => Promise<Result>;
  readonly #atOnce: number;
  readonly #keysUnderWay = new Set<string | number>();
  readonly #writing = new Set<Promise<void>>();
  #waiting: Waiting<Call, Result>[] = [];
  #isSoon = false;

  /** @param write  does several calls at once, and gives what came of them */
  constructor(write: (calls: readonly Call[]) => Promise<Result>, atOnce: number) {
    this.#write = write;
    this.#atOnce = atOnce;
  }

  add(call: Call, keys: Keys): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, keys, resolve, reject });
      this.#writeSoon();
    });
  }

  /** What was reported goes on first, and what that brings shares the write. */
  #writeSoon(): void {
    if (this.#isSoon || this.#waiting.length === 0 || this.#writing.size >= this.#atOnce) return;
    this.#isSoon = true;
    setImmediate(() => {
      this.#isSoon = false;
      const batch = this.#takeApart();
      if (batch.length === 0) return;
      const writing = this.#writeBatch(batch).finally(() => {
        this.#writing.delete(writing);
        this.#writeSoon();
      });
      this.#writing.add(writing);
    });
  }

  /** Takes those that are about no row that is under way, nor about one of another in the batch. */
  #takeApart(): readonly Waiting<Call, Result>[] {
    const seen = new Set(this.#keysUnderWay);
    let keys = 0;
    const [batch, later]: [Waiting<Call, Result>[], Waiting<Call, Result>[]] = [[], []];
    for (const one of this.#waiting) {
      const isLater = keys > mostKeys || one.keys.some((key) => seen.has(key));
      if (!isLater) keys += one.keys.length;
      (isLater ? later : batch).push(one);
      for (const key of one.keys) seen.add(key);
    }
    this.#waiting = later;
    return batch;
  }

  async #writeBatch(batch: readonly Waiting<Call, Result>[]): Promise<void> {
    const keys = batch.flatMap((one) => one.keys);
    for (const key of keys) this.#keysUnderWay.add(key);
    try {
      const result = await this.#write(batch.map(({ call }) => call));
      for (const { resolve } of batch) resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      for (const key of keys) this.#keysUnderWay.delete(key);
    }
  }
}
