/** Whether two names lead to one file, through links of either kind or another spelling. */
import { basename, dirname, resolve } from 'node:path';
import { fileAt } from './file-at.ts';

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
