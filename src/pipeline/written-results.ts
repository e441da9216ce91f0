/**
 * What results looked like when they were written: so that a sheet that a person has worked on since is told from our own
 * work, and stays. Digests alone are remembered, in a private folder of ours.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { digestOf } from './snapshot.ts';

const ownerOnly = 0o600;
const folderOwnerOnly = 0o700;

/** Whether nothing stands at the path, or exactly what was written there last. */
export async function mayReplaceResults(path: string, folder: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null) return true;
  if (!found.isFile()) return false;
  const written = await readFile(await memoryOf(path, folder), 'utf8').catch(() => null);
  return written !== null && written === (await digestOf(path).catch(() => null));
}

/** Results that could not be remembered are whole all the same: the next ones get a name of their own. */
export async function rememberResults(path: string, folder: string): Promise<void> {
  try {
    const memory = await memoryOf(path, folder);
    await mkdir(dirname(memory), { recursive: true, mode: folderOwnerOnly });
    await writeFile(memory, await digestOf(path), { mode: ownerOnly });
  } catch {
    return;
  }
}

async function memoryOf(path: string, folder: string): Promise<string> {
  const place = join(await realpath(dirname(path)), basename(path));
  return join(folder, 'results', createHash('sha256').update(place).digest('hex'));
}
