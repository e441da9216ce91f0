/**
 * Puts the command line into a few files. It starts from 418 modules otherwise, and a check of 100 rows takes 0.8 s of CPU
 * in place of 0.55 s. The library stays as it is compiled, module by module: who uses it bundles it in their own way. All but
 * exceljs, which nobody has to install: `npm ci` takes no lock file in which its parts are newer than it asks for.
 */
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';

/** Native, or found at run time by `require`. */
const loadedByName = /^(@photostructure\/sqlite|validator|libphonenumber-js)($|\/)/;

const folder = 'dist/cli';

/** The terms under which the parts of a file may be passed on go with it. */
const withLicenses: Plugin = {
  name: 'with-licenses',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const folders = new Set(chunk.moduleIds.flatMap((id) => packageFolder.exec(id)?.[0] ?? []));
      const source = [...folders].sort().map(licenseIn).join('\n\n');
      this.emitFile({ type: 'asset', fileName: chunk.fileName.replace(/\.js$/, '.licenses.txt'), source });
    }
  },
};
const packageFolder = /^.*\/node_modules\/(@[^/]+\/)?[^/]+(?=\/)/;
const licenseNames = ['LICENSE', 'LICENSE.md', 'LICENCE', 'license', 'LICENSE.markdown', 'LICENSE.txt', 'readme.md'];

function licenseIn(place: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  const file = licenseNames.map((each) => join(place, each)).find((path) => existsSync(path));
  const text = file === undefined ? '' : readFileSync(file, 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}`;
}

export default defineConfig([
  {
    /** The command line by itself is for the tests, which run it within their own process. */
    input: { main: 'src/cli/main.ts', demo: 'src/cli/demo.ts', 'command-line': 'src/cli/command-line.ts' },
    platform: 'node',
    external: (id) => id.startsWith('node:') || loadedByName.test(id),
    output: { dir: folder, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', cleanDir: true },
    /** A command that was installed from this folder is a link to this file: npm lets it run once, and each build makes it anew. */
    plugins: [{ name: 'may-be-run', writeBundle: () => chmodSync(join(folder, 'main.js'), 0o755) }],
  },
  {
    input: { 'excel-workbook': 'src/workbooks/excel-workbook.ts' },
    platform: 'node',
    output: { dir: 'dist/workbooks', entryFileNames: '[name].js' },
    plugins: [withLicenses],
  },
]);
