/** CONTRIBUTING: the way of a row goes through files that there are, and every package has its reason. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../builders/workplace.ts';

const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const sectionOf = (heading: string) => text.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? '';
/** `src/checks/NAME.ts` stands for a file that is yet to be made. */
const pathsIn = (part: string) =>
  [...part.matchAll(/`((?:src|test|docs|fixtures)\/[^`]*)`/g)].map(([, path = '']) => path);

describe('CONTRIBUTING.md', () => {
  it('walks a row through fourteen files, in the order of their rooms', () => {
    const steps = sectionOf('One row, fourteen files').match(/^\d+\. .*(?:\n {2,}.*)*/gm) ?? [];
    const files = steps.map((step) => /^\d+\. \*\w+\*: \[src\/(.*?)\]\((src\/.*?)\)/.exec(step)?.[2] ?? step);
    expect(files).toHaveLength(14);
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
    const stages = steps.map((step) => /\*(\w+)\*/.exec(step)?.[1]);
    expect([...new Set(stages)]).toEqual(['tell', 'read', 'stage', 'map', 'check', 'plan', 'send', 'record', 'report']);
  });

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
