/** The list of the messages, for those who read codes in a log or in `--json`, is made from the catalogues. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/errors.ts';
import type { ErrorText, Text } from '../../src/messages/message.ts';
import { catalogues, errorTexts } from '../../src/messages/text.ts';
import { tellOnPage, withChoices } from '../../src/messages/ways.ts';
import { root } from '../builders/workplace.ts';

const path = join(root, 'docs', 'messages.md');

const head = `# Messages

You read the text of a message; \`--json\`, the log and the ledger hold its code. Here is the text of each code, and at the end the errors
that stop a command:

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
  replaceAll = this.join;
  *[Symbol.iterator]() {
    yield this.#text;
  }
}

const anyParams = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) });

/** Its text without what is filled in. */
function plainText(text: Text): string {
  return typeof text === 'string'
    ? withChoices(text).replace(/<(dealsheet [^>]+)>/g, '$1')
    : String(text(anyParams as never, String));
}

function tableOf(subject: string): string {
  const rows = Object.entries<Text>(catalogues[subject as keyof typeof catalogues]).map(([code, textOf]) => {
    const text = plainText(textOf);
    const goesOn = subject === 'Values of cells' || /^[a-z]/.test(text);
    const shown = (goesOn ? `… ${text}` : text).replaceAll('|', '\\|').replaceAll('<', '&lt;');
    return `| \`${code}\` | ${shown} |`;
  });
  return `\n## ${subject}\n\n| code | text |\n|---|---|\n${rows.join('\n')}\n`;
}

/** Why a command stops, by the exit code. */
function tableOfErrors(): string {
  const rows = Object.entries(errorTexts).map(([reason, [what, remedy, code = 'usage']]: [string, ErrorText]) => {
    const texts = [what, remedy].map((text) =>
      plainText(text).replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll(/\n */g, ' '),
    );
    return `| \`${reason}\` | ${texts.join(' | ')} | ${exitCodeOf[code]} |`;
  });
  return `\n## Errors\n\n| reason | what happened | what to do | exit code |\n|---|---|---|--:|\n${rows.join('\n')}\n`;
}

describe('docs/messages.md', () => {
  it('has the text of each code, as the code has it', () => {
    const made = head + Object.keys(catalogues).map(tableOf).join('') + tableOfErrors();
    if (process.env.DEALSHEET_UPDATE === '1') writeFileSync(path, made);
    expect(readFileSync(path, 'utf8')).toBe(made);
  });

  it.each([
    ['at a terminal', false, ['total-row', 'same-ref', 'possible-duplicate', 'order-told-by-few', 'lower-concurrency']],
    ['on the page, where it has a control', true, []],
  ] as const)('has texts that name flags %s', (_, isOnPage, some) => {
    tellOnPage(isOnPage);
    const texts = Object.values(catalogues).flatMap((catalogue) => Object.entries(catalogue));
    const flagged = texts.filter(([, text]) => /--(allow|date-order|created|concurrency)/.test(plainText(text)));
    tellOnPage(false);
    // What the command `probe` says is not for the page.
    const codes = flagged.map(([code]) => code).filter((code) => !code.startsWith('probe-'));
    expect(codes).toEqual(some.length === 0 ? [] : expect.arrayContaining([...some]));
  });

  it('has no code twice, in whatever catalogue', () => {
    const codes = [...Object.values(catalogues), errorTexts].flatMap((texts) => Object.keys(texts));
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  it('has no parameter without a name', () => {
    expect(readFileSync(path, 'utf8')).not.toMatch(/undefined|\[object|NaN/);
  });
});
