/** How a command ends: its exit code, its reaction to signals, and the single object that `--json` prints. */

import { constants } from 'node:os';
import { emptyCounts, rowStates } from '../contract/row-state.ts';
import { type ErrorCode, exitCodeOf, isDealsheetError, isForRoom } from '../errors.ts';
import type { SendingResult } from '../load/sending.ts';
import { setRunOfCommands } from '../messages/commands.ts';
import { obstacleText } from '../messages/file-errors.ts';
import { errorOf } from '../messages/text.ts';
import { rounded, secondsSince } from './formats.ts';
import { putOut, type Terminal, tell } from './terminal.ts';

export interface Failure {
  readonly code: ErrorCode | 'unexpected';
  /** The code of the text. */
  readonly reason: string;
  readonly message: string;
  readonly remedy: string;
}

type LoadSubject = Readonly<Record<'run' | 'service' | 'file' | 'results', string | null>>;

/** Their JSON object always has the members of a load. */
const loadCommands: readonly string[] = ['import', 'resume', 'check'];

export class JsonAnswer {
  readonly #isWanted: boolean;
  readonly #began = performance.now();
  #isOfLoad = false;
  #isUnderWay = false;
  #isGiven = false;
  subject: LoadSubject = { run: null, service: null, file: null, results: null };

  /** @param words  the command line, which is enough to see that JSON is wanted even when it cannot be parsed */
  constructor(words: readonly string[]) {
    this.#isWanted = words.some((word) => word === '--json' || word === '--json=true');
  }

  beginCommand(name: string): void {
    if (loadCommands.includes(name)) this.#isOfLoad = true;
  }

  about(known: Partial<LoadSubject>): void {
    this.subject = { ...this.subject, ...known };
  }

  get runUnderWay(): string | null {
    return this.#isUnderWay ? this.subject.run : null;
  }

  /** From now on rows may be in, and the ledger has their counts. */
  begins(run: string): void {
    this.about({ run });
    setRunOfCommands(run);
    this.#isUnderWay = true;
  }

  give(object: object): void {
    if (!this.#isWanted || this.#isGiven) return;
    this.#isGiven = true;
    putOut(`${JSON.stringify(object)}\n`);
  }

  giveFailure({ code, reason, message, remedy }: Failure, came: object = {}): void {
    this.giveLoad({ ...came, error: { code, reason, message, remedy } });
  }

  /** Gives the object of a load with its known members; for any other command, `came` only. */
  giveLoad(came: object): void {
    const seconds = rounded(secondsSince(this.#began));
    const [counts, totals, findings] = this.#isUnderWay ? [null, null, null] : [emptyCounts(), [], []];
    this.give({ ...(this.#isOfLoad && { ...this.subject, seconds, counts, totals, findings }), ...came });
  }
}

/**
 * Reports why a command failed.
 *
 * @param words  the command line: with --debug, prints the stack too
 * @returns the exit code
 */
export function tellError(error: unknown, words: readonly string[], answer: JsonAnswer): number {
  const failure = failureOf(error, answer.runUnderWay);
  answer.giveFailure(failure);
  tell(`${failure.message}\n${failure.remedy}`);
  if (words.includes('--debug') && error instanceof Error)
    tell(`${error.stack}\n${error.cause instanceof Error ? (error.cause.stack ?? '') : ''}`);
  return failure.exitCode;
}

/** @param run  the run that is under way: then more may have failed than a file */
export function failureOf(error: unknown, run: string | null = null): Failure & { readonly exitCode: number } {
  if (isDealsheetError(error)) return error;
  const { path = null } = (error ?? {}) as NodeJS.ErrnoException;
  if (run === null && (path !== null || isForRoom(error)))
    return errorOf('file-unusable', { path, obstacle: obstacleText(error) }, error);
  const { exitCode, reason, message, remedy } = errorOf('unexpected');
  return { code: 'unexpected', exitCode, reason, message, remedy };
}

/** The exit codes of commands; those of errors are declared with the errors. */
export const exitCodes = {
  allIn: 0,
  someNotIn: 1,
  usage: exitCodeOf.usage,
  failedChecks: 3,
  inDoubt: 6,
  interrupted: exitCodeOf.interrupted,
} as const;

/** When several codes apply, the first of 130, 4, 5, 6, 3, 1 counts. */
export function exitCodeOfRun(
  ending: Pick<SendingResult, 'counts' | 'stopReason' | 'interrupted' | 'heldBack' | 'unwritten'>,
): number {
  if (ending.interrupted) return exitCodes.interrupted;
  const { notSent, ready, failed } = ending.counts;
  const isResumable = notSent + ready + failed > 0;
  const stop = ending.stopReason?.code;
  if (stop !== undefined && (isResumable || stop === 'token-refused')) return exitCodeOf[stop];
  if (ending.counts.inDoubt > 0) return exitCodes.inDoubt;
  if (ending.heldBack) return exitCodes.failedChecks;
  const done = Object.values(rowStates).filter(({ isDone }) => isDone);
  const rowsDone = done.reduce((rows, { count }) => rows + ending.counts[count], 0);
  return rowsDone >= ending.counts.rows && ending.unwritten === null ? exitCodes.allIn : exitCodes.someNotIn;
}

/** An abort signal that the first interruption sets. `stop` removes the handlers. */
export function interruption(
  terminal: Terminal,
  answer: JsonAnswer,
  texts: { readonly stopping: () => string; readonly left: () => Failure },
) {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) {
      const failure = texts.left();
      terminal.warn(`${failure.message}\n${failure.remedy}`);
      answer.giveFailure(failure);
      process.exit(exitCodes.interrupted);
    }
    controller.abort();
    terminal.warn(texts.stopping());
  };
  /** A closing terminal sends SIGHUP twice, once through its shell. Unlike a second Ctrl-C, that does not mean to stop at once. */
  const hangUp = () => {
    if (diesOfHangUp()) return;
    process.once('exit', dieOfHangUp);
    if (!controller.signal.aborted) interrupt();
  };
  const handlers = { SIGINT: interrupt, SIGTERM: interrupt, SIGHUP: hangUp };
  const signals = Object.keys(handlers) as (keyof typeof handlers)[];
  for (const signal of signals) process.on(signal, handlers[signal]);
  return {
    signal: controller.signal,
    stop: () => {
      for (const signal of signals) process.off(signal, handlers[signal]);
    },
  };
}

/** Lets a signal end a command without a load as usual, but after the exit handlers, which remove half-written files. */
export function exitBySignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) > 1) return;
      process.once('exit', () => dieOf(signal));
      process.exit();
    });
  }
}

const codeOfSignals = 128;

function diesOfHangUp(): boolean {
  return process.listeners('exit').includes(dieOfHangUp);
}

/** The exit code that the parent process sees. */
export function exitCodeSeen(code: number): number {
  return diesOfHangUp() ? codeOfSignals + constants.signals.SIGHUP : code;
}

/** On any other exit Node restores the terminal, and aborts when the terminal is closed. */
function dieOfHangUp(): void {
  dieOf('SIGHUP');
}

/** Windows has no signals: there a command that kills itself ends with the wrong code, or cannot. */
function dieOf(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  if (process.platform === 'win32') process.exitCode = codeOfSignals + constants.signals[signal];
  else process.kill(process.pid, signal);
}
