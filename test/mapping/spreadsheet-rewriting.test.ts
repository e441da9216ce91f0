import { describe, expect, it } from 'vitest';
import { isRewritten } from '../../src/mapping/spreadsheet-rewriting.ts';

describe('a text that a spreadsheet program has written anew', () => {
  it.each([
    ['44.1', '44.10'],
    ['44,1', '44.10'],
    ['7', '007'],
    ['123', '0123'],
    ['15185550142', '+15185550142'],
    ['1.51856E+10', '+15185550142'],
    ['12345678901234500', '12345678901234567'],
    ['0.123456789', '0.123456789012'],
    ['60%', '60.00%'],
    ['50000000000', '5E10'],
    ['6/30/2026', '2026-06-30'],
    ['30.06.26', '2026-06-30'],
    ['30-Jun-26', '2026-06-30'],
    ['2026-06-30', '06/30/2026'],
    ['TRUE', 'true'],
    ['4-Mar', '3-4'],
    ['1-Mar', 'MAR1'],
  ])('is known: %j was %j', (text, before) => {
    expect(isRewritten(text, before)).toBe(true);
  });

  it.each([
    ['45', '44.10'],
    ['12.3', '12.34'],
    ['15185550143', '+15185550142'],
    ['1.51857E+10', '+15185550142'],
    ['60', '60%'],
    ['2026-07-01', '2026-06-30'],
    ['2026-06-30 11:00', '2026-06-30 10:00'],
    ['Harbor', 'harbor'],
    ['12-3456780', '12-3456789'],
    ['7', ''],
    ['', '007'],
  ])('is not seen where a person changed it: %j was %j', (text, before) => {
    expect(isRewritten(text, before)).toBe(false);
  });
});
