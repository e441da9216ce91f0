/** What stands at a path, and whether two names lead to one file, through links of either kind or another spelling. */
import { type BigIntStats, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/**
 * @returns `null` when nothing stands there, or nobody can tell: what cannot be looked at cannot be written either, and that is
 *   said when it is tried
 */
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

/** Device and number of the file that a name leads to; of one that is not there yet, those of its folder, and its name. */
function identityOf(path: string): string | null {
  const ofFile = deviceAndNumber(path);
  if (ofFile !== null) return ofFile;
  const ofFolder = deviceAndNumber(dirname(path));
  return ofFolder === null ? null : `${ofFolder}/${basename(path)}`;
}

function deviceAndNumber(path: string): string | null {
  const found = fileAt(path);
  return found === null ? null : `${found.dev}:${found.ino}`;
}
