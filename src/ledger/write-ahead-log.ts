/**
 * The log of a ledger, as a file that the disk is told to keep. SQLite would do so within each commit, and nothing else
 * happens in that time: no answer is read, no key is heard. Here the event loop goes on, and at no latency a load of
 * 10,000 rows takes an eighth less time.
 * Its one rule: after one failure nothing counts as kept any more. The system tells of what a disk lost only once, so a
 * later call may succeed although pages of an earlier commit are gone.
 *
 * SQLite holds its locks on the ledger and on its index, never on the log: closing a handle of it drops none.
 */
import { closeSync, fstatSync, fsync, openSync } from 'node:fs';

export class WriteAheadLog {
  readonly #path: string;
  #file: number | null = null;
  /** Some file systems count no names. */
  #hadName = false;
  #underWay = 0;
  #failure: Error | null = null;
  #isClosed = false;

  /** @param ledger  the path of the ledger as SQLite has it, without symbolic links */
  constructor(ledger: string) {
    this.#path = `${ledger}-wal`;
  }

  /** Calls back once everything that was committed before is on the disk, or with the reason why it may not be. */
  keep(done: (failure: Error | null) => void): void {
    let file: number;
    try {
      file = this.#open();
    } catch (error) {
      this.#failure ??= error as Error;
      setImmediate(done, this.#failure);
      return;
    }
    this.#underWay += 1;
    fsync(file, (error) => {
      this.#underWay -= 1;
      this.#failure ??= error;
      if (this.#isClosed) this.#closeFile();
      done(this.#failure);
    });
  }

  /** What is under way comes to its end. */
  close(): void {
    this.#isClosed = true;
    this.#closeFile();
  }

  /** SQLite makes the log with the first commit. Windows keeps only what may be written through the same handle. */
  #open(): number {
    if (this.#file === null) {
      this.#file = openSync(this.#path, 'r+');
      this.#hadName = fstatSync(this.#file).nlink > 0;
    } else if (this.#hadName && fstatSync(this.#file).nlink === 0) {
      throw removed(this.#path);
    }
    return this.#file;
  }

  #closeFile(): void {
    if (this.#file === null || this.#underWay > 0) return;
    closeSync(this.#file);
    this.#file = null;
  }
}

/** What is written to a file without a name is gone with its last handle. */
function removed(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error('its log was removed'), { code: 'ENOENT', syscall: 'fstat', path });
}
