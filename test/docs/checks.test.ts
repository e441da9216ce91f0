/** The list of the checks, for people, tells each of them with the levels that the code has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/registry.ts';
import { checkCodes, checkFacts } from '../../src/contract/check-codes.ts';
import { root } from '../builders/workplace.ts';

const rows = readFileSync(join(root, 'docs', 'checks.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| `[a-z-]+` \|.*\|.*\|.*\|.*\|$/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

describe('docs/checks.md', () => {
  it('has each check with its levels, in the order of the code', () => {
    const levels = rows.map(([code, level, , , may]) => [code, level, may]);
    const ofCode = checkCodes.map((code) => {
      const { level, may } = checkFacts[code];
      return [`\`${code}\``, level, may.length === 0 ? 'fixed' : may.join(', ')];
    });
    expect(levels).toEqual(ofCode);
  });

  it('says of each what it means, and gives an example', () => {
    for (const [code, , means, example] of rows)
      expect([means, example], code).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
  });

  it('has the codes of all checks that there are', () => {
    expect(checks.flatMap(({ codes }) => codes).sort()).toEqual([...checkCodes].sort());
  });
});
