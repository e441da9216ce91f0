/** A file that stands at its place only when it is whole: written beside it, synced, and renamed. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DealsheetError, obstacleText } from '../errors.ts';
import { ownerOnly } from '../file-modes.ts';
import { giveSecondName, isFree, isOpenElsewhere, nextFreeName } from './free-name.ts';
import { beginPassing, endPassing } from './passing-files.ts';

export interface TemporaryFile {
  readonly write: (bytes: Buffer) => Promise<void>;
  /** Puts the file in its place, or beside it when what stands there has to stay or is open elsewhere. Gives the path. */
  place(): Promise<string>;
  remove(): Promise<void>;
}

const randomLength = 6;

/**
 * @param mode  who may read it once it stands at its place; until then its owner alone may
 * @param mayReplace  asked when the file is whole; `false` keeps what stands at its place
 * @throws DealsheetError `unwritable-results` when the folder cannot be written
 */
export async function openTemporaryFile(
  path: string,
  mode: number,
  mayReplace: (path: string) => Promise<boolean> = async () => true,
): Promise<TemporaryFile> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(randomLength).toString('hex')}.tmp`);
  // The system has made the file some time before it is known here.
  beginPassing(temporary);
  const handle = await open(temporary, 'wx', ownerOnly).catch((cause: NodeJS.ErrnoException) => {
    endPassing(temporary);
    throw new DealsheetError(
      'unwritable-results',
      `The file ${path} cannot be written${obstacleText(cause)}. Nothing was sent.`,
      cause.code === 'ENAMETOOLONG'
        ? 'Name a file with a shorter name.'
        : 'Name another folder, or make this one writable.',
      { cause },
    );
  });
  return {
    write: (bytes) => writeWhole(handle, bytes),
    place: async () => {
      // A disk without modes refuses this; there the file stays as it is.
      await handle.chmod(mode & ~process.umask()).catch(() => undefined);
      await handle.sync();
      await handle.close();
      const placed = (await mayReplace(path))
        ? await renameOrBeside(temporary, path)
        : await renameBeside(temporary, path);
      endPassing(temporary);
      return placed;
    },
    remove: async () => {
      // It goes because something else went wrong, and that is what is told.
      await handle.close().catch(() => undefined);
      await rm(temporary, { force: true }).catch(() => undefined);
      endPassing(temporary);
    },
  };
}

/** A disk that is just getting full takes the beginning of some bytes, and says so only when asked for the rest. */
async function writeWhole(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten;
}

async function renameOrBeside(temporary: string, path: string): Promise<string> {
  try {
    await rename(temporary, path);
    return path;
  } catch (error) {
    if (!isOpenElsewhere(error)) throw error;
    return renameBeside(temporary, path);
  }
}

/** A name that is free when it is looked for may be taken an instant later: a second name never goes over another file. */
async function renameBeside(temporary: string, path: string): Promise<string> {
  for (let free = isFree(path) ? path : nextFreeName(path); ; free = nextFreeName(path)) {
    try {
      if (await giveSecondName(temporary, free)) await rm(temporary);
      else await rename(temporary, free);
      return free;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
  }
}
