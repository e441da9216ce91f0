/**
 * A small new file that is there whole, or not at all: half of one would be in the way of the next try. What was there before is
 * never taken away: it may be a device, or a link to a disk that is not there now.
 */
import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { obstacleText, usageError } from '../errors.ts';

/** @throws DealsheetError `usage` when it cannot be written */
export function writeWhole(path: string, content: string | Buffer, how: { flag?: 'wx'; mode?: number } = {}): void {
  const wasThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  try {
    writeFileSync(path, content, how);
  } catch (error) {
    // One that is there after all was put there by somebody else meanwhile.
    if (!wasThere && (error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(path, { force: true });
    throw usageError(`${path} cannot be written${obstacleText(error)}.`, 'Name another place.', error);
  }
}
