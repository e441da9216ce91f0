/**
 * The name that results get, and what becomes of the file that has it already. Results that nobody has touched give way to newer
 * ones of the same rows. Of any other file, the newest results of a load take the plain name, and it is given a number; a check, a
 * load that sent nothing and a rehearsal beside the results of the service itself take the number themselves. By what files are
 * known is remembered in a private folder of ours.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { giveNumber, type Numbered, nextFreeName } from '../disk/free-name.ts';
import { folderOwnerOnly, ownerOnly } from '../file-modes.ts';
import { isSandbox } from '../ledger/run-records.ts';
import { digestOf, memoryOfResults, type SourceCopy, standardInput } from '../staging/source/source-copy.ts';

export interface ResultsOf {
  /** The identity of the service that the rows go to, or `null` for a check. */
  readonly service: string | null;
  /** Whether they are newer than what stands at their place. */
  readonly areNewest: boolean;
}

export interface NewResults {
  readonly folder: string;
  readonly digest: string;
  /** See {@link originalOf}. */
  readonly source: string;
}

/** A file that has, or had, the name that was meant, and may not be replaced. */
export interface Besides {
  readonly path: string;
  /** `changed`: somebody has worked on it, or it was not written here. `of others`: of another file, load or service. */
  readonly why: 'changed' | 'of others' | 'loaded' | 'open elsewhere';
  /** Where it is now; `null` when it stayed, and the new results have the number. */
  readonly movedTo: string | null;
}

/** A file at the place that may not be replaced. */
interface Kept {
  readonly why: Besides['why'];
  /** Whether it was written with the results of another file, whatever became of it since. */
  readonly isOfOtherSource: boolean;
  readonly givesNumber: boolean;
}

export class ResultsPlace {
  readonly #meant: string;
  /** Whether results of this source alone have such a name, by whomever they were written. */
  readonly #isOwnName: boolean;
  readonly #made: NewResults;
  readonly #of: ResultsOf;
  #path: string;
  #why: Besides['why'] = 'open elsewhere';
  #older: Numbered | null = null;
  /** Whether a row of the results was sent, in this load or an earlier one. */
  isAnySent = false;

  private constructor(meant: string, isOwnName: boolean, made: NewResults, of: ResultsOf) {
    this.#meant = meant;
    this.#path = meant;
    this.#isOwnName = isOwnName;
    this.#made = made;
    this.#of = of;
  }

  /** @param otherName  for where the name that is meant has the results of another file; `null` for a number */
  static async find(meant: string, otherName: string | null, made: NewResults, of: ResultsOf): Promise<ResultsPlace> {
    const place = new ResultsPlace(meant, otherName !== null, made, of);
    const kept = await place.#kept(of.service);
    if (kept?.isOfOtherSource === true && otherName !== null) return ResultsPlace.find(otherName, null, made, of);
    if (kept !== null && !kept.givesNumber) {
      place.#path = nextFreeName(meant);
      place.#why = kept.why;
    }
    return place;
  }

  /** Where the results go; once they are written, where they are. */
  get path(): string {
    return this.#path;
  }

  get besides(): Besides | null {
    if (this.#path === this.#meant && this.#older === null) return null;
    return { path: this.#meant, why: this.#why, movedTo: this.#older?.path ?? null };
  }

  /** Makes room at the place for results that are whole; `false` when what stands there stays. */
  async mayReplace(place: string): Promise<boolean> {
    // A number that was free may have been taken since, by another command.
    if (place !== this.#meant) return false;
    const kept = await this.#kept(this.#serviceOfRows());
    if (kept === null) return true;
    this.#why = kept.why;
    if (!kept.givesNumber) return false;
    this.#older = await giveNumber(place);
    if (this.#older === null) this.#why = 'open elsewhere';
    return this.#older !== null;
  }

  /** Once they stand there: remembers how they, and the older ones, looked. */
  async stand(path: string): Promise<void> {
    const { folder } = this.#made;
    this.#path = path;
    if (path !== this.#meant) await this.leave();
    const older = this.#older === null ? null : await memoryOf(path, folder);
    if (this.#older !== null && older !== null) await remember(this.#older.path, folder, older);
    await rememberResults(path, this.#made, this.#serviceOfRows());
  }

  /** When they cannot come to stand there, the older ones keep their name. */
  async leave(): Promise<void> {
    if (this.#older === null) return;
    await this.#older.undo();
    this.#older = null;
    this.#why = 'open elsewhere';
  }

  #serviceOfRows(): string | null {
    return this.isAnySent ? this.#of.service : null;
  }

  /** @returns `null` when nothing stands at the place that is meant, or exactly what was written there last and gives way */
  async #kept(service: string | null): Promise<Kept | null> {
    const found = await stat(this.#meant).catch(() => null);
    if (found === null) return null;
    if (!found.isFile()) return { why: 'changed', isOfOtherSource: false, givesNumber: false };
    const { folder, digest: loaded, source } = this.#made;
    const memory = await memoryOf(this.#meant, folder);
    const isSame = memory !== null && (memory.service === null || memory.service === serviceDigest(service));
    const isOfOtherSource = memory !== null && memory.source !== source;
    const present = await digestOf(this.#meant).catch(() => null);
    const isUntouched = present !== loaded && memory?.digest === present;
    const isOfSameRows = memory?.service === null || memory?.madeFrom === loaded;
    if (isUntouched && isSame && isOfSameRows && !isOfOtherSource) return null;
    const mayPush = isSame || (service !== null && !isSandbox(service) && (this.#isOwnName || memory !== null));
    return {
      why: present === loaded ? 'loaded' : isUntouched ? 'of others' : 'changed',
      isOfOtherSource,
      givesNumber: service !== null && this.#of.areNewest && mayPush,
    };
  }
}

/** What is remembered of results as they were written; `service` is a digest, and `null` where nothing was sent. */
interface Memory {
  readonly digest: string;
  /** The digest of what it was made from. */
  readonly madeFrom: string;
  readonly service: string | null;
  /** See {@link originalOf}. */
  readonly source: string;
}

/** The path of the person's own file, of which a source may be the results; of standard input, the digest of what came there. */
export async function originalOf({ sourcePath, digest, folder }: SourceCopy): Promise<string> {
  if (sourcePath === standardInput) return digest;
  return (await memoryOf(sourcePath, folder))?.source ?? sourcePath;
}

export async function rememberResults(path: string, made: NewResults, service: string | null): Promise<void> {
  const digest = await digestOf(path).catch(() => null);
  if (digest === null) return;
  const { digest: madeFrom, source } = made;
  await remember(path, made.folder, { digest, madeFrom, service: serviceDigest(service), source });
}

/** Results that could not be remembered are whole all the same: the next ones take them for somebody's own. */
async function remember(path: string, folder: string, memory: Memory): Promise<void> {
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
