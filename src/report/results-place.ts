/**
 * The name that results get, and what becomes of the file that has it already. The newest results of a load have the plain
 * name, and an older file there that may not be replaced is given a number. A check, a load that sent nothing and a rehearsal
 * beside the results of the service itself take the number themselves.
 */
import { giveNumber, type Numbered, nextFreeName } from '../disk/free-name.ts';
import { isSandbox } from '../ledger/sandbox-identity.ts';
import { type KeptResults, keptResults, type NewResults, rememberRenamed, rememberResults } from './written-results.ts';

/** What results are of. */
export interface ResultsOf {
  /** The identity of the service that the rows go to, or `null` for a check. */
  readonly service: string | null;
  /** Whether they are newer than what stands at their place. */
  readonly areNewest: boolean;
}

/** A file that has, or had, the name that was meant, and may not be replaced. */
export interface Besides {
  readonly path: string;
  readonly why: KeptResults['why'];
  /** Where it is now; `null` when it stayed, and the new results have the number. */
  readonly movedTo: string | null;
}

export class ResultsPlace {
  readonly #meant: string;
  /** Whether results of this source alone have such a name, by whomever they were written. */
  readonly #isOwnName: boolean;
  readonly #made: NewResults;
  readonly #of: ResultsOf;
  #path: string;
  #why: KeptResults['why'] = 'open elsewhere';
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
    const kept = await keptResults(meant, made, of.service);
    if (kept?.isOfOtherSource === true && otherName !== null) return ResultsPlace.find(otherName, null, made, of);
    const place = new ResultsPlace(meant, otherName !== null, made, of);
    if (kept !== null && !place.#givesNumber(kept, of.service)) {
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
    const service = this.#serviceOfRows();
    const kept = await keptResults(place, this.#made, service);
    if (kept === null) return true;
    this.#why = kept.why;
    if (!this.#givesNumber(kept, service)) return false;
    this.#older = await giveNumber(place);
    if (this.#older === null) this.#why = 'open elsewhere';
    return this.#older !== null;
  }

  /** Once they stand there: remembers how they, and the older ones, looked. */
  async stand(path: string): Promise<void> {
    this.#path = path;
    if (path !== this.#meant) await this.leave();
    if (this.#older !== null) await rememberRenamed(path, this.#older.path, this.#made.folder);
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

  #givesNumber({ of }: KeptResults, service: string | null): boolean {
    if (service === null || !this.#of.areNewest || of === null) return false;
    if (of === 'this service') return true;
    return !isSandbox(service) && (this.#isOwnName || of === 'another service');
  }
}
