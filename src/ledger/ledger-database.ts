/**
 * Opens, creates, checks and copies the ledger file. Its one rule: a file that is refused is left unchanged. Only SQLite opens the
 * file, never `fs`: closing such a handle would drop the locks that SQLite holds on it for this process.
 */
import type { KeyObject } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Database, isBusy } from '../disk/database.ts';
import { folderOwnerOnly, ownerOnly } from '../disk/new-file.ts';
import { obstacleText } from '../messages/file-errors.ts';
import { errorOf } from '../messages/text.ts';
import { killPoint } from './kill-points.ts';
import { needVersion, openingFailed } from './ledger-errors.ts';
import {
  type CommitCount,
  commitCount,
  flush,
  keyCheck,
  keyOfLedger,
  keyPathOf,
  keyWithCount,
  makeKeyBeside,
  notedCommits,
} from './ledger-key.ts';
import { applicationId, schema, schemaVersion } from './schema.ts';

const busyTimeoutMs = 10_000;
const betweenTriesMs = 10;
/** Pages in the write-ahead log before a checkpoint: 16 MB. */
const checkpointPages = 4000;
/** A ledger up to this size is checked in full each time it is opened, at about 1 ms per megabyte. */
const fullCheckBytes = 32 * 1024 * 1024;

export interface LedgerDatabase {
  readonly db: Database;
  /** The path of the file with symbolic links resolved, so that it is the same under every name. */
  readonly file: string;
  readonly count: CommitCount;
  readonly key: KeyObject;
}

/**
 * @param isMeant  whether a person has accepted the ledger although its key has counted more commits than it holds, or it is gone
 * @throws DealsheetError `ledger-refused` or `ledger-failed`
 */
export function openDatabase(path: string, isMeant: boolean): LedgerDatabase {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: folderOwnerOnly });
    // A new ledger has its file before its key, and a key without a count until it is in use. So the key is looked at first.
    const [isKeyThere, noted] = [existsSync(keyPathOf(path)), notedCommits(path)];
    const file = statSync(path, { throwIfNoEntry: false });
    const isGone = file === undefined ? isKeyThere : file.size === 0 && noted > 0;
    if (isGone && !isMeant) throw errorOf('ledger-gone', { path, key: keyPathOf(path) });
    if (file?.isFile() && file.nlink > 1) throw errorOf('ledger-with-two-names', { path });
    makeFile(path);
    // Through a link that leads nowhere, SQLite would make the file.
    statSync(path);
    return openedDatabase(path, isMeant);
  } catch (error) {
    throw openingFailed(error, path);
  }
}

/** The busy timeout does not cover the moments in which several processes create a ledger at once, hence the retries. */
function openedDatabase(path: string, isMeant: boolean): LedgerDatabase {
  const until = performance.now() + busyTimeoutMs;
  for (;;) {
    const db = new Database(path);
    try {
      return checkedDatabase(db, path, isMeant);
    } catch (error) {
      db.close();
      if (!isBusy(error) || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenTriesMs);
    }
  }
}

/** Creates an empty file readable by its owner only. SQLite would make the file and its log readable by all. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', ownerOnly));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function checkedDatabase(db: Database, path: string, isMeant: boolean): LedgerDatabase {
  db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  if (isBlank(db)) make(db, path);
  const noted = notedCommits(path);
  const key = check(db, path);
  const lacks = noted - commitsIn(db);
  if (lacks > 0 && !isMeant) throw errorOf('ledger-lacks-entries', { path, commits: lacks, isOne: lacks === 1 });
  db.exec('PRAGMA journal_mode = WAL');
  // With these, a commit returns only once the disk has it, also on macOS.
  db.exec('PRAGMA synchronous = FULL');
  db.exec('PRAGMA fullfsync = ON');
  db.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  // Statement journals of many-row statements stay in memory: a file costs more than the statement itself.
  db.exec('PRAGMA temp_store = MEMORY');
  if (lacks > 0) db.prepare('UPDATE commits SET count = ?').run([noted]);
  const [, , file] = db.first<[number, string, string]>('seq, name, file', 'pragma_database_list') ?? [0, '', path];
  return { db, file, count: commitCount(db, path), key };
}

function isBlank(db: Database): boolean {
  const [application, version] = ['application_id', 'user_version'].map((name) => numberOf(db, name, `pragma_${name}`));
  return application === 0 && version === 0 && numberOf(db, 'count(*)', 'sqlite_schema') === 0;
}

/** Creates the tables, unless another process did so first. The key is on the disk before. */
function make(db: Database, path: string): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    if (isBlank(db)) {
      const key = makeKeyBeside(path);
      killPoint('key-made');
      db.exec(schema);
      db.prepare('INSERT INTO ledger (key_check) VALUES (?)').run([keyCheck(key)]);
      db.exec(`PRAGMA application_id = ${applicationId}`);
      db.exec(`PRAGMA user_version = ${schemaVersion}`);
    }
    db.exec('COMMIT');
    killPoint('ledger-made');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function check(db: Database, path: string): KeyObject {
  if (numberOf(db, 'application_id', 'pragma_application_id') !== applicationId)
    throw errorOf('no-ledger-file', { path });
  needVersion(path, numberOf(db, 'user_version', 'pragma_user_version'));
  if (statSync(path).size <= fullCheckBytes) {
    const [detail = null] = db.first<[string]>('quick_check', 'pragma_quick_check LIMIT 1') ?? [];
    if (detail !== 'ok') throw errorOf('ledger-damaged', { path, detail });
  }
  const [stored = Buffer.alloc(0)] = db.first<[Buffer]>('key_check', 'ledger') ?? [];
  return keyOfLedger(path, stored);
}

function commitsIn(db: Database): number {
  return numberOf(db, 'count', 'commits');
}

function numberOf(db: Database, column: string, from: string): number {
  return db.first<[number]>(column, from)?.[0] ?? 0;
}

/** @throws DealsheetError `ledger-refused` for a ledger that has moved to a server */
export function refuseMoved(db: Database, path: string): void {
  const place = placeMovedTo(db);
  if (place !== null) throw errorOf('ledger-moved', { path, place });
}

export function placeMovedTo(db: Database): string | null {
  const isThere = numberOf(db, 'count(*)', "sqlite_schema WHERE name = 'moved'") > 0;
  return isThere ? (db.first<[string]>('place', 'moved')?.[0] ?? null) : null;
}

/**
 * Copies the whole ledger, even while loads write to it. The key is written last, so half a backup has no key and is refused.
 * @returns the path of the copy
 * @throws DealsheetError `usage` when a file is in the way or the copy cannot be written
 */
export function backUp(db: Database, ledgerPath: string, folder: string): string {
  const copy = join(folder, basename(ledgerPath));
  const made: string[] = [];
  const make = (path: string) => {
    closeSync(openSync(path, 'wx', ownerOnly));
    made.push(path);
  };
  try {
    mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
    make(keyPathOf(copy));
    make(copy);
    db.prepare('VACUUM INTO ?').run([copy]);
    const copied = new Database(copy);
    const commits = commitsIn(copied);
    copied.close();
    flush(copy, 'r+');
    writeFileSync(keyPathOf(copy), keyWithCount(ledgerPath, commits), { flush: true });
    return copy;
  } catch (error) {
    for (const path of made) rmSync(path, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    const isTaken = code === 'EEXIST' && syscall !== 'mkdir';
    throw errorOf('ledger-not-copied', { copy, folder, isTaken, obstacle: obstacleText(error) }, error);
  }
}
