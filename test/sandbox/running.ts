/** A sandbox for the tests of one file: started before them, stopped after them. */
import { afterAll, beforeAll } from 'vitest';
import {
  defaultSandboxOptions,
  type RunningSandbox,
  type SandboxOptions,
  startSandbox,
} from '../../src/sandbox/server.ts';

export function useSandbox(options: Partial<SandboxOptions> = {}, clock?: () => number): () => RunningSandbox {
  let sandbox: RunningSandbox | null = null;
  beforeAll(async () => {
    sandbox = await startSandbox({ ...defaultSandboxOptions, ...options }, clock);
  });
  afterAll(() => sandbox?.stop());
  return () => {
    if (sandbox === null) throw new Error('The sandbox is not running yet.');
    return sandbox;
  };
}
