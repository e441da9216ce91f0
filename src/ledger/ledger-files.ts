/**
 * Which files belong to a ledger, so that none of them is ever sent. Its one rule: it goes by names and sizes and opens
 * nothing. Closing a file drops the locks that SQLite holds on it in this process.
 */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isSizeOfKey, keyPathOf } from './ledger-key.ts';

const namesBeside = /(?:\.key|-wal|-shm|\.lock-\d+)$/;
const folderBeside = '.sources';

/** @param path  without symbolic links */
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
