/** The list of the checks, for people, is made from their codes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/sheet-checks.ts';
import { checkCodes, checkFacts, heldCodes } from '../../src/contract/check-codes.ts';
import { root } from '../builders/workplace.ts';

const path = join(root, 'docs', 'checks.md');

const head = `# Checks

Each row is checked against the documented rules of the service. The checks below also look at the rows around it, its Refs, and
its file. A check has a code and a level:

| level | what comes of it |
|---|---|
| \`error\` | the row is Invalid, and is not sent; an error of a whole sheet refuses the file |
| \`warning\` | the row is sent, and you see a note |
| \`skip\` | the row is Left out: it is not sent, has a line of its own in the totals, and leaves the exit code 0 |
| \`off\` | the row is sent, without a note |

Change a level for good in a profile (\`"contract": { "checks": { "total-row": "warning" } }\`), for the files of a mapping
(\`"checks": { "total-row": "warning" }\`), or for one load: \`--allow CODE\` makes it a warning, \`--strict CODE\` an error. The
command line overrides the mapping, and the mapping overrides the profile. A fixed level cannot be changed: without it, a record
would have no parent, or a wrong one.

Checks that may be only \`warning\` or \`error\` look at other loads. At the level \`error\`, the row is held, with the status Not
sent or Waiting, until you decide. At \`warning\` it is sent. The \`findings\` of \`--json\` count what holds a row as a
\`warning\`: an \`error\` there is one of the row itself.

`;

const sayHere = 'say here';

/** What a code means, with an example: written by hand, in the table itself. */
function wordsOf(code: string): string {
  const row = new RegExp(`^\\| \`${code}\` \\| \\w+ (\\| [^|]{10,} \\| [^|]{10,} \\|)`, 'm').exec(
    readFileSync(path, 'utf8'),
  );
  return row?.[1] ?? `| ${sayHere} what it means | ${sayHere} an example |`;
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
    expect(checkCodes.filter((code) => wordsOf(code).includes(sayHere))).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe(made);
  });

  it('has the codes of all checks that there are', () => {
    const found = new Set([...checks.flatMap(({ codes }) => codes), ...heldCodes]);
    expect([...found].sort()).toEqual([...checkCodes].sort());
  });
});
