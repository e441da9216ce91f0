import { describe, expect, it } from 'vitest';
import { traitsOf } from '../../../src/messages/traits.ts';
import { checkPlace, saidByRow } from '../../builders/check-place.ts';
import type { Table } from '../../builders/tables.ts';

const place = checkPlace();

/** What is told of leads before they are sent, by their rows, and whether any is refused. */
async function toldOf(table: Table): Promise<Record<number, string>> {
  const checked = await place.checkTable(table, { kind: 'leads' });
  return saidByRow(checked, (problem) => problem.severity === 'error' || traitsOf(problem).toldBefore === true);
}

const headers = ['Company name', 'Amount requested', 'Owner 1 last name'];
const leads: Table = [
  ['A', 100, 'Smith'],
  ['B', 250, 'Jones'],
];
const blank = ['', '', ''];
const saysLess =
  'The row stands below a blank row and fills fewer columns than every row above that. It is sent: take it out if it is no lead.';

describe('a row below a blank row', () => {
  it('is sent with a note where it fills fewer columns than every row above that', async () => {
    const told = await toldOf([headers, ...leads, blank, ['Open', 3, ''], ['Closed', 4, '']]);
    expect(told).toEqual({ 5: saysLess, 6: saysLess });
  });

  it('is sent with the note below a second table, too', async () => {
    const foot = [blank, ['Prepared by Ann', '', ''], ['2 records', '', '']];
    const told = await toldOf([headers, ...leads, blank, ['Open', 3, ''], ...foot]);
    expect(told).toEqual({ 5: saysLess, 7: saysLess, 8: saysLess });
  });

  it('is a row like any other where it fills as many columns as one above', async () => {
    const more = ['C', 500, 'Lee'];
    expect(await toldOf([headers, ...leads, blank, more])).toEqual({});
    expect(await toldOf([headers, ...leads, ['C', 500, ''], blank, ['D', 70, '']])).toEqual({});
    expect(await toldOf([headers, blank, ['C', 500, ''], ...leads])).toEqual({});
  });

  it('is a row like any other where blank rows stand between all rows', async () => {
    const less = [blank, ['C', 70, ''], blank, ['D', 80, ''], blank, ['E', 900, 'Lee'], blank, ['F', 90, '']];
    expect(await toldOf([headers, ['A', 100, 'Smith'], ...less])).toEqual({});
  });
});

describe('a row of numbers directly under the headers', () => {
  it('is sent with a note', async () => {
    const note =
      'The row numbers the columns (1, 2 …), directly under their headers. It is sent: take it out if it is no lead.';
    expect(await toldOf([headers, [1, 2, 3], ...leads])).toEqual({ 2: note });
    expect(await toldOf([headers, ['1', '2', '(3)'], ...leads])).toEqual({ 2: note });
  });

  it('is a row like any other in another place, and with another number', async () => {
    expect(await toldOf([headers, ...leads, [1, 2, 3]])).toEqual({});
    expect(await toldOf([headers, [1, 20, 3], ...leads])).toEqual({});
  });
});
