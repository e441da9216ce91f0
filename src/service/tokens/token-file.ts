/** A token that stands in a file. A file that others can read is no place for one. */
import { open } from 'node:fs/promises';
import { DealsheetError } from '../../errors.ts';
import { type Credentials, tokenIn } from './credentials.ts';

/** Read, write or execute for the group or for others. */
const othersMode = 0o077;
const largestFile = 64 * 1024;

/**
 * A token from a file; it is read again when the service refuses the token, for whoever renews it in place.
 * On Windows the mode says nothing, and is not looked at.
 */
export function tokenFromFile(path: string): Credentials {
  return { token: () => readTokenFile(path) };
}

async function readTokenFile(path: string): Promise<string> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw new DealsheetError(
      'usage',
      `The token file ${path} cannot be opened.`,
      'Check the path and that you may read the file.',
      { cause },
    );
  });
  try {
    const { mode, size } = await file.stat();
    if (isOpenToOthers(mode)) {
      throw new DealsheetError(
        'usage',
        `Other people on this computer can read the token file ${path}.`,
        `Take their rights away: chmod 600 ${path}. Then think about whether the token needs to be replaced.`,
      );
    }
    if (size > largestFile) {
      throw new DealsheetError(
        'usage',
        `The file ${path} is too large to be a token file.`,
        'Name the file that holds the token alone.',
      );
    }
    return tokenIn(await file.readFile('utf8'), `the file ${path}`);
  } finally {
    await file.close();
  }
}

/** Whether other people on this computer can read a file of this mode. On Windows the mode does not say. */
export function isOpenToOthers(mode: number): boolean {
  return process.platform !== 'win32' && (mode & othersMode) !== 0;
}
