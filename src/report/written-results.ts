/**
 * What results looked like when they were written, and which service their rows went to: so that a sheet that a person has
 * worked on since, or that holds the ids of another service, stays. Digests alone are remembered, in a private folder of ours.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderOwnerOnly, ownerOnly } from '../file-modes.ts';
import { digestOf, memoryOfResults } from '../staging/source/snapshot.ts';

/** A file that does not give way to new results. */
export interface KeptResults {
  readonly why: /** Somebody has worked on it, or it was not written here. */
    | 'changed'
    /** Its rows went to another service. */
    | 'of another service'
    /** Its rows were sent, and now none is. */
    | 'of a load'
    /** It is what the new results were made from. */
    | 'loaded'
    | 'open elsewhere';
  /** What is remembered of it as it was written; `null` when it is no file. */
  readonly of: 'this service' | 'another service' | 'unknown' | null;
}

export interface NewResults {
  readonly folder: string;
  /** The digest of what they were made from. */
  readonly digest: string;
}

/**
 * Whether nothing stands at the path, or exactly what was written there last and gives way.
 *
 * @param service  the one that the new results are of, or `null` when nothing was sent
 * @returns `null` when it may be replaced
 */
export async function keptResults(
  path: string,
  { folder, digest: loaded }: NewResults,
  service: string | null,
): Promise<KeptResults | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  if (!found.isFile()) return { why: 'changed', of: null };
  const memory = await readFile(await memoryOf(path, folder), 'utf8').catch(() => '');
  const [digest, writtenFor] = memory.split('\n');
  const isOfService = writtenFor === '' || writtenFor === textOf(service);
  const of = writtenFor === undefined ? 'unknown' : isOfService ? 'this service' : 'another service';
  const present = await digestOf(path).catch(() => null);
  if (present === loaded) return { why: 'loaded', of };
  if (of === 'unknown' || digest !== present) return { why: 'changed', of };
  if (isOfService) return null;
  return { why: service === null ? 'of a load' : 'of another service', of };
}

/** Results that could not be remembered are whole all the same: the next ones take them for somebody's own. */
export async function rememberResults(path: string, folder: string, service: string | null): Promise<void> {
  await remember(path, folder, async () => `${await digestOf(path)}\n${textOf(service)}`);
}

/** What has another name now is known by that one as well. */
export async function rememberRenamed(from: string, to: string, folder: string): Promise<void> {
  await remember(to, folder, async () => readFile(await memoryOf(from, folder)));
}

async function remember(path: string, folder: string, what: () => Promise<string | Buffer>): Promise<void> {
  try {
    const memory = await memoryOf(path, folder);
    const content = await what();
    await mkdir(dirname(memory), { recursive: true, mode: folderOwnerOnly });
    await writeFile(memory, content, { mode: ownerOnly });
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
