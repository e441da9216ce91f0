import { describe, expect, it } from 'vitest';
import { dateCell, readRow, warningsOf } from '../rows.ts';

describe('a day that is so far away that nobody may have meant it', () => {
  it.each([
    ['0001-01-01', '0001-01-01', ['day-far-away']],
    ['0026-03-13', '0026-03-13', ['day-far-away']],
    ['1/1/1900', '1900-01-01', ['day-read-as', 'day-far-away']],
    ['9999-12-31', '9999-12-31', ['day-far-away']],
    [dateCell('2206-03-13'), '2206-03-13', ['day-far-away']],
  ])('is sent, and told: %s', (cell, day, codes) => {
    const row = readRow('transactions', { 'Deal id': 'd', Date: cell });
    expect(row.body.date).toBe(day);
    expect(row.problems.map(({ code }) => code)).toEqual(codes);
  });

  it.each(['1900-01-02', '1969-12-31', '2199-12-31'])('is not any other: %s', (day) => {
    expect(warningsOf(readRow('transactions', { 'Deal id': 'd', Date: day }))).toEqual([]);
  });
});
