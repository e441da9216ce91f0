/**
 * Locks and files that belong to a process. A lock beside a file shows whether the process that made it still lives. Its one rule:
 * the lock is taken before the file has content, and a file whose lock is free has no owner.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Database, isBusy } from './database.ts';
import { ownerOnly } from './new-file.ts';

export interface FileLock {
  release(): void;
}

/** Returns `null` while another process, or this one, holds the lock. */
export function takeLock(path: string): FileLock | null {
  // Only if it is missing: opening and closing it outside SQLite would drop a lock that this process holds.
  if (!existsSync(path)) closeSync(openSync(path, 'a', ownerOnly));
  const db = new Database(path);
  try {
    db.exec('PRAGMA journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return {
    release() {
      if (!db.isOpen) return;
      db.exec('ROLLBACK');
      db.close();
    },
  };
}

/** The pattern of a file name, such as `copy-….source`. */
export interface NameForm {
  readonly prefix: string;
  readonly ending: string;
}

export interface LockedFile {
  readonly path: string;
  /** What cannot be deleted now is deleted by the next command. */
  remove(): void;
}

const lockPathOf = (path: string) => `${path}.lock`;

/** Locks a unique name in the folder. The file itself is not created yet. */
export function beginLockedFile(folder: string, { prefix, ending }: NameForm): LockedFile {
  for (;;) {
    const path = join(folder, `${prefix}${randomUUID()}${ending}`);
    const lock = takeLock(lockPathOf(path));
    // Another process that tidies the folder may have deleted the new lock as a leftover.
    if (lock !== null && existsSync(lockPathOf(path))) return { path, remove: () => removeLocked(path, lock) };
    lock?.release();
  }
}

function removeLocked(path: string, lock: FileLock): void {
  // Deleted while the lock is held, so that no other process takes the name in between.
  const isLockLeft = isDeleted(path) && !isDeleted(lockPathOf(path));
  lock.release();
  // Windows deletes no open file.
  if (isLockLeft) isDeleted(lockPathOf(path));
}

function isDeleted(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Deletes the files of processes that are gone. A file that the disk refuses to lock or delete stays for the next command.
 *
 * @param before  called first for each file
 */
export function removeLeftFiles(folder: string, form: NameForm, before: (path: string) => void = () => {}): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const files = new Set(names.map((name) => name.replace(/\.lock$/, '')));
  for (const name of files) {
    if (!name.startsWith(form.prefix) || !name.endsWith(form.ending)) continue;
    const path = join(folder, name);
    try {
      const lock = takeLock(lockPathOf(path));
      if (lock === null) continue;
      before(path);
      removeLocked(path, lock);
    } catch {
      // A failure to tidy must not stop the command.
    }
  }
}
