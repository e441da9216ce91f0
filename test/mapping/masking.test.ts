import { describe, expect, it } from 'vitest';
import { mayHoldSsnOrDate } from '../../src/mapping/marks.ts';

describe('what may be an SSN or a date of birth', () => {
  it.each([
    ...['219-09-9999', '219099999', '219 09 9999', '219.09.9999', '21 90 99 999', '219–09–9999'],
    ...['SSN: 219-09-9999, dob 1980-04-17', '1980-04-17', '1980-04-17 00:00:00', '4/17/80', '17.4.1980'],
    ...['17. 4. 1980', '19800417', '17041980', '17-Apr-80', '17APR80', 'Apr 17, 1980', 'April 17th 1980'],
    ...['17th of April 1980', '17 avril 1980', '17.IV.1980', '1980年4月17日', 'born 04/17/1980 in Albany'],
  ])('is known in the form %j', (text) => {
    expect(mayHoldSsnOrDate(text)).toBe(true);
  });

  it.each([
    'Harbor Bakery LLC',
    '250000',
    '$1,250,000',
    '12.345,67',
    '12 Main St',
    'NY 12207',

    '7.5%',
  ])('is not seen in %j', (text) => {
    expect(mayHoldSsnOrDate(text)).toBe(false);
  });
});
