import { describe, expect, it } from 'vitest';
import { exampleText } from '../../src/cli/command.ts';

const examples = [
  ['dealsheet map broker.xlsx -o broker.json', 'draft it by answering questions'],
  ['dealsheet check broker.xlsx --mapping broker.json', 'see whether it fits'],
] as const;

describe('the examples of a help', () => {
  it('stand beside what they do where the window has room for that', () => {
    expect(exampleText(examples, 84)).toBe(
      [
        'Examples:',
        '  dealsheet map broker.xlsx -o broker.json           draft it by answering questions',
        '  dealsheet check broker.xlsx --mapping broker.json  see whether it fits',
      ].join('\n'),
    );
  });

  it('stand below what they do in a narrower window, which would break the lines in their midst', () => {
    expect(exampleText(examples, 83)).toBe(
      [
        'Examples:',
        '# draft it by answering questions',
        'dealsheet map broker.xlsx -o broker.json',
        '# see whether it fits',
        'dealsheet check broker.xlsx --mapping broker.json',
      ].join('\n'),
    );
  });
});
