/**
 * Locks and files that belong to a process. A lock beside a file shows whether the process that made it still lives. Its one rule:
 * the lock is taken before the file has content, and a file whose lock is free has no owner.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Database, isBusy } from './database.ts';
import { ownerOnly } from './new-file.ts';

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

/** Only if it is missing: opening and closing it outside SQLite would drop a lock that this process holds. */
function makeFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', ownerOnly));
}

/** The pattern of a file name, such as `copy-….source`. */
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

  /** Locks a unique name in the folder. The file itself is not created yet. */
  static begin(folder: string, { prefix, ending }: NameForm): LockedFile {
    for (;;) {
      const path = join(folder, `${prefix}${randomUUID()}${ending}`);
      const lock = FileLock.take(`${path}${lockEnding}`);
      // Another process that tidies the folder may have deleted the new lock as a leftover.
      if (lock !== null && existsSync(`${path}${lockEnding}`)) return new LockedFile(path, lock);
      lock?.release();
    }
  }

  /** What cannot be deleted now is deleted by the next command. */
  remove(): void {
    try {
      rmSync(this.path, { force: true });
      // Deleted while the lock is held, so that no other process takes the name in between.
      rmSync(`${this.path}${lockEnding}`, { force: true });
    } catch {
      // Windows does not delete an open file.
    } finally {
      this.#lock.release();
    }
  }

  /**
   * Deletes the files of processes that are gone. A file that the disk refuses to lock or delete stays for the next command.
   *
   * @param before  called first for each file
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
        // A failure to tidy must not stop the command.
      }
    }
  }
}
