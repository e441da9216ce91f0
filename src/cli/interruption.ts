/** Ctrl-C and SIGTERM: the first ends a load in good order, the second at once. */
import { exitCodes } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/**
 * An abort signal that the first interruption sets; `stop` takes the handlers away again.
 *
 * @param told  what the person is told then
 */
export function interruption(
  terminal: Terminal,
  told = 'Stopping: nothing new is sent, and what is under way may finish (30 s). Interrupt again to leave at once.',
): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
    terminal.warn(told);
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
