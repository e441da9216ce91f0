import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { readWorkbook } from '../builders/tables.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { root } from '../builders/workplace.ts';

describe('what is installed with the package', () => {
  const place = folderForEachTest();
  interface Package {
    readonly version: string;
    readonly dependencies: Readonly<Record<string, string>>;
    readonly overrides: Readonly<Record<string, Readonly<Record<string, string>>>>;
  }
  const { version, dependencies, overrides } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package;

  it.skipIf(process.platform === 'win32')(
    'may be run after each build, and has the version of the product',
    async () => {
      expect((await execa(join(root, 'dist/cli/main.js'), ['--version'])).stdout).toBe(version);
    },
  );

  it('is nothing that is overridden here: overrides are not passed on, and npm ci takes no lock file against them', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, { readonly dev?: boolean }>>;
    };
    const overridden = new Set(Object.entries(overrides).flatMap(([name, parts]) => [name, ...Object.keys(parts)]));
    const installed = Object.entries(lock.packages).filter(
      ([place, { dev }]) => dev !== true && overridden.has(place.split('node_modules/').at(-1) ?? ''),
    );
    expect(installed.map(([place]) => place)).toEqual([]);
  });

  it('is all that the built files ask for by name', () => {
    const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.js'),
    );
    const names = files.flatMap((file) => {
      const text = readFileSync(join(root, 'dist', file), 'utf8');
      const imports = text.matchAll(
        /(?:^import |^(?:import|export|\}).* from )["']([^"']+)["'];|\bimport\(["']([^"']+)["']\)/gm,
      );
      return [...imports].map((match) => match[1] ?? match[2] ?? '');
    });
    const packages = names
      .filter((name) => !name.startsWith('.') && !isBuiltin(name))
      .map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    expect(packages).toContain('@photostructure/sqlite');
    expect([...new Set(packages)].filter((name) => !(name in dependencies))).toEqual([]);
  });

  it('has the license of each package that is bundled, exceljs once', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const asked = sources.flatMap((file) =>
      [...readFileSync(join(root, 'src', file), 'utf8').matchAll(/ from '((?:@[^/']+\/)?[a-z][^/']*)/g)].map(
        ([, name]) => name ?? '',
      ),
    );
    const loadedByName = ['@photostructure/sqlite', 'validator', 'libphonenumber-js'];
    const wanted = [...new Set(asked)].filter((name) => !isBuiltin(name) && !loadedByName.includes(name));
    const text = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const sections = text.split(/^(?=\S+ \d+\.\d+\.\d+ \(.+\)$)/m);
    const names = sections.map((section) => section.slice(0, section.indexOf(' ')));
    expect(wanted).toContain('exceljs');
    expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
    // The terms of a license, and not its name alone.
    expect(sections.filter((section) => !/permi(?:t|ssion)|hereby granted/i.test(section))).toEqual([]);
    const holdsExcel = (name: string) =>
      name.endsWith('.js') &&
      readFileSync(join(root, 'dist', name), 'utf8').includes('Cannot merge already merged cells');
    const built = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
    expect(built.filter(holdsExcel)).toEqual([join('workbooks', 'excel-workbook.js')]);
  });

  it('makes templates with what is packed, and with the packages that it asks for alone', async () => {
    const app = place('app/node_modules/dealsheet');
    mkdirSync(app, { recursive: true });
    await execa('npm', ['pack', '--ignore-scripts', '--pack-destination', place('')], { cwd: root });
    await execa('tar', [
      '-xzf',
      place(readdirSync(place('')).find((name) => name.endsWith('.tgz')) ?? ''),
      '--strip-components=1',
      '-C',
      app,
    ]);
    for (const name of Object.keys(dependencies)) {
      mkdirSync(dirname(place(`app/node_modules/${name}`)), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), place(`app/node_modules/${name}`));
    }
    const cwd = place('app');
    await execa(process.execPath, [join(app, 'dist/cli/main.js'), 'template', 'all', '-o', 'x.xlsx'], { cwd });
    const script =
      "const { writeTemplate } = await import('dealsheet'); await writeTemplate('y.xlsx', { examples: true })";
    await execa(process.execPath, ['--input-type=module', '-e', script], { cwd });
    for (const file of ['x.xlsx', 'y.xlsx']) expect(await readWorkbook(join(cwd, file), 'Deals')).toBeDefined();
    expect(readFileSync(join(app, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('exceljs');
  });
});
