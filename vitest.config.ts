import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const testTimeoutMs = 60_000;

/** Most tests wait for a process of their own, so that two at a time do not stand in each other's way on two cores. */
const fewestWorkers = 2;

/** They put other modules in the place of ours, or load ours anew: another file is to see nothing of that. */
const alone = ['test/faults/*months.test.ts', 'test/load/read-once.test.ts', 'test/sandbox/new-kind.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    // The built command line is loaded as it is: looked through by vite first, it takes ten times as long.
    server: { deps: { external: [/\/dist\/cli\//] } },
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
    maxWorkers: Math.max(fewestWorkers, availableParallelism() - 1),
    projects: [
      // Modules are loaded once for all files of a worker.
      { extends: true, test: { name: 'together', include: ['test/**/*.test.ts'], exclude: alone, isolate: false } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
