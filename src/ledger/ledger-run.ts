/** One load in progress: hands its writes to the shared commits, and holds its service until it ends. */

import type { FileLock } from '../disk/file-lock.ts';
import type { RunNumbers } from './catalogue.ts';
import type { CommitQueue, Write, WriteName } from './commit-queue.ts';
import type { EntryWrites } from './entry-writes.ts';
import type { Holders } from './holders.ts';
import type { Intent, KnownRow, Run, RunState, Settlement } from './ledger.ts';
import type { RunRecords } from './run-records.ts';

export interface BegunRun extends RunNumbers {
  readonly id: string;
  readonly startedAt: string;
}

/** The parts of the ledger that a run works with. */
export interface RunParts {
  readonly queue: CommitQueue;
  readonly writes: EntryWrites;
  readonly records: RunRecords;
  readonly holders: Holders;
  readonly now: () => string;
}

export class LedgerRun implements Run {
  readonly id: string;
  readonly startedAt: string;
  readonly #numbers: RunNumbers;
  readonly #parts: RunParts;
  readonly #lock: FileLock;
  #isEnded = false;

  constructor(begun: BegunRun, parts: RunParts, lock: FileLock) {
    this.id = begun.id;
    this.startedAt = begun.startedAt;
    this.#numbers = begun;
    this.#parts = parts;
    this.#lock = lock;
  }

  intend(intents: readonly Intent[], { again }: { again: boolean }): Promise<void> {
    const { writes } = this.#parts;
    return this.#add(
      'intent',
      intents,
      () => writes.intend(this.#numbers, intents, again),
      () => writes.takeBack(this.#numbers, intents),
    );
  }

  settle(settlements: readonly Settlement[]): Promise<void> {
    return this.#add('settle', settlements, () => this.#parts.writes.settle(this.#numbers, settlements));
  }

  record(entries: readonly (KnownRow & Settlement)[]): Promise<void> {
    return this.#add('record', entries, () => this.#parts.writes.record(this.#numbers, entries));
  }

  comeBack(rows: readonly Pick<KnownRow, 'sheet' | 'row' | 'supersedes'>[]): Promise<void> {
    return this.#add('record', rows, () => this.#parts.writes.comeBack(this.#numbers, rows));
  }

  async end(state: Exclude<RunState, 'running'>): Promise<void> {
    if (this.#isEnded) throw this.#ended();
    this.#isEnded = true;
    const { queue, records, holders, now } = this.#parts;
    try {
      await queue.add('end', () => {
        holders.settleSending(this.#numbers.run);
        records.setState(this.#numbers.run, state, now());
        holders.giveBack(this.#numbers.service, this.#lock);
        return null;
      });
    } finally {
      this.#lock.release();
    }
  }

  /** Gives the service back without a word in the ledger: the next to open it takes this run for stopped. */
  abandon(): void {
    this.#isEnded = true;
    this.#lock.release();
  }

  #add(name: WriteName, rows: readonly unknown[], write: Write, takeBack?: () => void): Promise<void> {
    if (this.#isEnded) return Promise.reject(this.#ended());
    return rows.length === 0 ? Promise.resolve() : this.#parts.queue.add(name, write, takeBack);
  }

  #ended(): Error {
    return new Error(`The run ${this.id} is ended: nothing more is written for it.`);
  }
}
