import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../builders/workplace.ts';

describe('a command that was installed from the checkout', () => {
  it.skipIf(process.platform === 'win32')('may be run after each build', () => {
    expect(statSync(join(root, 'dist/cli/main.js')).mode & 0o111).toBe(0o111);
  });
});

describe('what is installed with the package', () => {
  interface Package {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly overrides: Readonly<Record<string, Readonly<Record<string, string>>>>;
  }
  const { dependencies, overrides } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package;

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
});
