/** Whether two names lead to one file, through links of either kind or another spelling. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';

export function isSameFile(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true;
  const [first, second] = [identityOf(one), identityOf(other)];
  return first !== null && first === second;
}

/** Device and number of the file that a name leads to, or `null` when it leads to none. */
function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}
