/**
 * Copies a ledger whole, with its key, also while loads write to it.
 * Its one rule: the key comes last, for a ledger without its key is refused, so half a backup is never taken for a whole one.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Database } from '../disk/database.ts';
import { DealsheetError, obstacleText } from '../errors.ts';
import { folderOwnerOnly, ownerOnly } from '../file-modes.ts';
import { keyPathOf, keyWithCount } from './ledger-key.ts';

/** @returns the path of the copy. @throws DealsheetError `usage` when something is in its place, or it cannot be written */
export function backUp(db: Database, ledgerPath: string, folder: string): string {
  const copy = join(folder, basename(ledgerPath));
  const made: string[] = [];
  const make = (path: string) => {
    closeSync(openSync(path, 'wx', ownerOnly));
    made.push(path);
  };
  try {
    mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
    make(keyPathOf(copy));
    make(copy);
    db.prepare('VACUUM INTO ?').run([copy]);
    const count = commitsOf(copy);
    flush(copy);
    writeFileSync(keyPathOf(copy), keyWithCount(ledgerPath, count), { flush: true });
    return copy;
  } catch (error) {
    for (const path of made) rmSync(path, { force: true });
    throw notCopied(folder, copy, error);
  }
}

function commitsOf(copy: string): number {
  const db = new Database(copy);
  try {
    return (db.prepare('SELECT count FROM commits').raw().get() as [number])[0];
  } finally {
    db.close();
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function notCopied(folder: string, copy: string, cause: unknown): DealsheetError {
  const isTaken = (cause as NodeJS.ErrnoException).code === 'EEXIST';
  return new DealsheetError(
    'usage',
    isTaken
      ? `A file is already in the way of the backup ${copy}. Nothing was copied.`
      : `The ledger cannot be copied to ${folder}${obstacleText(cause)}. Nothing was copied.`,
    'Name another folder; a new one is made.',
    { cause },
  );
}
