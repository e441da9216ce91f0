/**
 * How a command ends: its exit code, and the one object that `--json` puts on standard output. Its one rule: there is never a
 * second one.
 */
import { type Counts, emptyCounts, rowStates } from '../contract/row-state.ts';
import { type ErrorCode, exitCodeOf, isDealsheetError } from '../errors.ts';
import type { SendingResult } from '../load/sending.ts';
import { commandText, tellCommandsOf } from '../messages/commands.ts';
import { rounded, secondsSince } from '../seconds.ts';
import { putOut, tell } from './terminal.ts';

export interface Failure {
  readonly code: ErrorCode | 'unexpected';
  readonly message: string;
  readonly remedy: string;
}

interface LoadSubject {
  readonly run: string | null;
  readonly service: string | null;
  readonly file: string | null;
  readonly results: string | null;
}

/** Their object has the keys of a load, whatever became of it. */
const loadCommands: readonly string[] = ['import', 'resume', 'check'];

export class JsonAnswer {
  readonly #isWanted: boolean;
  readonly #began = performance.now();
  #isOfLoad = false;
  #isUnderWay = false;
  #isGiven = false;
  subject: LoadSubject = { run: null, service: null, file: null, results: null };

  /** @param words  the command line: when it cannot be read, they alone tell that an object is wanted */
  constructor(words: readonly string[]) {
    this.#isWanted = words.some((word) => word === '--json' || word === '--json=true');
  }

  ofCommand(name: string): void {
    if (loadCommands.includes(name)) this.#isOfLoad = true;
  }

  about(known: Partial<LoadSubject>): void {
    this.subject = { ...this.subject, ...known };
  }

  get runUnderWay(): string | null {
    return this.#isUnderWay ? this.subject.run : null;
  }

  /** From now on rows may be in: their counts stand in the ledger. */
  begins(run: string): void {
    this.about({ run });
    tellCommandsOf(run);
    this.#isUnderWay = true;
  }

  give(object: object): void {
    if (!this.#isWanted || this.#isGiven) return;
    this.#isGiven = true;
    putOut(`${JSON.stringify(object)}\n`);
  }

  /** Prints how the rows of a load stand that has sent nothing. */
  giveUnsent(counts: Counts): void {
    this.give({ ...this.#load(), counts });
  }

  giveFailure({ code, message, remedy }: Failure): void {
    this.give({ ...this.#load(), error: { code, message, remedy } });
  }

  #load(): object {
    if (!this.#isOfLoad) return {};
    const seconds = rounded(secondsSince(this.#began));
    const [counts, totals, findings] = this.#isUnderWay ? [null, null, null] : [emptyCounts(), [], []];
    return { ...this.subject, seconds, counts, totals, findings };
  }
}

/**
 * Says why a command came to nothing.
 *
 * @param words  the command line: with --debug, where the error came from is told too
 * @returns the exit code
 */
export function tellError(error: unknown, words: readonly string[], answer: JsonAnswer): number {
  const isOurs = isDealsheetError(error);
  const failure = isOurs
    ? { code: error.code, message: error.message, remedy: error.remedy }
    : {
        code: 'unexpected' as const,
        message: `Something went wrong inside dealsheet. What was sent is in the ledger: ${commandText('runs')} shows it.`,
        remedy: 'Run the command again with --debug to see where.',
      };
  answer.giveFailure(failure);
  tell(`${failure.message}\n${failure.remedy}`);
  if (words.includes('--debug') && error instanceof Error)
    tell(`${error.stack}\n${error.cause instanceof Error ? (error.cause.stack ?? '') : ''}`);
  return endOf(error).exitCode;
}

/** The exit code of an error, and the code that a log and a notification have for it. */
export function endOf(error: unknown): { readonly exitCode: number; readonly code: Failure['code'] } {
  if (isDealsheetError(error)) return { exitCode: error.exitCode, code: error.code };
  return { exitCode: exitCodes.stopped, code: 'unexpected' };
}

/** What a code says of a command; those of errors are named where the errors are. */
export const exitCodes = {
  allIn: 0,
  someNotIn: 1,
  usage: exitCodeOf.usage,
  failedChecks: 3,
  stopped: exitCodeOf['service-unusable'],
  inDoubt: 6,
  interrupted: exitCodeOf.interrupted,
} as const;

/** Where several codes hold, the first of 130, 4, 5, 6, 3, 1 counts. */
export function exitCodeOfRun(
  ending: Pick<SendingResult, 'counts' | 'stopReason' | 'interrupted' | 'heldBack'>,
): number {
  if (ending.interrupted) return exitCodes.interrupted;
  if (ending.stopReason !== null) return exitCodeOf[ending.stopReason.code];
  if (ending.counts.inDoubt > 0) return exitCodes.inDoubt;
  if (ending.heldBack) return exitCodes.failedChecks;
  const done = Object.values(rowStates).filter(({ isDone }) => isDone);
  const rowsDone = done.reduce((rows, { count }) => rows + ending.counts[count], 0);
  return rowsDone >= ending.counts.rows ? exitCodes.allIn : exitCodes.someNotIn;
}
