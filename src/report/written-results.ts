/**
 * What results looked like when they were written, and which service their rows went to: so that a sheet that a person has
 * worked on since, or that holds the ids of another service, stays. Digests alone are remembered, in a private folder of ours.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderOwnerOnly, ownerOnly } from '../file-modes.ts';
import { digestOf, memoryOfResults } from '../staging/source/snapshot.ts';

/** Why what stands at a path does not give way. */
export type KeptResults =
  /** Somebody has worked on it, or it was not written here. */
  | 'changed'
  /** Its rows went to another service. */
  | 'of another service'
  /** Its rows were sent, and now none is. */
  | 'of a load';

/**
 * Whether nothing stands at the path, or exactly what was written there last and gives way.
 *
 * @param service  the one that the new results are of, or `null` when nothing was sent
 * @returns `null` when it may be replaced
 */
export async function keptResults(path: string, folder: string, service: string | null): Promise<KeptResults | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  if (!found.isFile()) return 'changed';
  const memory = await readFile(await memoryOf(path, folder), 'utf8').catch(() => '');
  const [digest = '', writtenFor] = memory.split('\n');
  if (writtenFor === undefined || digest !== (await digestOf(path).catch(() => null))) return 'changed';
  if (writtenFor === '' || writtenFor === textOf(service)) return null;
  return service === null ? 'of a load' : 'of another service';
}

/** Results that could not be remembered are whole all the same: the next ones get a name of their own. */
export async function rememberResults(path: string, folder: string, service: string | null): Promise<void> {
  try {
    const memory = await memoryOf(path, folder);
    await mkdir(dirname(memory), { recursive: true, mode: folderOwnerOnly });
    await writeFile(memory, `${await digestOf(path)}\n${textOf(service)}`, { mode: ownerOnly });
  } catch {
    return;
  }
}

async function memoryOf(path: string, folder: string): Promise<string> {
  return memoryOfResults(join(await realpath(dirname(path)), basename(path)), folder);
}

function textOf(service: string | null): string {
  return service === null ? '' : createHash('sha256').update(service).digest('hex');
}
