/**
 * A private copy of a source that goes with its process: its lock tells whether the process that made it still lives.
 * Its one rule: the lock is taken before the copy holds a byte, and a copy whose lock is free is nobody's.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FileLock } from '../../disk/file-lock.ts';

export class LockedCopy {
  readonly path: string;
  readonly #lock: FileLock;

  private constructor(path: string, lock: FileLock) {
    this.path = path;
    this.#lock = lock;
  }

  /** Makes a name of its own in the folder, and locks it; the copy itself is not written yet. */
  static begin(folder: string): LockedCopy {
    for (;;) {
      const path = join(folder, `copy-${randomUUID()}${copyEnding}`);
      const lock = FileLock.take(lockOf(path));
      // Another process that tidies the folder may have taken the new lock for one that was left, and removed it.
      if (lock !== null && existsSync(lockOf(path))) return new LockedCopy(path, lock);
      lock?.release();
    }
  }

  /** What cannot be taken away now, the next command takes away: nothing hangs on it. */
  async remove(): Promise<void> {
    await removeLocked(this.path, this.#lock).catch(() => {});
  }
}

/** Takes away the copies of processes that are gone, however they ended; those of loads that go on stay. */
export async function removeLeftCopies(folder: string): Promise<void> {
  for (const name of await namesOfCopies(folder)) {
    await removeIfLeft(join(folder, name));
  }
}

/** On a disk that takes no lock or gives no file away the copy stays, and the next command meets it again. */
async function removeIfLeft(path: string): Promise<void> {
  try {
    const lock = FileLock.take(lockOf(path));
    if (lock !== null) await removeLocked(path, lock);
  } catch {
    // Whatever the command is for, it does not hang on this.
  }
}

/** The endings of a copy and of its lock. */
const copyEnding = '.source';
const lockEnding = '.lock';

/** Some were once named by process and time, without a lock. */
const copyName = /^(copy-[0-9a-f-]+|\d+-\d{13}-\d+)\.source$/;

async function namesOfCopies(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(folder).catch(() => []);
  const copies = names.map((name) => (name.endsWith(lockEnding) ? name.slice(0, -lockEnding.length) : name));
  return new Set(copies.filter((name) => copyName.test(name)));
}

/** The lock file goes while it is held, or another process could take the name in between. */
async function removeLocked(path: string, lock: FileLock): Promise<void> {
  try {
    await rm(path, { force: true });
    // Windows removes no file that is open; there an empty lock is left for the next command.
    await rm(lockOf(path), { force: true }).catch(() => {});
  } finally {
    lock.release();
  }
}

function lockOf(path: string): string {
  return `${path}${lockEnding}`;
}
