/** The list of the messages, for those who read codes in a log or in `--json`, is made from the catalogues. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogues } from '../../src/messages/text.ts';
import { root } from '../builders/workplace.ts';

const path = join(root, 'docs', 'messages.md');

const head = `# Messages

You read the text of a message; \`--json\`, the log and the ledger hold its code. Here is the text of each code:

- \`{name}\` is a parameter: a value that is filled in.
- \`[name?words|other words]\` has the words if that parameter has a value, and otherwise the other words, if there are any.
- … is what comes before: the field and its value, as in \`Amount requested "TBD" is not a number.\`, or another message.

The levels of the checks are in [checks.md](checks.md).
`;

/** Stands for a parameter of any type: as text it is its name in braces. */
class Placeholder {
  readonly #text: string;
  constructor(name: string) {
    this.#text = `{${name}}`;
  }
  toString = () => this.#text;
  join = () => this.#text;
  *[Symbol.iterator]() {
    yield this.#text;
  }
}

/** Of the parameters that a text takes together, to hand them on. */
const takenTogether = ['source', 'sheet', 'row', 'day', 'run', 'record', 'command'];
const anyParams = new Proxy(
  {},
  {
    get: (_target, name) => new Placeholder(String(name)),
    ownKeys: () => takenTogether,
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
  },
);

function tableOf(subject: string): string {
  const rows = Object.entries(catalogues[subject] ?? {}).map(([code, textOf]) => {
    const made = typeof textOf === 'string' ? textOf : String(textOf(anyParams as never, String));
    const text = code === 'command' ? '{command}' : made;
    const goesOn = subject === 'Values of cells' || /^[a-z]/.test(text);
    const shown = (goesOn ? `… ${text}` : text).replaceAll('|', '\\|').replaceAll('<', '&lt;');
    return `| \`${code}\` | ${shown} |`;
  });
  return `\n## ${subject}\n\n| code | text |\n|---|---|\n${rows.join('\n')}\n`;
}

describe('docs/messages.md', () => {
  it('has the text of each code, as the code has it', () => {
    const made = head + Object.keys(catalogues).map(tableOf).join('');
    if (process.env.DEALSHEET_UPDATE === '1') writeFileSync(path, made);
    expect(readFileSync(path, 'utf8')).toBe(made);
  });

  it('has no code twice, in whatever catalogue', () => {
    const codes = Object.values(catalogues).flatMap((texts) => Object.keys(texts));
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  it('has no parameter without a name', () => {
    expect(readFileSync(path, 'utf8')).not.toMatch(/undefined|\[object|NaN/);
  });
});
