/**
 * What results looked like when they were written, of which source they are, and which service their rows went to: so that a sheet
 * that a person has worked on since, or that holds other rows or the ids of another service, stays. It is remembered in a private
 * folder of ours.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderOwnerOnly, ownerOnly } from '../file-modes.ts';
import { digestOf, memoryOfResults, type Snapshot, standardInput } from '../staging/source/snapshot.ts';

/** A file that does not give way to new results. */
export interface KeptResults {
  readonly why: /** Somebody has worked on it, or it was not written here. */
    | 'changed'
    /** It has the results of another file. */
    | 'of another source'
    /** It has the results of the file as it was before. */
    | 'of an earlier load'
    /** Its rows went to another service. */
    | 'of another service'
    /** Its rows were sent, and now none is. */
    | 'of a load'
    /** It is what the new results were made from. */
    | 'loaded'
    | 'open elsewhere';
  /** What is remembered of it as it was written; `null` when it is no file. */
  readonly of: 'this service' | 'another service' | 'unknown' | null;
  /** Whether it was written with the results of another file, whatever became of it since. */
  readonly isOfOtherSource: boolean;
}

/** What is remembered of results; `service` is a digest, and `null` where nothing was sent. */
interface Memory {
  readonly digest: string;
  /** The digest of what it was made from. */
  readonly madeFrom: string;
  readonly service: string | null;
  /** See {@link originalOf}. */
  readonly source: string;
}

export interface NewResults {
  readonly folder: string;
  /** The digest of what they were made from. */
  readonly digest: string;
  /** See {@link originalOf}. */
  readonly source: string;
}

/** The path of the person's own file, of which a source may be the results; of standard input, the digest of what came there. */
export async function originalOf({ sourcePath, digest, folder }: Snapshot): Promise<string> {
  if (sourcePath === standardInput) return digest;
  return (await memoryOf(sourcePath, folder))?.source ?? sourcePath;
}

/**
 * Whether nothing stands at the path, or exactly what was written there last and gives way.
 *
 * @param service  the one that the new results are of, or `null` when nothing was sent
 * @returns `null` when it may be replaced
 */
export async function keptResults(
  path: string,
  { folder, digest: loaded, source }: NewResults,
  service: string | null,
): Promise<KeptResults | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  if (!found.isFile()) return { why: 'changed', of: null, isOfOtherSource: false };
  const memory = await memoryOf(path, folder);
  const isOfService = memory !== null && (memory.service === null || memory.service === serviceDigest(service));
  const isOfOtherSource = memory !== null && memory.source !== source;
  const of = memory === null ? 'unknown' : isOfService ? 'this service' : 'another service';
  const present = await digestOf(path).catch(() => null);
  const kept = (why: KeptResults['why']): KeptResults => ({ why, of, isOfOtherSource });
  if (present === loaded) return kept('loaded');
  if (memory?.digest !== present) return kept('changed');
  if (isOfOtherSource) return kept('of another source');
  if (isOfService) return memory.service === null || memory.madeFrom === loaded ? null : kept('of an earlier load');
  return kept(service === null ? 'of a load' : 'of another service');
}

/** Results that could not be remembered are whole all the same: the next ones take them for somebody's own. */
export async function rememberResults(path: string, made: NewResults, service: string | null): Promise<void> {
  await remember(path, made.folder, async () => {
    const { digest: madeFrom, source } = made;
    const memory: Memory = { digest: await digestOf(path), madeFrom, service: serviceDigest(service), source };
    return JSON.stringify(memory);
  });
}

/** What has another name now is known by that one as well. */
export async function rememberRenamed(from: string, to: string, folder: string): Promise<void> {
  await remember(to, folder, async () => readFile(await placeOfMemory(from, folder)));
}

async function remember(path: string, folder: string, what: () => Promise<string | Buffer>): Promise<void> {
  try {
    const memory = await placeOfMemory(path, folder);
    const content = await what();
    await mkdir(dirname(memory), { recursive: true, mode: folderOwnerOnly });
    await writeFile(memory, content, { mode: ownerOnly });
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
