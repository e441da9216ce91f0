/**
 * A private copy of the source for the time of a load: what was checked is what is sent and reported, also when somebody
 * edits the file meanwhile. Standard input becomes a file in the same way.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DealsheetError } from '../errors.ts';

/** The name by which standard input is given. */
export const standardInput = '-';

export interface Snapshot {
  /** The path that the person gave, made absolute; `-` for standard input. */
  readonly sourcePath: string;
  readonly sourceName: string;
  /** The folder of the source, against which relative file cells are looked up. */
  readonly sourceFolder: string;
  /** The permissions of the source; those of the copy are 0600. */
  readonly sourceMode: number;
  /** The private folder of ours that is used for it. */
  readonly folder: string;
  /** Where the copy lies. */
  readonly path: string;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string;
}

/**
 * Copies the source into a folder of ours.
 *
 * @param folder  made with mode 0700 when it is not there
 * @throws DealsheetError `unreadable-source` when there is no such file, it is a folder, or there is no space for the copy
 */
export async function takeSnapshot(file: string, folder: string, input: NodeJS.ReadableStream): Promise<Snapshot> {
  const isInput = file === standardInput;
  const sourcePath = isInput ? standardInput : resolve(file);
  const sourceMode = isInput ? privateMode : await modeOf(sourcePath);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${process.pid}-${Date.now()}-${snapshotCount++}.source`);
  const digest = await copy(isInput ? input : createReadStream(sourcePath), path, sourcePath);
  return {
    sourcePath,
    sourceName: isInput ? 'standard input' : basename(sourcePath),
    sourceFolder: isInput ? process.cwd() : dirname(sourcePath),
    sourceMode,
    folder,
    path,
    digest,
  };
}

export async function removeSnapshot(snapshot: Snapshot): Promise<void> {
  await rm(snapshot.path, { force: true });
}

/** SHA-256 of a file's bytes, in hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

const privateMode = 0o600;
const permissionBits = 0o777;
let snapshotCount = 0;

async function modeOf(path: string): Promise<number> {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === 'ENOENT' ? `There is no file ${path}.` : `The file ${path} cannot be read (${cause.code}).`;
    throw new DealsheetError('unreadable-source', why, 'Check the name and the folder, and try again.', { cause });
  });
  if (found.isDirectory()) {
    throw new DealsheetError('unreadable-source', `${path} is a folder.`, 'Name the CSV or XLSX file in it.');
  }
  if (!found.isFile()) {
    throw new DealsheetError('unreadable-source', `${path} is not a file.`, 'Name a CSV or XLSX file.');
  }
  return found.mode & permissionBits;
}

async function copy(from: NodeJS.ReadableStream, path: string, sourcePath: string): Promise<string> {
  const hash = createHash('sha256');
  const digesting = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(from, digesting, createWriteStream(path, { mode: privateMode, flags: 'wx' }));
  } catch (cause) {
    await rm(path, { force: true });
    const code = (cause as NodeJS.ErrnoException).code;
    const isOurs = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS';
    const message = isOurs
      ? `There is no room for a private copy of ${sourcePath} in ${dirname(path)}.`
      : `The file ${sourcePath} cannot be read (${code ?? String(cause)}).`;
    const remedy = isOurs
      ? 'Make room on that disk and try again. Nothing was sent.'
      : 'Check its permissions and try again.';
    throw new DealsheetError('unreadable-source', message, remedy, { cause });
  }
  return hash.digest('hex');
}
