/**
 * What happens to a file that has the name of new results. Untouched results of the same rows are replaced. Otherwise the newest
 * results of a load get the plain name, and the other file gets a number. A check, a load that sent nothing, and a rehearsal beside
 * results of the service get the number themselves. A private folder remembers the digests of written results.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderOwnerOnly, isSameFile, ownerOnly, plainName } from '../disk/new-file.ts';
import { isSandbox } from '../ledger/run-records.ts';
import { digestOf, memoryOfResults, type SourceCopy, standardInput } from '../staging/source/source-copy.ts';

export interface ResultsOf {
  /** The identity of the service that the rows go to; `null` for a check. */
  readonly service: string | null;
  /** Whether they are newer than the file at their path. */
  readonly areNewest: boolean;
}

export interface NewResults {
  readonly folder: string;
  readonly digest: string;
  /** See {@link originalOf}. */
  readonly source: string;
}

/**
 * @param isOwnName  whether only results of this source have such a name
 * @returns `other` if it was written as results of another file, even if it was edited since, and has the name that this source has too
 */
export async function fateOf(
  path: string,
  { folder, digest: loaded, source }: NewResults,
  { service, areNewest }: ResultsOf,
  isOwnName: boolean,
): Promise<'replace' | 'move' | 'stay' | 'other'> {
  const found = await stat(path).catch(() => null);
  if (found === null) return 'replace';
  if (!found.isFile()) return 'stay';
  const memory = await memoryOf(path, folder);
  const isOfSource = memory !== null && isSameFile(memory.source, source);
  // Whoever loaded results that this ledger did not know named no other file.
  if (isOwnName && memory !== null && !isOfSource && plainName(memory.source) !== path) return 'other';
  const present = await digestOf(path).catch(() => null);
  const isUntouched = present !== loaded && memory?.digest === present;
  const isOfService = memory !== null && (memory.service === null || memory.service === serviceDigest(service));
  const isOfRows = isOfSource && (memory?.service === null || memory?.madeFrom === loaded);
  if (isUntouched && isOfService && isOfRows) return 'replace';
  const mayMove = isOfService || (service !== null && !isSandbox(service) && (isOwnName || memory !== null));
  return service !== null && areNewest && mayMove ? 'move' : 'stay';
}

/** What is remembered of written results. `service` is a digest, or `null` if nothing was sent. */
interface Memory {
  readonly digest: string;
  /** The digest of the source. */
  readonly madeFrom: string;
  readonly service: string | null;
  /** See {@link originalOf}. */
  readonly source: string;
}

/** The path of the user's own file, even if the source is its results. For standard input, the digest of its bytes. */
export async function originalOf({ sourcePath, digest, folder }: SourceCopy): Promise<string> {
  if (sourcePath === standardInput) return digest;
  return (await memoryOf(sourcePath, folder))?.source ?? sourcePath;
}

/**
 * @param service  `null` if no row of them was ever sent
 * @param older  the new path of the file that had this one
 */
export async function rememberResults(
  path: string,
  { folder, digest: madeFrom, source }: NewResults,
  service: string | null,
  older: string | null = null,
): Promise<void> {
  const before = older === null ? null : await memoryOf(path, folder);
  if (older !== null && before !== null) await writeMemory(older, folder, before);
  const digest = await digestOf(path).catch(() => null);
  if (digest !== null) await writeMemory(path, folder, { digest, madeFrom, service: serviceDigest(service), source });
}

/** If this fails, the results are complete all the same. The next load takes them for edited. */
async function writeMemory(path: string, folder: string, memory: Memory): Promise<void> {
  try {
    const place = await placeOfMemory(path, folder);
    await mkdir(dirname(place), { recursive: true, mode: folderOwnerOnly });
    await writeFile(place, JSON.stringify(memory), { mode: ownerOnly });
  } catch {
    return;
  }
}

async function memoryOf(path: string, folder: string): Promise<Memory | null> {
  try {
    return JSON.parse(await readFile(await placeOfMemory(path, folder), 'utf8')) as Memory;
  } catch {
    return null;
  }
}

async function placeOfMemory(path: string, folder: string): Promise<string> {
  return memoryOfResults(join(await realpath(dirname(path)), basename(path)), folder);
}

function serviceDigest(service: string | null): string | null {
  return service === null ? null : createHash('sha256').update(service).digest('hex');
}
