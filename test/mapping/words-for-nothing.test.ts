import { describe, expect, it } from 'vitest';
import type { CheckedRow } from '../../src/mapping/body.ts';
import { standsForNothing } from '../../src/mapping/marks.ts';
import { errorsOf, readRow, warningsOf } from './rows.ts';

const deal = {
  'Amount requested': '100',
  'Company name': 'Harbor Bakery',
  'Company DBA': 'Harbor',
  'Owner first name': 'Ada',
};

describe('a word for nothing', () => {
  const known = 'N/A n/a NA NULL null NaN nan NaT None none \\N - -- – (blank) <NULL> [n/a]';
  it.each(known.split(' '))('is known: %s', (word) => expect(standsForNothing(` ${word} `)).toBe(true));

  it.each(['Nan', 'Nat', 'Null', 'Na', 'Nil', 'Nonesuch', 'Banana', '0', '', '-5', 'A-', 'N/A Foods'])(
    'is no name and no value: %s',
    (word) => expect(standsForNothing(word)).toBe(false),
  );

  it.each([
    ['Owner credit score', 'N/A'],
    ['Owner date of birth', 'NaT'],
    ['Company EIN', '-'],
    ['Entity type', 'none'],
    ['Owner e-mail', 'NULL'],
    ['Owner phone', '—'],
    ['Company id', 'NULL'],
    ['{rates.high:number}', '-'],
    ['{signed:date}', 'N/A'],
    ['{hot:boolean}', 'none'],
  ])('in %s counts as blank, and is told', (header, word) => {
    const [row, blank] = [word, ''].map((cell) => readRow('leads', { ...deal, [header]: cell }));
    expect(row?.body).toEqual(blank?.body);
    expect(errorsOf(row as CheckedRow)).toEqual([]);
    expect(row?.problems.filter(({ code }) => code === 'word-for-nothing')).toHaveLength(1);
  });

  it('is missing where a value is needed', () => {
    expect(errorsOf(readRow('deals', { ...deal, 'Amount requested': '-' }))).toEqual([
      expect.stringContaining('Amount requested is missing'),
    ]);
  });

  it('in a field of text is sent as it stands, with a note', () => {
    const row = readRow('deals', { ...deal, 'Owner last name': 'NULL' });
    expect(row.body.owner1).toEqual({ firstName: 'Ada', lastName: 'NULL' });
    expect(warningsOf(row)).toEqual([
      'Owner 1 last name "NULL" is what programs write for "no value", and is read as a text. If it means no value, clear the cell, or list it under "blanks" in a mapping.',
    ]);
  });
});
