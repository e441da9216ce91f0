/**
 * Puts the command line into a few files. It starts from 418 modules otherwise, and a check of 100 rows takes 0.8 s of CPU
 * in place of 0.55 s. The library stays as it is compiled, module by module: who uses it bundles it in their own way. All but
 * exceljs, which nobody has to install: `npm ci` takes no lock file in which its parts are newer than it asks for.
 */
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';

/** Native, or found at run time by `require`. */
const loadedByName = /^(@photostructure\/sqlite|validator|libphonenumber-js)($|\/)/;

const folder = 'dist/cli';
/** What the browser gets. */
const pageFolder = 'dist/page';

/** The bundle of exceljs is one file, for the library and for the command line. */
const excelWorkbook = 'excel-workbook';

const excelWorkbookBeside: Plugin = {
  name: 'excel-workbook-beside',
  resolveId: (source) =>
    source === `./${excelWorkbook}.ts` ? { id: `../workbooks/${excelWorkbook}.js`, external: true } : null,
};

/**
 * yargs lays the help out by the width of emoji, and builds the tables for that before each command: a fifth of what `--help`
 * takes. The help has no character that is not one column wide.
 */
const columnsOfText: Plugin = {
  name: 'columns-of-text',
  resolveId: (source) => (source === 'string-width' ? source : null),
  load: (id) => (id === 'string-width' ? 'export default (text) => text.length;' : null),
};

/** The folders of all packages that are bundled. */
const bundled = new Set<string>();
const packageFolder = /^.*\/node_modules\/(@[^/]+\/)?[^./][^/]*(?=\/)/;

/** The terms under which the parts of the bundles may be passed on go with them. */
const withLicenses: Plugin = {
  name: 'with-licenses',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const modules = chunk.type === 'chunk' ? chunk.moduleIds : [];
      for (const id of modules) {
        const [place] = packageFolder.exec(id) ?? [];
        if (place !== undefined) bundled.add(place);
      }
    }
  },
  writeBundle: () => {
    const texts = new Set([...bundled].map(licenseIn));
    writeFileSync('dist/THIRD-PARTY-LICENSES.txt', [...texts].sort().join('\n\n'));
  },
};

/**
 * V8 keeps the text of what it runs, and needs two bytes for each character of a file that has one beyond ASCII. The heap may
 * grow to four times what is kept.
 */
const beyondAscii = /[\u0080-\uffff]/g;
const asAscii: Plugin = {
  name: 'as-ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = chunk.code.replace(beyondAscii, escaped);
  },
};

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function licenseIn(place: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  // A package without a file of its terms has them in its repository, copied beside this file, or in its readme alone.
  const isThere = (pattern: RegExp) => readdirSync(place).find((each) => pattern.test(each));
  const copied = `licenses/${name}.txt`;
  const file = isThere(/^(licen[cs]e|copying)/i) ?? (existsSync(copied) ? null : isThere(/^readme/i));
  if (file === undefined) throw new Error(`${name} comes without its license: put the text into ${copied}.`);
  return `${name} ${version} (${license})\n\n${readFileSync(file === null ? copied : join(place, file), 'utf8').trim()}\n`;
}

export default defineConfig([
  {
    /** The command line by itself is for the tests, which run it within their own process. */
    input: {
      main: 'src/cli/main.ts',
      'command-line': 'src/cli/command-line.ts',
      /** The thread of the page. */
      'page-worker': 'src/page/worker.ts',
    },
    platform: 'node',
    external: (id) => id.startsWith('node:') || loadedByName.test(id),
    output: {
      dir: folder,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      cleanDir: true,
      comments: false,
    },
    /** A command that was installed from this folder is a link to this file: npm lets it run once, and each build makes it anew. */
    plugins: [
      excelWorkbookBeside,
      columnsOfText,
      asAscii,
      withLicenses,
      { name: 'may-be-run', writeBundle: () => chmodSync(join(folder, 'main.js'), 0o755) },
    ],
  },
  {
    input: { [excelWorkbook]: `src/workbooks/${excelWorkbook}.ts` },
    platform: 'node',
    output: { dir: 'dist/workbooks', entryFileNames: '[name].js' },
    plugins: [withLicenses],
  },
  {
    input: { page: 'src/page/client/app.tsx' },
    platform: 'browser',
    tsconfig: 'src/page/client/tsconfig.json',
    output: { dir: pageFolder, entryFileNames: '[name].js', minify: true, comments: false, cleanDir: true },
    plugins: [withLicenses, { name: 'with-style', writeBundle: copyStyle }],
  },
]);

function copyStyle(): void {
  for (const name of ['page.css', 'icon.svg']) copyFileSync(join('src/page/client', name), join(pageFolder, name));
}
