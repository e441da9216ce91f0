import { describe, expect, it } from 'vitest';
import { standsForNothing } from '../../src/mapping/words-for-nothing.ts';
import { errorsOf, readRow, warningsOf } from './rows.ts';

const deal = {
  'Amount requested': '100',
  'Company name': 'Harbor Bakery',
  'Company DBA': 'Harbor',
  'Owner first name': 'Ada',
};
const wayOut = 'If it stands for nothing, empty the cell, or name it among the "blanks" of a mapping.';

describe('a word for nothing', () => {
  it.each(['N/A', 'n/a', 'NA', 'NULL', 'null', 'NaN', 'nan', 'NaT', 'None', 'none', '\\N', '-', '--', '–', '(blank)'])(
    'is known: %s',
    (word) => expect(standsForNothing(` ${word} `)).toBe(true),
  );

  it.each(['Nan', 'Nat', 'Null', 'Na', 'Nil', 'Nonesuch', 'Banana', '0', '', '-5', 'A-', 'N/A Foods'])(
    'is no name and no value: %s',
    (word) => expect(standsForNothing(word)).toBe(false),
  );

  it.each([
    ['Owner credit score', 'N/A', 'is not a number'],
    ['Owner date of birth', 'NaT', 'is not a date'],
    ['Company EIN', '-', 'is no EIN'],
    ['Entity type', 'none', 'is not one of the allowed values'],
    ['Owner e-mail', 'NULL', 'is not an e-mail address'],
    ['Company id', 'NULL', 'is the id of no record'],
  ])('in %s is an error that says the ways out', (header, word, fault) => {
    const row = readRow('deals', { ...deal, [header]: word });
    const [error, ways, ...others] = errorsOf(row);
    expect(error).toContain(fault);
    expect(ways).toContain(wayOut);
    expect(others).toEqual([]);
    expect(warningsOf(row).join()).not.toContain(word);
  });

  it('in a field of text is sent as it stands, with a note', () => {
    const row = readRow('deals', { ...deal, 'Owner last name': 'NULL' });
    expect(row.body.owner1).toEqual({ firstName: 'Ada', lastName: 'NULL' });
    expect(warningsOf(row)).toEqual([
      'Owner 1 last name "NULL" is what programs write for nothing, and is taken as it stands. If it stands for nothing, empty the cell, or name it among the "blanks" of a mapping.',
    ]);
  });

  it('in a field that is told already has the ways out beside that', () => {
    expect(warningsOf(readRow('deals', { ...deal, 'Owner last name': 'Moreno', 'Owner phone': '-' }))).toEqual([
      `Owner 1 phone "-" does not look like a phone number. It is sent as it is.`,
      `Owner 1 phone "-" is what programs write for nothing, and is taken as it stands. ${wayOut}`,
    ]);
  });

  it('makes no error of another kind, and no note on another word', () => {
    expect(errorsOf(readRow('deals', { ...deal, 'Owner credit score': 'good' })).join()).not.toContain('blanks');
    expect(warningsOf(readRow('deals', { ...deal, 'Owner last name': 'Null' }))).toEqual([]);
  });
});
