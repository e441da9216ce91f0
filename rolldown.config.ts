/**
 * Puts the command line into a few files. It starts from 418 modules otherwise, and a check of 100 rows takes 0.8 s of CPU
 * in place of 0.55 s. The library stays as it is compiled, module by module: who uses it bundles it in their own way.
 */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

/** Native, or found at run time by `require`; exceljs is large, and few commands load it. */
const loadedByName = /^(libsql|exceljs|validator|libphonenumber-js)($|\/)/;

const folder = 'dist/cli';

export default defineConfig({
  /** The command line by itself is for the tests, which run it within their own process. */
  input: { main: 'src/cli/main.ts', demo: 'src/cli/demo.ts', 'command-line': 'src/cli/command-line.ts' },
  platform: 'node',
  external: (id) => id.startsWith('node:') || loadedByName.test(id),
  output: { dir: folder, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', cleanDir: true },
  /** A command that was installed from this folder is a link to this file: npm lets it run once, and each build makes it anew. */
  plugins: [{ name: 'may-be-run', writeBundle: () => chmodSync(join(folder, 'main.js'), 0o755) }],
});
