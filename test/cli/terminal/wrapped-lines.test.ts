import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/cli/terminal/display-width.ts';
import { wrapped } from '../../../src/cli/terminal/wrapped-lines.ts';
import { endedInShell, hasShell, withColumns } from '../../builders/pseudo-terminal.ts';
import { writeCsv } from '../../builders/tables.ts';
import { newWorkplace, type Workplace } from '../../builders/workplace.ts';

describe('a message in a window', () => {
  it('is broken at its blanks, and goes on a little further in than it began', () => {
    expect(wrapped('Row 4: the cell says nothing that is known.\n  Deals: 12 rows', 20)).toBe(
      ['Row 4: the cell says', '  nothing that is', '  known.', '  Deals: 12 rows'].join('\n'),
    );
    expect(wrapped('    Companies  12 rows to add as companies', 24)).toBe(
      ['    Companies  12 rows', '      to add as', '      companies'].join('\n'),
    );
  });

  it.each([
    [
      'a command',
      'Then settle it with: dealsheet resolve 2026-06-01-01 --row "Deals!4" --created ID, or --not-created',
    ],
    ['a text in quotes', 'The value "Harbor Bakery and Daughters of Long Island" is not known.'],
    ['a text in single quotes', "The sheet is 'Deals of June and of July and of August' here."],
    ['a flag with its value', 'What is wrong there is a header. Leave it out with --ignore-columns Remarks,Notes'],
    ['a path', 'The results of it are in /home/ada/My Files/of the month/month (2).results.xlsx from now on.'],
  ])('keeps in one piece %s', (_what, text) => {
    const [command] = /(?<=: )dealsheet .*|"[^"]*"|'[^']*'|--[^ ]+ [^ ]+|\/.*xlsx/.exec(text) ?? [];
    for (let columns = 20; columns < text.length; columns += 1) expect(wrapped(text, columns)).toContain(command);
  });

  it('counts two columns for a sign that takes two, and leaves the lines of a table as they are', () => {
    expect(wrapped('海港 面包 公司', 9)).toBe('海港 面包\n  公司');
    const table = '┌──────────┬──────────┐\n│ Run      │ Began on │';
    expect(wrapped(table, 12)).toBe(table);
  });

  it('has the same words in the same order, whatever they are, and no line that could have been broken', () => {
    const word = fc.stringMatching(/^[a-zé海"'(/.,-]{1,12}$/);
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 20 }),
        fc.nat(6),
        fc.integer({ min: 20, max: 60 }),
        (words, indent, columns) => {
          const line = `${' '.repeat(indent)}${words.join(' ')}`;
          const broken = wrapped(line, columns);
          expect(broken.replace(/\n +/g, ' ')).toBe(line);
          const plain = words.every((each) => /^[a-zé海]+$/.test(each));
          if (plain) for (const each of broken.split('\n')) expect(displayWidth(each)).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });
});

describe.skipIf(!hasShell)('at a terminal', () => {
  let place: Workplace;
  beforeEach(() => {
    place = newWorkplace();
    writeCsv(place.path('deals.csv'), [
      ['Amount requested', 'Company name', 'Owner last name', 'Stage'],
      ['-5', 'Harbor Bakery', 'Moreno', 'Nothing that is known'],
    ]);
  });
  afterEach(() => place.remove());

  it.each([60, 80])('messages are %i columns wide at most, and elsewhere each is one line', async (columns) => {
    const { said, exitCode } = await endedInShell(withColumns(columns), place, ['check', 'deals.csv'], []);
    expect(exitCode).toBe(3);
    const lines = said.trimEnd().split('\n');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    const { stderr } = await place.run(['check', 'deals.csv']);
    expect(lines.length).toBeGreaterThan(stderr.split('\n').length);
    expect(said.trimEnd().replace(/\n {2,}(?=\S)/g, ' ')).toContain(stderr.split('\n')[0]);
  });

  it('an error and a question are broken too', async () => {
    rmSync(place.path('deals.csv'));
    const { said } = await endedInShell(withColumns(40), place, ['check', 'deals.csv'], []);
    for (const line of said.trimEnd().split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(40);
    const setup = await endedInShell(withColumns(40), place, ['setup'], [['called?', '\u0004']]);
    expect(setup.said).toMatch(/What is the profile to be called\? Enter\n {2}takes live: /);
  });
});
