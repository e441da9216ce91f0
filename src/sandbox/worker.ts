/** The inside of the sandbox's thread: starts the sandbox with the options that it was given, and does what it is asked. */
import { parentPort, workerData } from 'node:worker_threads';
import { isDealsheetError } from '../errors.ts';
import { type RunningSandbox, type SandboxOptions, startSandbox } from './server.ts';
import type { ThreadMessage, ThreadRequest } from './thread.ts';

const port = parentPort;
if (port === null) throw new Error('This file is the inside of a thread and is not run by itself.');
const say = (message: ThreadMessage) => port.postMessage(message);

try {
  const sandbox = await startSandbox(workerData as SandboxOptions);
  let before = Promise.resolve();
  port.on('message', (request: ThreadRequest) => {
    before = before.then(async () => say(await answerTo(sandbox, request)));
  });
  say({ say: 'running', url: sandbox.url, port: sandbox.port, token: sandbox.token });
} catch (error) {
  say(refused(error));
}

async function answerTo(sandbox: RunningSandbox, request: ThreadRequest): Promise<ThreadMessage> {
  try {
    return { say: 'done', result: await done(sandbox, request) };
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): ThreadMessage {
  const cause = error instanceof Error && error.cause !== undefined ? String(error.cause) : String(error);
  if (isDealsheetError(error)) {
    return { say: 'refused', code: error.code, message: error.message, remedy: error.remedy, cause };
  }
  const message = `The sandbox failed. ${String(error)}`;
  return { say: 'refused', code: 'service-unusable', message, remedy: 'Start the command again.', cause };
}

async function done(sandbox: RunningSandbox, request: ThreadRequest): Promise<unknown> {
  switch (request.ask) {
    case 'accepted':
      return [...sandbox.accepted()];
    case 'change':
      return sandbox.change(request.changes);
    case 'revokeTokens':
      return sandbox.revokeTokens();
    case 'issueToken':
      return sandbox.issueToken();
    case 'stop':
      return sandbox.stop();
  }
}
