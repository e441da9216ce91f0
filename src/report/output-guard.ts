/**
 * Files that a person names to be written. Their one rule: what a command reads or keeps is not written into, and nothing is
 * replaced that the program did not make itself.
 */
import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileAt, isSameFile } from '../disk/free-name.ts';
import { obstacleText, usageError } from '../errors.ts';

/** A file that stays as it is, or a folder in which nothing is written, and what it is in words. */
export interface KeptFile {
  readonly path: string;
  readonly what: string;
}

export interface Output {
  readonly path: string;
  readonly flag: string;
  readonly kept: readonly KeptFile[];
  readonly what: string;
  /** Whether the file at the path is an earlier one of the same sort, which may be replaced or added to. */
  readonly isEarlier: (path: string) => boolean | Promise<boolean>;
}

/** @throws DealsheetError `usage` when the file must stay as it is */
export async function needWritable(output: Output): Promise<void> {
  const { path, flag, what } = output;
  refuseKept(path, flag, output.kept);
  const found = fileAt(path);
  // A pipe or a terminal holds nothing that could be lost.
  if (found === null || !found.isFile() || found.size === 0n || (await output.isEarlier(path))) return;
  throw usageError(
    `${path} already exists, and only an earlier ${what} may be replaced.`,
    `Give ${flag} another name, or delete that file first.`,
  );
}

/** @throws DealsheetError `usage` when the path leads to one of these, through links or another spelling too */
export function refuseKept(path: string, flag: string, kept: readonly KeptFile[]): void {
  const hit = kept.find((file) => isSameFile(path, file.path) || isSameFile(dirname(path), file.path));
  if (hit === undefined) return;
  throw usageError(`${path} is ${hit.what}: nothing may overwrite it.`, `Give ${flag} another name. Nothing was sent.`);
}

/**
 * Writes a small file that is there whole, or not at all. What was there before is never taken away: it may be a device, or a link to
 * a disk that is not there now.
 *
 * @throws DealsheetError `usage` when it cannot be written
 */
export function writeWhole(path: string, content: string | Buffer, how: { flag?: 'wx'; mode?: number } = {}): void {
  let wasThere = true;
  try {
    // Below a file, the look itself fails.
    wasThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    writeFileSync(path, content, how);
  } catch (error) {
    // One that is there after all was put there by somebody else meanwhile.
    if (!wasThere && (error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(path, { force: true });
    throw usageError(`${path} cannot be written${obstacleText(error)}.`, 'Name another place.', error);
  }
}
