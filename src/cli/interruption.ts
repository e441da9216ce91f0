/** Ctrl-C, SIGTERM and the end of the terminal: the first ends a load in good order, a second Ctrl-C or SIGTERM at once. */
import { constants } from 'node:os';
import { exitCodes, type Failure, type JsonAnswer } from './ending.ts';
import type { Terminal } from './terminal.ts';

export interface InterruptedTalk {
  readonly stopping: () => string;
  readonly leaving: () => Failure;
}

/** An abort signal that the first interruption sets; `stop` takes the handlers away again. */
export function interruption(
  terminal: Terminal,
  answer: JsonAnswer,
  talk: InterruptedTalk,
): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) {
      const failure = talk.leaving();
      terminal.warn(`${failure.message}\n${failure.remedy}`);
      answer.giveFailure(failure);
      process.exit(exitCodes.interrupted);
    }
    controller.abort();
    terminal.warn(talk.stopping());
  };
  /** A terminal that closes says so twice, by itself and by its shell: nobody has asked to leave at once. */
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

/**
 * A command that has nothing to bring to an end dies of a signal as any program does, but goes by the way out, on which
 * half-written files are taken away.
 */
export function dieByTheWayOut(): void {
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

/** What whoever waits for this process sees in place of its exit code. */
export function exitCodeSeen(code: number): number {
  return diesOfHangUp() ? codeOfSignals + constants.signals.SIGHUP : code;
}

/**
 * A process that goes on after its terminal has closed dies of that in the end: on any other way out Node wants to give the
 * terminal back as it was, and aborts when it is gone.
 */
function dieOfHangUp(): void {
  dieOf('SIGHUP');
}

/** Whoever waits for this process learns from which signal it has died. */
function dieOf(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
