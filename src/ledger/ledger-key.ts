/**
 * The key that fingerprints are made with, in a file beside the ledger: `ledger.db.key`, readable by its owner alone.
 * Its one rule: it is made once, together with its ledger, and never again for a ledger that exists.
 */
import { createHmac, createSecretKey, hash, type KeyObject, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Database, Statement } from '../disk/database.ts';
import { usageError } from '../errors.ts';
import { folderOwnerOnly, ownerOnly } from '../file-modes.ts';
import { oncePer } from '../once.ts';
import { keyRefused, teamKeyRefused } from './ledger-errors.ts';

const keyBytes = 32;
/** Behind the key stands how many commits its ledger has at least. A key that counted none ends before. */
const countBytes = 8;
const keyAndCountBytes = keyBytes + countBytes;

function isSizeOfKey(size: number): boolean {
  return size === keyBytes || size === keyAndCountBytes;
}

export function keyPathOf(ledgerPath: string): string {
  return `${ledgerPath}.key`;
}

/**
 * Where a key waits until its ledger is on the disk. Only then does it get its own name: so an empty ledger beside a key
 * under its own name is one that lost its content, and one beside a waiting key was never finished.
 */
function waitingKeyPathOf(ledgerPath: string): string {
  return `${keyPathOf(ledgerPath)}.new`;
}

/** Whether a key stands beside this ledger that was in use. */
export function hasKey(ledgerPath: string): boolean {
  return readIfThere(keyPathOf(ledgerPath)) !== null;
}

/** How many commits the ledger of this key has at least. */
export function notedCommits(ledgerPath: string): number {
  const content = readIfThere(keyPathOf(ledgerPath));
  return content?.length === keyAndCountBytes ? Number(content.readBigUInt64BE(keyBytes)) : 0;
}

export function keyWithCount(ledgerPath: string, commits: number): Buffer {
  const content = Buffer.alloc(keyAndCountBytes);
  readFileSync(keyPathOf(ledgerPath)).copy(content, 0, 0, keyBytes);
  content.writeBigUInt64BE(BigInt(commits), keyBytes);
  return content;
}

/** Gives a key for a ledger that is being made, safe on the disk: one left from a ledger that was deleted, else a fresh one. */
export function keyForNewLedger(ledgerPath: string): KeyObject {
  const left = readKey(keyPathOf(ledgerPath));
  if (left === 'no key') throw keyRefused(ledgerPath, keyPathOf(ledgerPath), 'not its own');
  if (left !== null) return left;
  const bytes = randomBytes(keyBytes);
  writeFileSync(waitingKeyPathOf(ledgerPath), bytes, { mode: ownerOnly, flush: true });
  flushFolder(ledgerPath);
  return createSecretKey(bytes);
}

/**
 * Gives the key of a ledger that exists.
 * @param check  what {@link keyCheck} gave when the ledger was made
 * @throws DealsheetError `ledger-refused` when the key is missing or another one
 */
export function keyOfLedger(ledgerPath: string, check: Buffer): KeyObject {
  const isOwn = (key: KeyObject | 'no key' | null): key is KeyObject =>
    key !== null && key !== 'no key' && keyCheck(key).equals(check);
  if (isOwn(readKey(waitingKeyPathOf(ledgerPath)))) nameKey(ledgerPath);
  const key = readKey(keyPathOf(ledgerPath));
  if (isOwn(key)) return key;
  throw keyRefused(ledgerPath, keyPathOf(ledgerPath), key === null ? 'missing' : 'not its own');
}

/** Half of a digest is enough, and keeps their index small. */
const digestDigits = 32;
const inHex = oncePer((key: KeyObject) => key.export().toString('hex'));

/** SHA-512/256 with the key in front: its cut state keeps others from extending it, so it is as safe as HMAC, and costs half. A row has a dozen. */
export function digestWith(key: KeyObject, text: string): string {
  return hash('sha512-256', inHex(key) + text).slice(0, digestDigits);
}

/** The key of a ledger on another computer, which stands on this one. @throws DealsheetError `ledger-refused` without it */
export function keyBeside(files: string, ledger: string): KeyObject {
  const key = readKey(keyPathOf(files));
  if (key === null || key === 'no key') throw teamKeyRefused(ledger, keyPathOf(files));
  return key;
}

