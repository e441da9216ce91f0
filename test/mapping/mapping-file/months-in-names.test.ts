import { describe, expect, it } from 'vitest';
import { sameButForMonth } from '../../../src/mapping/mapping-file/mapped-sheet.ts';

describe('two names of sheets', () => {
  it.each([
    ['Nov Deals', 'Dec Deals'],
    ['Nov Deals', 'December Deals'],
    ['ACH Nov', 'ACH  dec'],
    ['November', 'December'],
    ["Deals Nov '26", 'Deals Jan 2027'],
    ['Deals Nov26', 'Deals Dec26'],
    ['2026-11', '2026-12'],
    ['11-2026', '1-2027'],
    ['Deals 30.11.2026', 'Deals 31.12.2026'],
    ['Deals 11-30-26', 'Deals 12-31-26'],
    ['Deals 2025', 'Deals 2026'],
    ['Deals_2026_11', 'Deals_2026_12'],
  ])('%s and %s differ in the month alone', (one, other) => {
    expect(sameButForMonth(one, other)).toBe(true);
    expect(sameButForMonth(other, one)).toBe(true);
  });

  it.each([
    ['a copy of the same month', 'Nov Deals', 'Nov Deals (2)'],
    ['the same month in full', 'Nov Deals', 'November Deals'],
    ['a copy of another month', 'Nov Deals', 'Dec Deals (2)'],
    ['the same name in other letters', 'Nov Deals', 'nov  deals'],
    ['a name without a month', 'Nov Deals', 'Deals'],
    ['other rows of another month', 'Nov Deals', 'Dec ACH'],
    ['numbers that are no months', 'Sheet1', 'Sheet2'],
    ['regions of different months', 'Region 3 Nov', 'Region 4 Dec'],
    ['words in which a month stands', 'Marketing', 'Decline'],
  ])('are two sheets where one is %s', (_, one, other) => {
    expect(sameButForMonth(one, other)).toBe(false);
  });
});
