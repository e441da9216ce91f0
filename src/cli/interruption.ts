/** Ctrl-C and SIGTERM: the first ends a load in good order, the second at once. */
import { exitCodes } from './exit-code.ts';
import type { Failure, JsonAnswer } from './json-answer.ts';
import type { Terminal } from './terminal.ts';

export interface InterruptedTalk {
  /** What the person is told at the first one. */
  readonly stopping: string;
  /** What the person is told on the way out at the second one; it must not wait for anything. */
  readonly leaving: () => Failure;
}

export const stoppingLoad =
  'Stopping: nothing new is sent, and what is under way may finish (30 s). Interrupt again to leave at once.';

/** An abort signal that the first interruption sets; `stop` takes the handlers away again. */
export function interruption(
  terminal: Terminal,
  answer: JsonAnswer,
  talk: InterruptedTalk,
): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) leave(terminal, answer, talk.leaving());
    controller.abort();
    terminal.warn(talk.stopping);
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return {
    signal: controller.signal,
    stop: () => {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    },
  };
}

function leave(terminal: Terminal, answer: JsonAnswer, failure: Failure): never {
  terminal.warn(`${failure.message}\n${failure.remedy}`);
  answer.giveFailure({ ...failure, remedy: terminal.whole(failure.remedy) });
  process.exit(exitCodes.interrupted);
}
