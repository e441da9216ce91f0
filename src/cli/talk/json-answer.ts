/**
 * The one object that `--json` puts on standard output: what came of the command, or why nothing came of it. Its one rule:
 * there is never a second one.
 */
import { type Counts, emptyCounts } from '../../contract/row-state.ts';
import type { ErrorCode } from '../../errors.ts';
import { tellCommandsOf } from '../../messages/commands.ts';
import { rounded, secondsSince } from '../../seconds.ts';
import { putOut } from '../terminal/standard-streams.ts';

/** Why a command came to nothing. */
export interface Failure {
  readonly code: ErrorCode | 'unexpected';
  readonly message: string;
  readonly remedy: string;
}

/** What is known of a load before it has come to its end. */
interface LoadSubject {
  readonly run: string | null;
  readonly service: string | null;
  readonly file: string | null;
  readonly results: string | null;
}

const noSubject: LoadSubject = { run: null, service: null, file: null, results: null };

/** Their object has the keys of a load, whatever became of it. */
const loadCommands = ['import', 'resume', 'check'];

export class JsonAnswer {
  readonly #isWanted: boolean;
  readonly #began = performance.now();
  #subject: LoadSubject | null = null;
  #isUnderWay = false;
  #isGiven = false;

  /** @param words  the command line: when it cannot be read, they alone tell that an object is wanted */
  constructor(words: readonly string[]) {
    this.#isWanted = words.some((word) => word === '--json' || word === '--json=true');
  }

  ofCommand(name: string): void {
    if (loadCommands.includes(name)) this.#subject = noSubject;
  }

  /** Notes what has become known of the load. */
  about(known: Partial<LoadSubject>): void {
    if (this.#subject !== null) this.#subject = { ...this.#subject, ...known };
  }

  /** What is known of the load by now. */
  get subject(): LoadSubject {
    return this.#subject ?? noSubject;
  }

  /** The run that is under way, or `null`. */
  get runUnderWay(): string | null {
    return this.#isUnderWay ? (this.#subject?.run ?? null) : null;
  }

  /** From now on rows may be in: their counts stand in the ledger. */
  begins(run: string): void {
    this.about({ run });
    tellCommandsOf(run);
    this.#isUnderWay = true;
  }

  /** Prints what came of the command, as JSON. */
  give(text: string): void {
    if (!this.#isWanted || this.#isGiven) return;
    this.#isGiven = true;
    putOut(`${text}\n`);
  }

  /** Prints how the rows of a load stand that has sent nothing. */
  giveUnsent(counts: Counts): void {
    this.give(JSON.stringify({ ...this.#load(), counts }));
  }

  giveFailure({ code, message, remedy }: Failure): void {
    this.give(JSON.stringify({ ...this.#load(), error: { code, message, remedy } }));
  }

  #load(): object {
    if (this.#subject === null) return {};
    const seconds = rounded(secondsSince(this.#began));
    const [counts, totals, findings] = this.#isUnderWay ? [null, null, null] : [emptyCounts(), [], []];
    return { ...this.#subject, seconds, counts, totals, findings };
  }
}
