import { describe, expect, it } from 'vitest';
import { ignored } from '../../src/cli/load-command.ts';
import { namesWithCommas } from '../../src/messages/commands.ts';

describe('names to leave out', () => {
  it.each([
    ['Rep', ['Rep']],
    ['Rep, Branch ,Rates', ['Rep', 'Branch', 'Rates']],
    ['"City, State",Rep', ['City, State', 'Rep']],
    ['Rep , "City, State"', ['Rep', 'City, State']],
    ['12" pipe,Rep', ['12" pipe', 'Rep']],
    ['Rep,', ['Rep']],
    ['', []],
  ])('are read from %j', (text, names) => {
    expect(ignored(text)).toEqual(names);
  });

  it('are told as they can be given again', () => {
    const names = ['Rep', 'City, State', "Bob's calls"];
    expect(ignored(namesWithCommas(names))).toEqual(names);
  });
});
