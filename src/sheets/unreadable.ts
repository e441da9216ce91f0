/** Errors for files that cannot be read. */
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { DealsheetError } from '../errors.ts';

export function unreadable(message: string, remedy: string, cause?: unknown): DealsheetError {
  return new DealsheetError('unreadable-source', message, remedy, { cause });
}

/** A workbook that is incomplete or corrupt. */
export function damaged(what: string, cause?: unknown): DealsheetError {
  const remedy = 'Open it in a spreadsheet program, save it again as an Excel workbook (.xlsx), and try again.';
  return unreadable(`The workbook is damaged: ${what}.`, remedy, cause);
}

/** A workbook that no spreadsheet program writes. */
export function hostile(what: string): DealsheetError {
  return unreadable(`The workbook is refused: ${what}.`, 'Save the table into a new workbook, and try again.');
}

const lineBreaks = /[\n\r]+/;

/**
 * @throws DealsheetError `unreadable-source` when the file is missing, is not a regular file, or has a line break in
 *     its name, because messages and Run cells contain the name
 */
export async function needFile(path: string): Promise<Stats> {
  if (lineBreaks.test(path)) {
    const shown = path.split(lineBreaks).join('\uFFFD');
    throw unreadable(
      `${shown} has a line break in its name.`,
      'Rename it, or the folder that it is in, and try again.',
    );
  }
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw notRead(path, cause);
  });
  if (found.isDirectory()) throw unreadable(`${path} is a folder.`, 'Name the CSV or XLSX file in it.');
  if (!found.isFile()) throw unreadable(`${path} is not a file.`, 'Name a CSV or XLSX file.');
  return found;
}

/** @throws DealsheetError `unreadable-source` like {@link needFile}, and when the file may not be read */
export async function openNeeded(path: string): Promise<FileHandle> {
  await needFile(path);
  return open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw notRead(path, cause);
  });
}

function notRead(path: string, cause: NodeJS.ErrnoException): Error {
  const why =
    cause.code === 'ENOENT' ? `There is no file ${path}.` : `The file ${path} cannot be read (${cause.code}).`;
  return unreadable(why, 'Check the name, the folder and its permissions, and try again.', cause);
}
