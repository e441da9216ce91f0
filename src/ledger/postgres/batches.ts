/**
 * Gathers calls that come while the server is busy, so that they share a statement; a few statements are under way at once.
 * Its one rule: two calls about the same row never share one, and after one failure none is written any more.
 */
import { isOfMeeting } from './errors.ts';

interface Waiting<Call, Result> {
  readonly call: Call;
  readonly keys: readonly (string | number)[];
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

const statementsAtOnce = 2;
const mostTries = 5;

export class Batches<Call, Result> {
  readonly #write: (calls: readonly Call[]) => Promise<readonly Result[]>;
  readonly #underWay = new Set<Promise<void>>();
  #waiting: Waiting<Call, Result>[] = [];
  #isSoon = false;
  failure: unknown = null;

  /** @param write  does several calls with one statement, and gives a result for each */
  constructor(write: (calls: readonly Call[]) => Promise<readonly Result[]>) {
    this.#write = write;
  }

  /** @param keys  of the rows, or of what they say: calls that share one go one behind the other */
  add(call: Call, keys: readonly (string | number)[]): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.failure !== null) return reject(this.failure);
      this.#waiting.push({ call, keys, resolve, reject });
      this.#writeSoon();
    });
  }

  #writeSoon(): void {
    if (this.#isSoon || this.#waiting.length === 0 || this.#underWay.size >= statementsAtOnce) return;
    this.#isSoon = true;
    setImmediate(() => {
      this.#isSoon = false;
      const writing = this.#writeBatch(this.#takeApart()).finally(() => {
        this.#underWay.delete(writing);
        this.#writeSoon();
      });
      this.#underWay.add(writing);
    });
  }

  #takeApart(): readonly Waiting<Call, Result>[] {
    const seen = new Set<string | number>();
    const [batch, later]: [Waiting<Call, Result>[], Waiting<Call, Result>[]] = [[], []];
    for (const one of this.#waiting) {
      (one.keys.some((key) => seen.has(key)) ? later : batch).push(one);
      for (const key of one.keys) seen.add(key);
    }
    this.#waiting = later;
    return batch;
  }

  async #writeBatch(batch: readonly Waiting<Call, Result>[]): Promise<void> {
    try {
      const results = await this.#tried(batch.map(({ call }) => call));
      batch.forEach(({ resolve }, at) => {
        resolve(results[at] as Result);
      });
    } catch (error) {
      this.failure ??= error;
      for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(this.failure);
    }
  }

  async #tried(calls: readonly Call[]): Promise<readonly Result[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#write(calls);
      } catch (error) {
        if (tries === mostTries || !isOfMeeting((error as Error).cause ?? error)) throw error;
      }
    }
  }
}
