import { describe, expect, it } from 'vitest';
import { dateCell, readRow, warningsOf } from '../rows.ts';

const far = 'is so far away that it may be a slip, or stand for no day at all. Check it: it is sent as it is.';

describe('a day that is so far away that nobody may have meant it', () => {
  it.each([
    ['0001-01-01', '0001-01-01', `Date "0001-01-01" ${far}`],
    ['0026-03-13', '0026-03-13', `Date "0026-03-13" ${far}`],
    ['1/1/1900', '1900-01-01', `Date "1/1/1900" is read as 1900-01-01. It ${far}`],
    ['9999-12-31', '9999-12-31', `Date "9999-12-31" ${far}`],
    [dateCell('2206-03-13'), '2206-03-13', `Date "2206-03-13" ${far}`],
  ])('is sent, and told: %s', (cell, day, note) => {
    const row = readRow('transactions', { 'Deal id': 'd', Date: cell });
    expect(row.body.date).toBe(day);
    expect(warningsOf(row)).toEqual([note]);
  });

  it.each(['1900-01-02', '1969-12-31', '2199-12-31'])('is not any other: %s', (day) => {
    expect(warningsOf(readRow('transactions', { 'Deal id': 'd', Date: day }))).toEqual([]);
  });
});
