import { expect, it } from 'vitest';
import { folded } from '../../../src/cli/terminal.ts';

const hard = `dealsheet ${"'A' ".repeat(40)}\u2028B`;
it.each([
  ['is whole where it fits, and off a terminal', 'one two three', {}, 'one two three'],
  ['breaks at a space, and keeps its margin', '  one two three\nfour', { columns: 10 }, '  one two\n    three\nfour'],
  ['keeps two spaces within', 'A1  note  far', { columns: 9 }, 'A1  note\n  far'],
  ['is whole from its command on, whatever it has', `See: ${hard}`, { columns: 9 }, `See:\n  ${hard}`],
  ['goes on after its command', "dealsheet a 'B. C'. One", { columns: 9 }, "dealsheet a 'B. C'.\n  One"],
  ['goes on after its command on Windows', 'dealsheet a "B. C". One', { columns: 9 }, 'dealsheet a "B. C".\n  One'],
  ['keeps the quoted name of a flag', "Add -i 'It'\\''s so' x", { columns: 9 }, "Add -i\n  'It'\\''s so'\n  x"],
  ['keeps a variable with its command', 'Go: T=1 dealsheet b', { columns: 9 }, 'Go:\n  T=1 dealsheet b'],
  ['is whole where it has no space', 'abcdefghijkl', { columns: 9 }, 'abcdefghijkl'],
])('a line for a terminal %s', (_, text, stream, shown) => {
  expect(folded(text, stream)).toBe(shown);
});
