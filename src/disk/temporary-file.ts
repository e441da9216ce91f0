/** A file that appears at its path only when it is complete: written beside it, synced, and renamed. */
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { obstacleText } from '../messages/file-errors.ts';
import { errorOf } from '../messages/text.ts';
import { giveSecondName, isFree, isOpenElsewhere, nextFreeName, ownerOnly, patiently } from './new-file.ts';
import { trackFile, untrackFile } from './tracked-files.ts';

export interface TemporaryFile {
  readonly write: (bytes: Buffer) => Promise<void>;
  /** Moves the file to its path, or beside it when the existing file has to stay or is open elsewhere. Returns the path. */
  place(): Promise<string>;
  remove(): Promise<void>;
}

const randomLength = 6;
const pieceLength = 65_536;

/** Collects texts, and writes them as UTF-8 in pieces that are worth a write. */
export function textWriter(write: (bytes: Buffer) => Promise<void>, beginning = '') {
  let pending = beginning;
  const end = async (): Promise<void> => {
    const bytes = Buffer.from(pending, 'utf8');
    pending = '';
    await write(bytes);
  };
  return {
    /** @returns what to wait for, if anything: a promise for each text would cost more than the text */
    add: (text: string): Promise<void> | undefined => {
      pending += text;
      return pending.length >= pieceLength ? end() : undefined;
    },
    /** Writes what is left. */
    end,
  };
}

/**
 * @param mode  the permissions of the finished file; until then only its owner may read it
 * @param mayReplace  asked before each try to move the complete file; `false` keeps the existing file at its path
 * @throws DealsheetError `unwritable-results` when the folder cannot be written
 */
export async function openTemporaryFile(
  path: string,
  mode: number,
  mayReplace: (path: string) => Promise<boolean> = async () => true,
): Promise<TemporaryFile> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(randomLength).toString('hex')}.tmp`);
  // The system creates the file before `open` resolves, and a kill may come in between.
  trackFile(temporary);
  const handle = await open(temporary, 'wx', ownerOnly).catch((cause: NodeJS.ErrnoException) => {
    untrackFile(temporary);
    const isNameTooLong = cause.code === 'ENAMETOOLONG';
    throw errorOf('folder-unwritable', { path, obstacle: obstacleText(cause), isNameTooLong }, cause);
  });
  return {
    // A disk that is getting full writes only some of the bytes at a time. This writes the rest, or rejects.
    write: (bytes) => handle.appendFile(bytes),
    place: async () => {
      // A disk without permissions refuses this. The file keeps its mode.
      await handle.chmod(mode & ~process.umask()).catch(() => undefined);
      await handle.sync();
      await handle.close();
      const placed = await renameOrBeside(temporary, path, mayReplace);
      untrackFile(temporary);
      return placed;
    },
    remove: async () => {
      // The file is removed because of another error, which is the one to report.
      await handle.close().catch(() => undefined);
      await rm(temporary, { force: true }).then(
        () => untrackFile(temporary),
        () => undefined,
      );
    },
  };
}

async function renameOrBeside(
  temporary: string,
  path: string,
  mayReplace: (path: string) => Promise<boolean>,
): Promise<string> {
  let isPlaced = false;
  const place = async () => {
    // A person who has the existing file open may save it between two tries.
    if (await mayReplace(path)) isPlaced = await rename(temporary, path).then(() => true);
  };
  await patiently(place).catch((error: unknown) => {
    if (!isOpenElsewhere(error)) throw error;
  });
  return isPlaced ? path : renameBeside(temporary, path);
}

/** A free name may be taken an instant later, but a hard link never overwrites another file. */
async function renameBeside(temporary: string, path: string): Promise<string> {
  for (let free = isFree(path) ? path : nextFreeName(path); ; free = nextFreeName(path)) {
    try {
      if (await giveSecondName(temporary, free)) await patiently(() => rm(temporary));
      else await patiently(() => rename(temporary, free));
      return free;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
  }
}
