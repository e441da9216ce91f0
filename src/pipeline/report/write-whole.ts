/** A small file that is there whole, or not at all: half of one would be in the way of the next try. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';

export function writeWhole(path: string, content: string | Buffer, how: { flag?: 'wx'; mode?: number } = {}): void {
  const wasThere = existsSync(path);
  try {
    writeFileSync(path, content, how);
  } catch (error) {
    // One that is there after all was put there by somebody else meanwhile.
    if (!wasThere && (error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(path, { force: true });
    throw error;
  }
}

/** Why a file cannot be written, to go behind its name. */
export function obstacleText(cause: unknown): string {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return ': there is no room on that disk';
  return code === undefined ? '' : ` (${code})`;
}
