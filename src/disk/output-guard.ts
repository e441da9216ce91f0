/**
 * Guards the files that a person names to be written. Its one rule: a command does not overwrite what it reads or keeps, or any
 * file that this program did not make.
 */
import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { obstacleText } from '../messages/file-errors.ts';
import { errorOf } from '../messages/text.ts';
import { fileAt, isFree, isSameFile } from './new-file.ts';

/** A file that must stay as it is, or a folder that must not be written into, and what it is in words. */
export interface KeptFile {
  readonly path: string;
  readonly what: string;
}

export interface Output {
  readonly path: string;
  readonly flag: string;
  readonly kept: readonly KeptFile[];
  readonly what: string;
  /** Whether the file is renamed to its path once it is whole. */
  readonly isPlaced?: boolean;
  /** Whether the file at the path is an earlier output of the same sort, which may be replaced or added to. */
  readonly isEarlier: (path: string) => boolean | Promise<boolean>;
}

/** @throws DealsheetError `usage` when the file must stay as it is */
export async function needWritable(output: Output): Promise<void> {
  const { path, flag, what } = output;
  refuseKept(path, flag, output.kept);
  if (await mayWrite(output)) return;
  throw errorOf('file-in-the-way', { path, what, flag });
}

/** A pipe or a terminal has no content to lose, but would itself be lost when a file is renamed to its path. */
export async function mayWrite({ path, isPlaced = false, isEarlier }: Output): Promise<boolean> {
  const found = fileAt(path);
  if (found?.isFile()) return found.size === 0n || isEarlier(path);
  return !isPlaced || isFree(path);
}

/** Writes a blank template. Never replaces one that a person has begun to fill in. */
export async function writeBlank(path: string, bytes: Buffer): Promise<void> {
  const isEarlier = () => readFileSync(path).equals(bytes);
  await needWritable({ path, flag: '-o', kept: [], what: 'blank template of the same form', isEarlier });
  writeWhole(path, bytes);
}

/** @throws DealsheetError `usage` when the path leads to one of these, also through links or another spelling */
export function refuseKept(path: string, flag: string, kept: readonly KeptFile[]): void {
  const hit = kept.find((file) => isSameFile(path, file.path) || isSameFile(dirname(path), file.path));
  if (hit !== undefined) throw errorOf('file-kept', { path, what: hit.what, flag });
}

/**
 * Writes a small file completely or not at all. A path that existed before is never removed: it may be a device, or a link to an
 * unmounted disk.
 *
 * @throws DealsheetError `usage` when it cannot be written
 */
export function writeWhole(path: string, content: string | Buffer, how: { flag?: 'wx'; mode?: number } = {}): void {
  let wasThere = true;
  try {
    // Below a file, lstat itself throws.
    wasThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    writeFileSync(path, content, how);
  } catch (error) {
    // With EEXIST, somebody else has created the file meanwhile.
    if (!wasThere && (error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(path, { force: true });
    throw errorOf('file-unwritable', { path, obstacle: obstacleText(error) }, error);
  }
}
