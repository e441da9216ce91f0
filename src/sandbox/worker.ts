/** Entry point of the sandbox's thread: starts the sandbox with the given options, and stops it on a message. */
import { parentPort, workerData } from 'node:worker_threads';
import { type SandboxOptions, startSandbox } from './server.ts';

const parent = parentPort;
if (parent === null) throw new Error('This file is the inside of a thread and is not run by itself.');

const sandbox = await startSandbox(workerData as SandboxOptions);
parent.once('message', () => void sandbox.stop().then(() => parent.close()));
const { url, port, token, key } = sandbox;
parent.postMessage({ url, port, token, key });
