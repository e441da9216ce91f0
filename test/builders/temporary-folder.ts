/** An empty folder for tests, which is removed behind them: after whatever was begun later, in it, has been ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/** The path of what has this name in the folder, or of the folder itself. */
export type InFolder = (...names: readonly string[]) => string;

/** To be called at the top of a file of tests or of a `describe`, before what is begun in the folder. */
export function folderForEachTest(): InFolder {
  const folder = new TemporaryFolder();
  beforeEach(() => folder.make());
  afterEach(() => folder.remove());
  return (...names) => join(folder.path, ...names);
}

/** One for all tests of a file or of a `describe`; see {@link folderForEachTest}. */
export function folderForAllTests(): InFolder {
  const folder = new TemporaryFolder();
  beforeAll(() => folder.make());
  afterAll(() => folder.remove());
  return (...names) => join(folder.path, ...names);
}

class TemporaryFolder {
  #path: string | null = null;

  get path(): string {
    if (this.#path === null) throw new Error('There is a folder while tests run, and neither before nor after.');
    return this.#path;
  }

  make(): void {
    this.#path = mkdtempSync(join(tmpdir(), 'dealsheet-test-'));
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
    this.#path = null;
  }
}
