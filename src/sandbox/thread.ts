/** Runs the sandbox in a thread of its own, so that a load in this process does not wait for it, nor it for the load. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DealsheetError, type ErrorCode, isDealsheetError } from '../errors.ts';
import type { RunningSandbox, SandboxOptions } from './server.ts';

/** As in this process; whatever else a running sandbox can do is done through its control addresses. */
export type SandboxThread = Pick<RunningSandbox, 'url' | 'port' | 'token' | 'key' | 'stop'>;

/** What the thread says once: that it runs, or why it cannot. */
export type ThreadMessage = ({ readonly say: 'running' } & Omit<SandboxThread, 'stop'>) | Refused;

interface Refused {
  readonly say: 'refused';
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy: string;
  readonly cause: string;
}

/**
 * Starts the sandbox in a thread. The compiled files are needed where Node cannot read TypeScript by itself.
 *
 * @throws DealsheetError as {@link startSandbox} does
 */
export async function startSandboxThread(options: SandboxOptions): Promise<SandboxThread> {
  const place = import.meta.url.endsWith('.ts') ? './worker.ts' : '../sandbox/worker.js';
  const worker = new Worker(new URL(place, import.meta.url), { workerData: options, execArgv: [] });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const first = await Promise.race([
    once(worker, 'message').then(([message]) => message as ThreadMessage, refused),
    ended.then(() => refused('it ended by itself')),
  ]);
  if (first.say === 'refused') {
    await worker.terminate();
    const { code, message, remedy, cause } = first;
    throw new DealsheetError(code, message, remedy, { cause: new Error(cause) });
  }
  const { say: _say, ...running } = first;
  // A thread that fails is seen at its address, as any service that is gone.
  worker.on('error', () => {});
  return {
    ...running,
    stop: () => {
      worker.postMessage('stop');
      return ended;
    },
  };
}

/** Any failure in the words of the thread. */
export function refused(error: unknown): Refused {
  const cause = String(error instanceof Error ? (error.cause ?? error) : error);
  const { code, message, remedy } = isDealsheetError(error)
    ? error
    : new DealsheetError('service-unusable', `The sandbox failed. ${String(error)}`, 'Start the command again.');
  return { say: 'refused', code, message, remedy, cause };
}
