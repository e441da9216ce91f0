/** CONTRIBUTING and the architecture: what they name is there, in its order, and every package has its reason. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../builders/workplace.ts';

const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const sectionOf = (heading: string) => text.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? '';
/** `src/checks/NAME.ts` stands for a file that is yet to be made. */
const pathsIn = (part: string) =>
  [...part.matchAll(/`((?:src|test|docs|fixtures)\/[^`]*)`/g)].map(([, path = '']) => path);

it('docs/architecture.md walks a row through the files of each room, in the order of the rooms', () => {
  const way = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split(/^## /m)[1] ?? '';
  const files = [...way.matchAll(/\]\(\.\.\/(src\/(\w+)\/[^)]+)\)/g)];
  for (const [, file = ''] of files) expect(existsSync(join(root, file)), file).toBe(true);
  const rooms = 'cli load tables staging mapping checks plan ledger service report workbooks'.split(' ');
  expect([...new Set(files.map(([, , room]) => room))]).toEqual(rooms);
});

describe('CONTRIBUTING.md', () => {
  it.each(['A field', 'A kind', 'A check', 'A command', 'An answer rule'])(
    'says of %s which test comes first and which files follow',
    (what) => {
      const steps = new RegExp(`^### ${what}\n([\\s\\S]*?)(?=^##|$(?![\\s\\S]))`, 'm').exec(text)?.[1] ?? '';
      const paths = pathsIn(steps);
      expect(paths[0]).toMatch(/^test\//);
      expect(paths.some((path) => path.startsWith('src/'))).toBe(true);
      for (const path of paths.filter((each) => !each.includes('NAME')))
        expect(existsSync(join(root, path)), path).toBe(true);
    },
  );

  it('argues every dependency, and no package that is none', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const named = [
      ...sectionOf('Why each package is here').matchAll(/^\| `([^`]+)` \| ([^|]{10,}) \| ([^|]{4,}) \|$/gm),
    ];
    expect(named.map(([, name]) => name).sort()).toEqual(Object.keys(dependencies).sort());
  });
});
