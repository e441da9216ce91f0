/** Permissions and names of new files: free names beside a taken one, and whether two names lead to the same file. */
import { type BigIntStats, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { link, rename } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export const ownerOnly = 0o600;
export const folderOwnerOnly = 0o700;

/** The permission bits of a mode. */
export const permissionBits = 0o777;

/** The permissions of a file that is there; a new one is readable only by its owner. */
export function modeOf(path: string): number {
  try {
    return statSync(path).mode & permissionBits;
  } catch {
    return ownerOnly;
  }
}

const numberedResults = /^(?<stem>.*\.results)-(?<number>\d+)$/;

/** `X.results.xlsx` to `X.results-2.xlsx`, or the first free number after it; `X.results-2.xlsx` to `X.results-3.xlsx`. */
export function nextFreeName(path: string): string {
  const ending = extname(path);
  const name = basename(path, ending);
  const { stem = name, number: counted = '1' } = numberedResults.exec(name)?.groups ?? {};
  for (let number = Number(counted) + 1; ; number += 1) {
    const candidate = join(dirname(path), `${stem}-${number}${ending}`);
    if (isFree(candidate)) return candidate;
  }
}

/** A dangling link takes its name too. */
export function isFree(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

/** `X.results-2.xlsx` to `X.results.xlsx`; other names stay. */
export function plainName(path: string): string {
  const ending = extname(path);
  const name = basename(path, ending);
  return join(dirname(path), `${numberedResults.exec(name)?.groups?.stem ?? name}${ending}`);
}

/** The name of the user's own file without its ending: `X.xlsx`, `X.results.xlsx` and `X.results-2.xlsx` to `X`. */
export function stemOf(path: string): string {
  return basename(plainName(path), extname(path)).replace(/\.results$/, '');
}

/** The other results beside these, with or without a number. */
export function namesOfResults(path: string): readonly string[] {
  const plain = plainName(path);
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const beside = readdirSync(folder).map((name) => join(folder, name));
  return beside.filter((one) => one !== path && plainName(one) === plain);
}

/** The errors of Windows while Excel has the file open. */
const openElsewhere = new Set(['EBUSY', 'EPERM', 'EACCES']);

export function isOpenElsewhere(cause: unknown): boolean {
  return openElsewhere.has((cause as NodeJS.ErrnoException | null)?.code ?? '');
}

const mostTries = 10;
const betweenTriesMs = 100;

/** Moves or deletes a file. On Windows, a virus scanner or the sync of a cloud folder may have it open for a moment. */
export async function patiently(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (cause) {
      if (tries === mostTries || !isOpenElsewhere(cause)) throw cause;
      await wait(betweenTriesMs);
    }
  }
}

/**
 * Gives a file the next free number, so that another can take its name. On a disk with hard links it has both names until then, so
 * that a kill in between loses nothing.
 *
 * @returns its new path; `null` when it is open elsewhere
 */
export async function giveNumber(path: string): Promise<string | null> {
  for (;;) {
    const numbered = nextFreeName(path);
    try {
      // Windows refuses to move an open file, also to its own name, but not to give it a second one.
      await patiently(() => rename(path, path));
      if (!(await giveSecondName(path, numbered))) await rename(path, numbered);
      return numbered;
    } catch (cause) {
      if (isOpenElsewhere(cause)) return null;
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
  }
}

/** The errors of disks without hard links: network shares, USB sticks, container volumes. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EACCES']);

/**
 * Makes a hard link: atomically, and never over another file.
 *
 * @returns `false` where the disk has no hard links
 * @throws the system error, such as `EEXIST` when the name is taken
 */
export async function giveSecondName(path: string, name: string): Promise<boolean> {
  try {
    await link(path, name);
    return true;
  } catch (cause) {
    if (withoutLinks.has((cause as NodeJS.ErrnoException).code ?? '')) return false;
    throw cause;
  }
}

/** @returns `null` when there is no file, or it cannot be examined: then writing it fails, with the reason */
export function fileAt(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

export function isSameFile(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true;
  const [first, second] = [identityOf(resolve(one)), identityOf(resolve(other))];
  return first !== null && first === second;
}

/** Device and inode of a file. For one that does not exist, those of its folder and its name. */
function identityOf(path: string): string | null {
  const file = fileAt(path);
  const found = file ?? fileAt(dirname(path));
  return found && `${found.dev}:${found.ino}${file === null ? `/${basename(path)}` : ''}`;
}
