/** A sandbox in a process of its own, so that it can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import { built } from '../builders/workplace.ts';

export interface SandboxProcess {
  readonly url: string;
  readonly token: string;
  readonly key: string;
  readonly child: ChildProcess;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
}

const program = `
const [folder, options] = process.argv.slice(1);
const { startSandbox, defaultSandboxOptions } = await import(folder + '/server.js');
const { url, token, key } = await startSandbox({ ...defaultSandboxOptions, ...JSON.parse(options) });
console.log(JSON.stringify({ url, token, key }));
`;

/** As it is built: Node 20 runs no TypeScript by itself. */
const builtSandbox = join(built, 'sandbox');

export async function startSandboxProcess(options: Partial<SandboxOptions>): Promise<SandboxProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, builtSandbox, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url, token, key } = JSON.parse(line) as Record<'url' | 'token' | 'key', string>;
  return {
    url,
    token,
    key,
    child,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}
