/**
 * The key of the ledger's digests, in a file beside it (`ledger.db.key`) that only its owner can read. Its one rule: a key is
 * created once, together with its ledger, and never for a ledger that exists.
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
import type { Database } from '../disk/database.ts';
import { folderOwnerOnly, ownerOnly } from '../disk/new-file.ts';
import { errorOf } from '../messages/text.ts';
import { oncePer } from '../once.ts';

const keyBytes = 32;
/** After the key, the file holds the minimum number of commits of its ledger. A key file without the count is valid too. */
const countBytes = 8;
const keyAndCountBytes = keyBytes + countBytes;

function isSizeOfKey(size: number): boolean {
  return size === keyBytes || size === keyAndCountBytes;
}

export function keyPathOf(ledgerPath: string): string {
  return `${ledgerPath}.key`;
}

/** The number of commits that the ledger of this key must have at least; 0 for one that was never in use. */
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

/**
 * Returns the key of an existing ledger.
 * @param check  the result of {@link keyCheck} when the ledger was created
 * @throws DealsheetError `ledger-refused` when the key is missing or belongs to another ledger
 */
export function keyOfLedger(ledgerPath: string, check: Buffer): KeyObject {
  const key = readKey(ledgerPath);
  if (key !== null && key !== 'no key' && keyCheck(key).equals(check)) return key;
  throw errorOf('ledger-without-key', { path: ledgerPath, key: keyPathOf(ledgerPath), isMissing: key === null });
}

/** Half of the digest: 128 bits are enough, and keep the index small. */
const digestDigits = 32;
const inHex = oncePer((key: KeyObject) => key.export().toString('hex'));

/** SHA-512/256 of key and text. Its truncated state prevents length extension: as safe as HMAC at half the cost, and a row has a dozen. */
export function digestWith(key: KeyObject, text: string): string {
  return hash('sha512-256', inHex(key) + text).slice(0, digestDigits);
}

/** The local key of a remote ledger. @throws DealsheetError `ledger-refused` if it is missing */
export function keyBeside(files: string, ledger: string): KeyObject {
  const key = readKey(files);
  if (key === null || key === 'no key') throw errorOf('team-key-missing', { ledger, key: keyPathOf(files) });
  return key;
}

/** @throws DealsheetError `usage` for a text that is no key; the message does not repeat it */
export function keyInText(text: string): KeyObject {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== keyBytes) throw errorOf('ledger-key-unreadable');
  return createSecretKey(bytes);
}

export function keyAsText(key: KeyObject): string {
  return key.export().toString('base64');
}

/**
 * Stores a key for a new ledger, durable on the disk: the given one, else the one of an earlier ledger that is still there, else a new one.
 * @throws DealsheetError `ledger-refused` where a different key exists
 */
export function makeKeyBeside(files: string, given: KeyObject | null = null): KeyObject {
  const there = readKey(files);
  if (there === 'no key' || (there !== null && given !== null && !there.equals(given)))
    throw errorOf('ledger-without-key', { path: files, key: keyPathOf(files), isMissing: false });
  if (there !== null) return there;
  mkdirSync(dirname(files), { recursive: true, mode: folderOwnerOnly });
  return writeKey(files, given ?? createSecretKey(randomBytes(keyBytes)));
}

/** Identifies the key in the ledger without revealing it. */
export function keyCheck(key: KeyObject): Buffer {
  return createHmac('sha256', key).update('the key of this ledger').digest();
}

/** Whole or not at all. */
function writeKey(ledgerPath: string, key: KeyObject): KeyObject {
  const path = keyPathOf(ledgerPath);
  writeFileSync(`${path}.new`, key.export(), { mode: ownerOnly, flush: true });
  renameSync(`${path}.new`, path);
  // A file name is durable only once its folder is flushed, which Windows does not allow.
  if (process.platform !== 'win32') flush(dirname(path), 'r');
  return key;
}

export function flush(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function readKey(ledgerPath: string): KeyObject | 'no key' | null {
  const content = readIfThere(keyPathOf(ledgerPath));
  if (content === null) return null;
  return isSizeOfKey(content.length) ? createSecretKey(content.subarray(0, keyBytes)) : 'no key';
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export type CommitCount = ReturnType<typeof commitCount>;

/**
 * Counts the commits in the ledger, and stores after the key how many of them are on the disk. A ledger with fewer commits than
 * its key counted has lost some: it was copied without its log, or replaced by an older copy.
 */
export function commitCount(db: Database, ledgerPath: string) {
  const adding = db.prepare('UPDATE commits SET count = count + 1 RETURNING count').raw();
  const bytes = Buffer.alloc(countBytes);
  let file = openIfWritable(keyPathOf(ledgerPath));
  let noted = 0;
  return {
    add: () => (adding.get() as [number] | undefined)?.[0] ?? 0,
    /** Call it once the commit is on the disk. After a power cut the stored count may be too low, never too high. */
    note(count: number): void {
      if (file === null || count <= noted) return;
      noted = count;
      bytes.writeBigUInt64BE(BigInt(count));
      try {
        writeSync(file, bytes, 0, countBytes, keyBytes);
      } catch {
        // On a failing disk the count stays too low. Lost commits may go unnoticed, but no intact ledger is refused.
      }
    },
    close(): void {
      if (file !== null) closeSync(file);
      // The file descriptor may be reused for another file.
      file = null;
    },
  };
}

function openIfWritable(path: string): number | null {
  try {
    return openSync(path, 'r+');
  } catch {
    return null;
  }
}

const namesBeside = /(?:\.key|-wal|-shm|\.lock-\d+|\.sources)$/;

/**
 * Whether a file belongs to a ledger, so that it is never sent. It checks names and sizes and opens nothing: closing a file drops
 * the locks that SQLite holds on it in this process.
 * @param path  with symbolic links resolved
 */
export function isOfLedger(path: string): boolean {
  const above = dirname(path);
  return isLedger(path.replace(namesBeside, '')) || (above !== path && isOfLedger(above));
}

function isLedger(path: string): boolean {
  try {
    const key = statSync(keyPathOf(path));
    return key.isFile() && isSizeOfKey(key.size);
  } catch {
    // Appending `.key` to a file name of maximum length fails.
    return false;
  }
}
