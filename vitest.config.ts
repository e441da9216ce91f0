import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** It ends a test that hangs; on a machine that is busy with other things, a good one may take minutes. */
const testTimeoutMs = 300_000;

/** A third of the time most tests wait for a process, a disk or a clock: one worker more than two cores keeps them busy. */
const fewestWorkers = 3;

/** A disk in the memory, where there is one: what tests write is gone with them, and half of their time was to wait for a disk. */
const memoryDisk = '/dev/shm';
const roomNeeded = 4 * 1024 ** 3;

/** In a container it may be too small for the largest files. */
function hasMemoryDisk(): boolean {
  if (!existsSync(memoryDisk)) return false;
  const { bavail, bsize } = statfsSync(memoryDisk);
  return bavail * bsize >= roomNeeded;
}

/** What takes longest begins first, so that no core has it alone at the end. Vitest knows from the second run on. */
const takesLong = /\/(faults|page)\/|browser|fault-files|postgres|round-trip|team-ledger/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => takesLong.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    env: hasMemoryDisk() ? { TMPDIR: memoryDisk } : {},
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // The built command line is loaded as it is: looked through by vite first, it takes ten times as long.
    server: { deps: { external: [/\/dist\/cli\//] } },
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
    maxWorkers: Math.max(fewestWorkers, availableParallelism() - 1),
    // Modules are loaded once for all files of a worker; a file that mocks some loads them anew, before and after.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
});
