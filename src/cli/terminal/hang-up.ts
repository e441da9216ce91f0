/**
 * The end of a terminal. A process that goes on after it is to die of it in the end: on any other way out Node wants to give the
 * terminal back as it was, and aborts when it is gone.
 */
import { constants } from 'node:os';

/** Shells add the number of a signal to it. */
const codeOfSignals = 128;

/** Makes the process die of it on its way out, whatever it comes to. */
export function dieOfHangUpInTheEnd(): void {
  process.once('exit', dieOfHangUp);
}

export function diesOfHangUp(): boolean {
  return process.listeners('exit').includes(dieOfHangUp);
}

/** What whoever waits for this process sees in place of its exit code. */
export function exitCodeSeen(code: number): number {
  return diesOfHangUp() ? codeOfSignals + constants.signals.SIGHUP : code;
}

function dieOfHangUp(): void {
  dieOf('SIGHUP');
}

/** Whoever waits for this process learns from which signal it has died. */
export function dieOf(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
