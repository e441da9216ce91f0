/** A second name of a file: made at once and whole, and never over another file. */
import { link } from 'node:fs/promises';

/** What disks answer that have no second names for a file: shares, sticks, folders of containers. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EACCES']);

/**
 * @returns `false` where the disk gives a file one name alone
 * @throws the error of the system, such as `EEXIST` when the name is taken
 */
export async function giveSecondName(path: string, name: string): Promise<boolean> {
  try {
    await link(path, name);
    return true;
  } catch (cause) {
    if (withoutLinks.has((cause as NodeJS.ErrnoException).code ?? '')) return false;
    throw cause;
  }
}
