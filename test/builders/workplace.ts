/** A folder of its own for one test, and the command line run in it, away from the settings and records of any person. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** The project as it is built, or another build that a test was told to test. */
export const built = process.env.DEALSHEET_TEST_BUILD ?? join(root, 'dist');
export const main = join(built, 'cli', 'main.js');

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Record<string, string>;
  readonly input?: string;
  /** The folder of the workplace, unless another is given. */
  readonly cwd?: string;
}

export interface Workplace {
  readonly folder: string;
  path(name: string): string;
  /** Writes a file with its folder; what is neither text nor bytes as JSON. */
  write(name: string, content: string | Uint8Array | object, options?: { readonly mode: number }): void;
  read(name: string): string;
  /** Runs `dealsheet` with these words and waits for its end. */
  run(words: readonly string[], options?: RunOptions): Promise<Ended>;
  remove(): void;
}

export function newWorkplace(folder = mkdtempSync(join(tmpdir(), 'dealsheet-test-'))): Workplace {
  return {
    folder,
    path: (name) => join(folder, name),
    write: (name, content, options) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      const isPlain = typeof content === 'string' || content instanceof Uint8Array;
      writeFileSync(join(folder, name), isPlain ? content : JSON.stringify(content), options);
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    run: async (words, options = {}) => {
      const ended = await execa(process.execPath, [main, ...words], {
        cwd: options.cwd ?? folder,
        env: environmentOf(folder, options.env ?? {}),
        extendEnv: false,
        reject: false,
        ...(options.input === undefined ? { stdin: 'ignore' } : { input: options.input }),
      });
      return { exitCode: ended.exitCode ?? -1, stdout: ended.stdout, stderr: ended.stderr };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** More for the environment of a process that is to hardly wait before it asks a service again. */
export const hardlyWaiting = { NODE_OPTIONS: '--import=data:text/javascript,Math.random=()=>0.01' };

/** More for the environment of a process whose calls of the disk do as they are told, also to fail with a code of the system. */
export function withCalls(calls: string): { readonly NODE_OPTIONS: string } {
  const code = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    const { link, rename, rm } = fs.promises;
    const fail = (code) => { throw Object.assign(new Error(code), { code }); };
    ${calls}; syncBuiltinESMExports();`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/** The environment of a command in a workplace: every folder of the user lies in it. */
export function environmentOf(folder: string, further: Record<string, string>): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    TMPDIR: folder,
    NO_COLOR: '1',
    ...further,
  };
}
