/** Runs the sandbox in a thread of its own, so that a load in this process does not wait for it, nor it for the load. */
import { Worker } from 'node:worker_threads';
import { DealsheetError, exitCodeOf } from '../errors.ts';
import type { ConductSettings } from './conduct.ts';
import type { RunningSandbox, SandboxOptions } from './server.ts';
import type { AcceptedEntry } from './store/rows.ts';

/** As in this process, but the log comes with a promise. */
export interface SandboxThread extends Pick<RunningSandbox, 'url' | 'port' | 'token' | 'stop'> {
  accepted(): Promise<readonly AcceptedEntry[]>;
  change(changes: Partial<ConductSettings>): Promise<void>;
  revokeTokens(): Promise<void>;
  issueToken(): Promise<string>;
}

/** What the thread is asked to do. */
export type ThreadRequest =
  | { readonly ask: 'accepted' | 'revokeTokens' | 'issueToken' | 'stop' }
  | { readonly ask: 'change'; readonly changes: Partial<ConductSettings> };

/** What it says: once that it runs or cannot, then one answer for each request, in their order. */
export type ThreadMessage =
  | { readonly say: 'running'; readonly url: string; readonly port: number; readonly token: string }
  | {
      readonly say: 'refused';
      readonly code: string;
      readonly message: string;
      readonly remedy: string;
      readonly cause: string;
    }
  | { readonly say: 'done'; readonly result: unknown };

/**
 * Starts the sandbox in a thread. The compiled files are needed where Node cannot read TypeScript by itself.
 *
 * @throws DealsheetError as {@link startSandbox} does
 */
export async function startSandboxThread(options: SandboxOptions): Promise<SandboxThread> {
  const worker = new Worker(
    new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : '../sandbox/worker.js', import.meta.url),
    {
      workerData: options,
      execArgv: [],
    },
  );
  const answers = answersOf(worker);
  const first = await answers.next();
  if (first.say !== 'running') {
    await worker.terminate();
    throw refusalOf(first);
  }
  const ask = async (request: ThreadRequest): Promise<unknown> => {
    const answer = answers.next();
    worker.postMessage(request);
    const message = await answer;
    if (message.say !== 'done') throw refusalOf(message);
    return message.result;
  };
  let stopping: Promise<void> | null = null;
  return {
    url: first.url,
    port: first.port,
    token: first.token,
    accepted: async () => (await ask({ ask: 'accepted' })) as readonly AcceptedEntry[],
    change: async (changes) => void (await ask({ ask: 'change', changes })),
    revokeTokens: async () => void (await ask({ ask: 'revokeTokens' })),
    issueToken: async () => String(await ask({ ask: 'issueToken' })),
    stop: () => {
      stopping ??= ask({ ask: 'stop' }).then(async () => void (await worker.terminate()));
      return stopping;
    },
  };
}

/** Messages in the order in which they come; a thread that ends or fails says so in place of an answer. */
function answersOf(worker: Worker): { next(): Promise<ThreadMessage> } {
  const arrived: ThreadMessage[] = [];
  const waiting: ((message: ThreadMessage) => void)[] = [];
  let end: ThreadMessage | null = null;
  const deliver = (message: ThreadMessage) => {
    const waiter = waiting.shift();
    if (waiter === undefined) arrived.push(message);
    else waiter(message);
  };
  const endWith = (cause: string) => {
    end ??= {
      say: 'refused',
      code: 'service-unusable',
      message: 'The thread of the sandbox ended by itself.',
      remedy: 'Start the command again; what the sandbox had answered is kept in its data file.',
      cause,
    };
    for (const waiter of waiting.splice(0)) waiter(end);
  };
  worker.on('message', deliver);
  worker.on('error', (error) => endWith(String(error)));
  worker.on('exit', (code) => endWith(`exit code ${code}`));
  return {
    next: () => {
      const message = arrived.shift() ?? end;
      return message === null ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(message);
    },
  };
}

function refusalOf(message: ThreadMessage): DealsheetError {
  if (message.say !== 'refused') return new DealsheetError('service-unusable', 'The sandbox answered out of turn.', '');
  const { code, message: text, remedy, cause } = message;
  const known = Object.hasOwn(exitCodeOf, code) ? (code as keyof typeof exitCodeOf) : 'service-unusable';
  return new DealsheetError(known, text, remedy, { cause: new Error(cause) });
}