/** @throws DealsheetError `usage` for a text that is no key; it is not repeated */
export function keyInText(text: string): KeyObject {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== keyBytes)
    throw usageError(
      'What was given as the key of the ledger is not one.',
      'Give it as dealsheet ledger share writes it.',
    );
  return createSecretKey(bytes);
}

export function keyAsText(key: KeyObject): string {
  return key.export().toString('base64');
}

/**
 * Puts a key on this computer for a ledger on another one: the one that is given, else the one that is there, else a new one.
 * @throws DealsheetError `ledger-refused` where another one is there
 */
export function makeKeyBeside(files: string, given: KeyObject | null): KeyObject {
  const path = keyPathOf(files);
  const there = readKey(path);
  if (there === 'no key' || (there !== null && given !== null && !there.equals(given)))
    throw keyRefused(files, path, 'not its own');
  const key = there ?? given ?? createSecretKey(randomBytes(keyBytes));
  if (there === null) {
    mkdirSync(dirname(path), { recursive: true, mode: folderOwnerOnly });
    writeFileSync(path, key.export(), { mode: ownerOnly, flag: 'wx', flush: true });
    flushFolder(files);
  }
  return key;
}

/** What a ledger stores to know its key again. It tells nothing about the key. */
export function keyCheck(key: KeyObject): Buffer {
  return createHmac('sha256', key).update('the key of this ledger').digest();
}

/** Gives the waiting key its own name, unless another process that opens the ledger was faster. */
function nameKey(ledgerPath: string): void {
  try {
    renameSync(waitingKeyPathOf(ledgerPath), keyPathOf(ledgerPath));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  flushFolder(ledgerPath);
}

/** A file's name is on the disk only once its folder is; not every system lets a folder be flushed. */
function flushFolder(ledgerPath: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(ledgerPath), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function readKey(path: string): KeyObject | 'no key' | null {
  const content = readIfThere(path);
  if (content === null) return null;
  return isSizeOfKey(content.length) ? createSecretKey(content.subarray(0, keyBytes)) : 'no key';
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * Counts the commits in the ledger, and notes behind its key how many of them the disk has kept. A ledger with fewer than its
 * key has noted lost some: it was copied without its log, or an older one was put in its place.
 */
export class CommitCount {
  readonly #add: Statement;
  #file: number | null;
  readonly #bytes = Buffer.alloc(countBytes);
  #noted = 0;

  constructor(db: Database, ledgerPath: string) {
    this.#add = db.prepare('UPDATE commits SET count = count + 1 RETURNING count').raw();
    this.#file = openIfWritable(keyPathOf(ledgerPath));
  }

  add(): number {
    return (this.#add.get() as [number] | undefined)?.[0] ?? 0;
  }

  /** To be called once the disk has the commit: what is noted may be too few after a power cut, and never too many. */
  note(count: number): void {
    if (this.#file === null || count <= this.#noted) return;
    this.#noted = count;
    this.#bytes.writeBigUInt64BE(BigInt(count));
    try {
      writeSync(this.#file, this.#bytes, 0, countBytes, keyBytes);
    } catch {
      // On a disk that fails the note stays behind: less is noticed later, and nothing is refused that is whole.
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    // Its number may be that of another file by now.
    this.#file = null;
  }
}

function openIfWritable(path: string): number | null {
  try {
    return openSync(path, 'r+');
  } catch {
    return null;
  }
}

const namesBeside = /(?:\.key|-wal|-shm|\.lock-\d+)$/;
const folderBeside = '.sources';

/**
 * Whether a file belongs to a ledger, so that it is never sent. It goes by names and sizes and opens nothing: closing a file drops the
 * locks that SQLite holds on it in this process.
 *
 * @param path  without symbolic links
 */
export function isOfLedger(path: string): boolean {
  return isLedger(path) || isLedger(path.replace(namesBeside, '')) || isBesideLedger(dirname(path));
}

/** Whether a folder is, or lies in, the one that holds the sources of a ledger's runs. */
function isBesideLedger(folder: string): boolean {
  if (folder.endsWith(folderBeside) && isLedger(folder.slice(0, -folderBeside.length))) return true;
  const above = dirname(folder);
  return above !== folder && isBesideLedger(above);
}

function isLedger(path: string): boolean {
  try {
    const key = statSync(keyPathOf(path));
    return key.isFile() && isSizeOfKey(key.size);
  } catch {
    // Beside a file of the longest name there is no room for another's.
    return false;
  }
}
