/** The sandbox compiled into a folder of its own, for threads and processes: Node 20 runs no TypeScript by itself. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export interface CompiledSandbox {
  /** The folder that stands for `src/sandbox`. */
  readonly folder: string;
  remove(): void;
}

export function compileSandbox(): CompiledSandbox {
  const base = mkdtempSync(join(tmpdir(), 'sandbox-compiled-'));
  const outDir = join(base, 'dist');
  mkdirSync(outDir);
  symlinkSync(join(root, 'node_modules'), join(base, 'node_modules'));
  writeFileSync(join(base, 'package.json'), JSON.stringify({ type: 'module' }));
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      rootDir: join(root, 'src'),
      outDir,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: ['server.ts', 'thread.ts', 'worker.ts'].map((name) => join(root, 'src/sandbox', name)),
    include: [],
  };
  writeFileSync(join(base, 'tsconfig.json'), JSON.stringify(settings));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(base, 'tsconfig.json')]);
  return { folder: join(outDir, 'sandbox'), remove: () => rmSync(base, { recursive: true, force: true }) };
}
