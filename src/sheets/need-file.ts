/** A file that a person has named is there and can be read, or it is said why not. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { DealsheetError } from '../errors.ts';
import { permissionBits } from '../file-modes.ts';

/**
 * @returns its permissions
 * @throws DealsheetError `unreadable-source` when there is no such file, it is a folder, a device or a pipe, or a line break
 *   stands in its name, which is told in messages and in the Run cells of results
 */
export async function needFile(path: string): Promise<number> {
  if (lineBreaks.test(path)) throw brokenName(path);
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw unreadable(path, cause);
  });
  if (found.isDirectory()) {
    throw new DealsheetError('unreadable-source', `${path} is a folder.`, 'Name the CSV or XLSX file in it.');
  }
  if (!found.isFile()) {
    throw new DealsheetError('unreadable-source', `${path} is not a file.`, 'Name a CSV or XLSX file.');
  }
  return found.mode & permissionBits;
}

/** @throws DealsheetError `unreadable-source` as {@link needFile}, and when it may not be read */
export async function openNeeded(path: string): Promise<FileHandle> {
  await needFile(path);
  return open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw unreadable(path, cause);
  });
}

const lineBreaks = /[\n\r]+/;

function brokenName(path: string): DealsheetError {
  const shown = path.split(lineBreaks).join('\uFFFD');
  const remedy = 'Rename it, or the folder that it is in, and try again.';
  return new DealsheetError('unreadable-source', `${shown} has a line break in its name.`, remedy);
}

function unreadable(path: string, cause: NodeJS.ErrnoException): DealsheetError {
  const why =
    cause.code === 'ENOENT' ? `There is no file ${path}.` : `The file ${path} cannot be read (${cause.code}).`;
  return new DealsheetError(
    'unreadable-source',
    why,
    'Check the name, the folder and its permissions, and try again.',
    {
      cause,
    },
  );
}
