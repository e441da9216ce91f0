/**
 * Files that go with their process: halves of results, answers of a service. Each is noted before it is made, in a list that
 * a lock ties to the process, so that the next command takes away what a kill left behind, wherever it lies.
 * Its one rule: only what a list of this user names, whose process is gone, and that still looks like ours is taken away.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { folderOwnerOnly, ownerOnly, permissionBits } from '../file-modes.ts';
import { FileLock } from './file-lock.ts';

const user = process.getuid?.() ?? null;
/** The lists of one user: where others of this computer have theirs in the same place, the folder goes by whose it is. */
const folderOfLists = () => join(tmpdir(), `dealsheet-${user ?? 'user'}`);
const listName = /^passing-[0-9a-f-]{36}\.list$/;
const lockEnding = '.lock';
const digitsByChance = '[0-9a-f]{12}';
const ourName = new RegExp(`^(?:\\..+\\.${digitsByChance}\\.tmp|dealsheet-export-${digitsByChance})$`);

/** Those that are there now: what leaves the process meanwhile has no use for them. */
const passing = new Set<string>();
let list: { readonly path: string; readonly lock: FileLock } | null = null;

/** To be called before the file or folder is made. On a disk that takes no list it goes with its process all the same, unless that is killed. */
export function beginPassing(path: string): void {
  if (passing.size === 0) process.on('exit', removePassing);
  passing.add(path);
  try {
    list ??= newList();
    appendFileSync(list.path, `${JSON.stringify(path)}\n`, { mode: ownerOnly });
  } catch {
    // Nothing hangs on the list but what a kill would leave.
  }
}

/** Once it is removed, or stands under another name. */
export function endPassing(path: string): void {
  passing.delete(path);
  if (passing.size > 0) return;
  process.off('exit', removePassing);
  const ended = list;
  list = null;
  if (ended !== null) removeList(ended.path, ended.lock);
}

/** Takes away what processes that are gone have left. */
export function removeLeftPassing(): void {
  if (!isOurFolder()) return;
  const names = new Set(readdirSync(folderOfLists()).map((name) => name.replace(/\.lock$/, '')));
  for (const name of names) if (listName.test(name)) removeIfLeft(join(folderOfLists(), name));
}

function newList(): NonNullable<typeof list> {
  mkdirSync(folderOfLists(), { recursive: true, mode: folderOwnerOnly });
  if (!isOurFolder()) throw new Error(`${folderOfLists()} belongs to somebody else.`);
  for (;;) {
    const path = join(folderOfLists(), `passing-${randomUUID()}.list`);
    const lock = FileLock.take(`${path}${lockEnding}`);
    // Another process that tidies may have taken the new lock for one that was left, and removed it.
    if (lock !== null && existsSync(`${path}${lockEnding}`)) return { path, lock };
    lock?.release();
  }
}

/** What cannot be taken away now, the next command meets again. */
function removeIfLeft(path: string): void {
  try {
    const lock = FileLock.take(`${path}${lockEnding}`);
    if (lock === null) return;
    for (const named of namedIn(path)) if (isOurs(named)) rmSync(named, { recursive: true, force: true });
    removeList(path, lock);
  } catch {
    // Whatever the command is for, it does not hang on this.
  }
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

/** The lock file goes while it is held, or another process could take the name in between. */
function removeList(path: string, lock: FileLock): void {
  try {
    rmSync(path, { force: true });
    rmSync(`${path}${lockEnding}`, { force: true });
  } catch {
    // Windows removes no file that is open; an empty lock is left for the next command.
  } finally {
    lock.release();
  }
}

function removePassing(): void {
  for (const path of passing) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Windows keeps a file that is open; the process is on its way out, and says no more.
    }
  }
  if (list !== null) removeList(list.path, list.lock);
}
