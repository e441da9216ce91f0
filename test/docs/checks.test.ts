/** The list of the checks, for people, is made from their codes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/sheet-checks.ts';
import { checkCodes, checkFacts, heldCodes } from '../../src/contract/check-codes.ts';
import { root } from '../builders/workplace.ts';

const path = join(root, 'docs', 'checks.md');

const head = `# Checks

Each row is checked against the documented rules of the service, and then by the checks below, which look at the rows around it,
at its Refs, and at its file. A check has a code and a level:

| level | what comes of it |
|---|---|
| \`error\` | the row is Invalid, and is not sent; what is said of a whole sheet refuses the file |
| \`warning\` | the row is sent, and a person is told |
| \`skip\` | the row is Left out: it is not sent, stands in no sum but a line of its own, and leaves the exit code 0 |
| \`off\` | nothing is told |

Change a level for good in a profile (\`"contract": { "checks": { "total-row": "warning" } }\`), for the files of a mapping
(\`"checks": { "total-row": "warning" }\`), or for one load: \`--allow CODE\` makes it a warning, \`--strict CODE\` an error. The
command line overrides the mapping, and the mapping overrides the profile. A fixed level cannot be changed: without it, a record
would go nowhere, or to another one.

The last six look at other loads. At the level \`error\`, the row is held, with the status Not sent or Waiting, until a person decides;
at \`warning\` it is sent.

`;

/** What a code means, with an example: written by hand, in the table itself. */
function wordsOf(code: string): string {
  const row = new RegExp(`^\\| \`${code}\` \\| \\w+ (\\| [^|]{10,} \\| [^|]{10,} \\|)`, 'm').exec(
    readFileSync(path, 'utf8'),
  );
  return row?.[1] ?? '| say here what it means | say here an example |';
}

function table(): string {
  const rows = checkCodes.map((code) => {
    const { level, may } = checkFacts[code];
    return `| \`${code}\` | ${level} ${wordsOf(code)} ${may.length === 0 ? 'fixed' : may.join(', ')} |`;
  });
  return ['| code | level | what it means | example | may be |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}

describe('docs/checks.md', () => {
  it('has each check with its level, as the code has it', () => {
    const made = head + table();
    if (process.env.DEALSHEET_UPDATE === '1') writeFileSync(path, made);
    expect(readFileSync(path, 'utf8')).toBe(made);
    expect(made).not.toContain('say here');
  });

  it('has the codes of all checks that there are', () => {
    const found = new Set([...checks.flatMap(({ codes }) => codes), ...heldCodes]);
    expect([...found].sort()).toEqual([...checkCodes].sort());
  });
});
