/**
 * Locks that go with their process, and files that do: a lock beside such a file tells whether the process that made it still lives.
 * Its one rule: the lock is taken before the file holds a byte, and a file whose lock is free has no owner any more.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownerOnly } from '../file-modes.ts';
import { Database, isBusy } from './database.ts';

export class FileLock {
  readonly #db: Database;

  private constructor(db: Database) {
    this.#db = db;
  }

  static take(path: string): FileLock | null {
    makeFile(path);
    const db = new Database(path);
    try {
      db.exec('PRAGMA journal_mode = MEMORY');
      db.exec('BEGIN EXCLUSIVE');
      return new FileLock(db);
    } catch (error) {
      db.close();
      if (isBusy(error)) return null;
      throw error;
    }
  }

  release(): void {
    if (!this.#db.isOpen) return;
    this.#db.exec('ROLLBACK');
    this.#db.close();
  }
}

/** Only when it is not there yet: opening and closing it besides SQLite would drop a lock that this process holds. */
function makeFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', ownerOnly));
}

/** How the files of one kind are called: `copy-….source`. */
export interface NameForm {
  readonly prefix: string;
  readonly ending: string;
}

const lockEnding = '.lock';

export class LockedFile {
  readonly path: string;
  readonly #lock: FileLock;

  private constructor(path: string, lock: FileLock) {
    this.path = path;
    this.#lock = lock;
  }

  /** Makes a name of its own in the folder, and locks it; the file itself is not written yet. */
  static begin(folder: string, { prefix, ending }: NameForm): LockedFile {
    for (;;) {
      const path = join(folder, `${prefix}${randomUUID()}${ending}`);
      const lock = FileLock.take(`${path}${lockEnding}`);
      // Another process that tidies the folder may have taken the new lock for one that was left, and removed it.
      if (lock !== null && existsSync(`${path}${lockEnding}`)) return new LockedFile(path, lock);
      lock?.release();
    }
  }

  /** What cannot be removed now is removed by the next command. */
  remove(): void {
    try {
      rmSync(this.path, { force: true });
      // The lock file goes while it is held, or another process could take the name in between.
      rmSync(`${this.path}${lockEnding}`, { force: true });
    } catch {
      // Windows removes no file that is open.
    } finally {
      this.#lock.release();
    }
  }

  /**
   * Takes away the files of processes that are gone, however they ended; those of others stay. A disk that takes no lock or gives no
   * file away keeps them, and the next command meets them again.
   *
   * @param before  what is to be done first with each
   */
  static removeLeft(folder: string, { prefix, ending }: NameForm, before: (path: string) => void = () => {}): void {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const files = names.map((name) => (name.endsWith(lockEnding) ? name.slice(0, -lockEnding.length) : name));
    const ours = files.filter((name) => name.startsWith(prefix) && name.endsWith(ending));
    for (const name of new Set(ours)) {
      const path = join(folder, name);
      try {
        const lock = FileLock.take(`${path}${lockEnding}`);
        if (lock === null) continue;
        before(path);
        new LockedFile(path, lock).remove();
      } catch {
        // Whatever the command is for, it does not hang on this.
      }
    }
  }
}
