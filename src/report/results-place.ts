/**
 * Chooses the name of the results, and what happens to a file that has it already. Untouched results of the same rows are replaced.
 * Otherwise the newest results of a load get the plain name, and the other file gets a number. A check, a load that sent nothing, and a
 * rehearsal beside results of the service get the number themselves. A private folder remembers the digests of written results.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderOwnerOnly, giveNumber, isSameFile, nextFreeName, ownerOnly } from '../disk/new-file.ts';
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

/** A file that has, or had, the intended name, and must not be replaced. */
export interface Besides {
  readonly path: string;
  /** Where it is now; `null` if it stayed, and the new results got the number. */
  readonly movedTo: string | null;
}

interface OtherFile {
  /** Whether it was written as results of another file, even if it was edited since. */
  readonly isOfOtherSource: boolean;
  readonly givesNumber: boolean;
}

export class ResultsPlace {
  readonly #wanted: string;
  /** Whether only results of this source have such a name. */
  readonly #isOwnName: boolean;
  readonly #made: NewResults;
  readonly #of: ResultsOf;
  #path: string;
  #older: string | null = null;
  /** Whether a row of the results was sent, in this load or an earlier one. */
  isAnySent = false;

  private constructor(wanted: string, isOwnName: boolean, made: NewResults, of: ResultsOf) {
    this.#wanted = wanted;
    this.#path = wanted;
    this.#isOwnName = isOwnName;
    this.#made = made;
    this.#of = of;
  }

  /** @param otherName  used if the intended name has the results of another file; `null` for a number */
  static async find(wanted: string, otherName: string | null, made: NewResults, of: ResultsOf): Promise<ResultsPlace> {
    const place = new ResultsPlace(wanted, otherName !== null, made, of);
    const other = await place.#otherFile(of.service);
    if (other?.isOfOtherSource === true && otherName !== null) return ResultsPlace.find(otherName, null, made, of);
    if (other !== null && !other.givesNumber) place.#path = nextFreeName(wanted);
    return place;
  }

  get path(): string {
    return this.#path;
  }

  get besides(): Besides | null {
    if (this.#path === this.#wanted && this.#older === null) return null;
    return { path: this.#wanted, movedTo: this.#older };
  }

  /** Makes room for finished results. Returns `false` if the existing file stays. */
  async mayReplace(place: string): Promise<boolean> {
    // Another command may have taken the free number since.
    if (place !== this.#wanted) return false;
    const other = await this.#otherFile(this.#serviceOfRows());
    if (other === null) return true;
    if (!other.givesNumber) return false;
    this.#older = await giveNumber(place);
    return this.#older !== null;
  }

  /** Called once the results are at their path. Remembers them and the renamed older ones. */
  async remember(path: string): Promise<void> {
    const { folder } = this.#made;
    this.#path = path;
    if (path !== this.#wanted) await this.keepOlder();
    const older = this.#older === null ? null : await memoryOf(path, folder);
    if (this.#older !== null && older !== null) await writeMemory(this.#older, folder, older);
    await rememberResults(path, this.#made, this.#serviceOfRows());
  }

  /** If the results cannot be placed, the older ones keep their name alone. */
  async keepOlder(): Promise<void> {
    if (this.#older === null || !isSameFile(this.#older, this.#wanted)) return;
    await rm(this.#older).catch(() => undefined);
    this.#older = null;
  }

  #serviceOfRows(): string | null {
    return this.isAnySent ? this.#of.service : null;
  }

  /** @returns `null` if nothing is at the intended path, or only what was last written there and may be replaced */
  async #otherFile(service: string | null): Promise<OtherFile | null> {
    const found = await stat(this.#wanted).catch(() => null);
    if (found === null) return null;
    if (!found.isFile()) return { isOfOtherSource: false, givesNumber: false };
    const { folder, digest: loaded, source } = this.#made;
    const memory = await memoryOf(this.#wanted, folder);
    const isOfSameService = memory !== null && (memory.service === null || memory.service === serviceDigest(service));
    const isOfOtherSource = memory !== null && memory.source !== source;
    const present = await digestOf(this.#wanted).catch(() => null);
    const isUntouched = present !== loaded && memory?.digest === present;
    const isOfSameRows = memory?.service === null || memory?.madeFrom === loaded;
    if (isUntouched && isOfSameService && isOfSameRows && !isOfOtherSource) return null;
    const mayMoveOther =
      isOfSameService || (service !== null && !isSandbox(service) && (this.#isOwnName || memory !== null));
    return { isOfOtherSource, givesNumber: service !== null && this.#of.areNewest && mayMoveOther };
  }
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

export async function rememberResults(path: string, made: NewResults, service: string | null): Promise<void> {
  const digest = await digestOf(path).catch(() => null);
  if (digest === null) return;
  const { digest: madeFrom, source } = made;
  await writeMemory(path, made.folder, { digest, madeFrom, service: serviceDigest(service), source });
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
