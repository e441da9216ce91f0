/** A sandbox for the tests of one file, or for each of them: started before, stopped after. */
import { afterAll, beforeAll } from 'vitest';
import {
  defaultSandboxOptions,
  type RunningSandbox,
  type SandboxOptions,
  startSandbox,
} from '../../src/sandbox/server.ts';
import { forEachTest } from '../builders/for-each-test.ts';

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

/** One for each test of a file or of a `describe`. To be called at its top. Its token is `sandbox-token`. */
export function sandboxForEachTest(options: Partial<SandboxOptions> = {}): RunningSandbox {
  const start = () => startSandbox({ ...defaultSandboxOptions, fixedToken: 'sandbox-token', ...options });
  return forEachTest(start, (sandbox) => sandbox.stop());
}
