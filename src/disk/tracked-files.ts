/**
 * Files that are deleted with their process: partial results, answers of a service. Each is listed before it is created, and a
 * lock ties the list to the process, so that the next command deletes what a kill left behind. Its one rule: a file is deleted
 * only if a list of this user names it, the process of the list is gone, and the file still looks like ours.
 */
import { appendFileSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beginLockedFile, type LockedFile, removeLeftFiles } from './locked-file.ts';
import { folderOwnerOnly, ownerOnly, permissionBits } from './new-file.ts';

const user = process.getuid?.() ?? null;
/** One folder per user, because the users of a computer may share the temporary folder. */
const folderOfLists = () => join(tmpdir(), `dealsheet-${user ?? 'user'}`);
const listName = { prefix: 'passing-', ending: '.list' };
const digitsByChance = '[0-9a-f]{12}';
const ourName = new RegExp(`^(?:\\..+\\.${digitsByChance}\\.tmp|dealsheet-export-${digitsByChance})$`);

/** The files that exist now. They are deleted when the process exits. */
const passing = new Set<string>();
let list: LockedFile | null = null;

/** Call it before the file or folder is created. If the disk refuses the list, the file is still deleted at exit, but not after a kill. */
export function trackFile(path: string): void {
  if (passing.size === 0) process.on('exit', removePassing);
  passing.add(path);
  try {
    list ??= newList();
    appendFileSync(list.path, `${JSON.stringify(path)}\n`, { mode: ownerOnly });
  } catch {
    // Without the list, a file stays behind only after a kill.
  }
}

/** Call it once the file is deleted or renamed. */
export function untrackFile(path: string): void {
  passing.delete(path);
  if (passing.size > 0) return;
  process.off('exit', removePassing);
  const ended = list;
  list = null;
  ended?.remove();
}

export function removeOrphans(): void {
  if (!isOurFolder()) return;
  removeLeftFiles(folderOfLists(), listName, (list) => {
    for (const path of namedIn(list)) if (isOurs(path)) rmSync(path, { recursive: true, force: true });
  });
}

function newList(): LockedFile {
  mkdirSync(folderOfLists(), { recursive: true, mode: folderOwnerOnly });
  if (!isOurFolder()) throw new Error(`${folderOfLists()} belongs to another user.`);
  return beginLockedFile(folderOfLists(), listName);
}

/** If the last line is incomplete, its file was never created. */
function namedIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => String(JSON.parse(line)));
}

function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !ourName.test(basename(path))) return false;
  return (found.isFile() || found.isDirectory()) && (user === null || found.uid === user);
}

/** In a shared place, the folder may be somebody else's, who could list our files for deletion. */
function isOurFolder(): boolean {
  const found = lstatSync(folderOfLists(), { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  return user === null || (found.uid === user && (found.mode & permissionBits & ~folderOwnerOnly) === 0);
}

function removePassing(): void {
  let isAnyLeft = false;
  for (const path of passing) {
    try {
      // With `force`, Node 24 and later also pass over a path whose folder has become a file.
      rmSync(path, { recursive: true });
    } catch {
      // Windows does not delete an open file, and a folder may be read-only by now. With the list, the next command tries again.
      isAnyLeft = true;
    }
  }
  if (!isAnyLeft) list?.remove();
}
