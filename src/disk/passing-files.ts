/**
 * Files that go with their process: halves of results, answers of a service. Each is noted before it is made, in a list that
 * a lock ties to the process, so that the next command takes away what a kill left behind, wherever it lies.
 * Its one rule: only what a list of this user names, whose process is gone, and that still looks like ours is taken away.
 */
import { appendFileSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { folderOwnerOnly, ownerOnly, permissionBits } from '../file-modes.ts';
import { LockedFile } from './locked-file.ts';

const user = process.getuid?.() ?? null;
/** The lists of one user: where others of this computer have theirs in the same place, the folder goes by whose it is. */
const folderOfLists = () => join(tmpdir(), `dealsheet-${user ?? 'user'}`);
const listName = { prefix: 'passing-', ending: '.list' };
const digitsByChance = '[0-9a-f]{12}';
const ourName = new RegExp(`^(?:\\..+\\.${digitsByChance}\\.tmp|dealsheet-export-${digitsByChance})$`);

/** Those that are there now: what leaves the process meanwhile has no use for them. */
const passing = new Set<string>();
let list: LockedFile | null = null;

/** To be called before the file or folder is made. On a disk that takes no list it goes with its process all the same, unless that is killed. */
export function beginPassing(path: string): void {
  if (passing.size === 0) process.on('exit', removePassing);
  passing.add(path);
  try {
    list ??= newList();
    appendFileSync(list.path, `${JSON.stringify(path)}\n`, { mode: ownerOnly });
  } catch {
    // Without the list, only what a kill would leave stays behind.
  }
}

/** Once it is removed, or stands under another name. */
export function endPassing(path: string): void {
  passing.delete(path);
  if (passing.size > 0) return;
  process.off('exit', removePassing);
  const ended = list;
  list = null;
  ended?.remove();
}

export function removeLeftPassing(): void {
  if (!isOurFolder()) return;
  LockedFile.removeLeft(folderOfLists(), listName, (list) => {
    for (const path of namedIn(list)) if (isOurs(path)) rmSync(path, { recursive: true, force: true });
  });
}

function newList(): LockedFile {
  mkdirSync(folderOfLists(), { recursive: true, mode: folderOwnerOnly });
  if (!isOurFolder()) throw new Error(`${folderOfLists()} belongs to somebody else.`);
  return LockedFile.begin(folderOfLists(), listName);
}

/** The last line may be half written: then its file was never made. */
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

/** A folder in a place for all may be somebody else's, who would name files of ours in it. */
function isOurFolder(): boolean {
  const found = lstatSync(folderOfLists(), { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  return user === null || (found.uid === user && (found.mode & permissionBits & ~folderOwnerOnly) === 0);
}

function removePassing(): void {
  for (const path of passing) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Windows keeps a file that is open; the process is on its way out, and says no more.
    }
  }
  list?.remove();
}
