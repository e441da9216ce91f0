/** Runs the sandbox in its own thread, so that a load in this process and the sandbox do not block each other. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DealsheetError } from '../errors.ts';
import { errorOf } from '../messages/text.ts';
import type { RunningSandbox, SandboxOptions } from './server.ts';

/** Everything else that a running sandbox offers goes through its control addresses. */
export type SandboxThread = Pick<RunningSandbox, 'url' | 'port' | 'token' | 'key' | 'stop'>;

/**
 * Starts the sandbox in a thread. Needs the compiled files where Node cannot run TypeScript.
 *
 * @throws DealsheetError as {@link startSandbox} does
 */
export async function startSandboxThread(options: SandboxOptions): Promise<SandboxThread> {
  const place = import.meta.url.endsWith('.ts') ? './worker.ts' : '../sandbox/worker.js';
  const worker = new Worker(new URL(place, import.meta.url), { workerData: options, execArgv: [] });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const running = await Promise.race([
    once(worker, 'message').then(([message]) => message as Omit<SandboxThread, 'stop'>),
    ended.then(() => Promise.reject(new Error('It ended by itself.'))),
  ]).catch((error: unknown) => {
    throw fromThread(error);
  });
  // A thread that fails shows as an unreachable service.
  worker.on('error', () => {});
  return {
    ...running,
    stop: () => {
      worker.postMessage('stop');
      return ended;
    },
  };
}

/** An error loses its class when it leaves a thread, but keeps its members. */
function fromThread(error: unknown): DealsheetError {
  const { code, reason, message, remedy, cause } = error as DealsheetError;
  if (typeof remedy === 'string') return new DealsheetError(code, reason, message, remedy, cause);
  return errorOf('sandbox-failed', { detail: String(error) });
}
