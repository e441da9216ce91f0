import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workplaceHere } from '../builders/command-here.ts';
import { writeCsv } from '../builders/tables.ts';
import type { Workplace } from '../builders/workplace.ts';

describe('a check', () => {
  let place: Workplace;
  beforeEach(() => {
    place = workplaceHere();
  });
  afterEach(() => place.remove());

  const check = (file: string, ...further: readonly string[]) => place.run(['check', file, ...further]);
  const headers = [
    'Amount requested',
    'Company name',
    'Company DBA',
    'Owner last name',
    'Owner first name',
    'Owner DOB',
  ];
  const row = (amount: string, name: string, born: string) => [amount, name, name, 'Moreno', 'Ada', born];

  it('tells errors first, and notes of one kind in one line with their count and the first of them', async () => {
    writeCsv(place.path('june.csv'), [
      headers,
      row('$1,250.00', 'Harbor Bakery', '8/17/1988'),
      row('$2,250.00', 'Mill Dental', '9/18/1988'),
      row('TBD', 'Kite Toys', '17 Aug 1988'),
      row('$3,250.00', 'Pine Movers', '10/19/1988'),
    ]);
    const { stderr, exitCode } = await check('june.csv', '--as', 'deals');
    expect(exitCode, stderr).toBe(3);
    const lines = stderr.split('\n').filter((line) => / (error|note) {2}/.test(line));
    expect(lines).toEqual([
      'june!A4  error  Amount requested "TBD" is not a number. Write it like 1250 or 1250.50.',
      'june!A2 and 2 more  note  Amount requested "$1,250.00" is read as 1250.',
      'june!F2 and 2 more  note  Owner 1 date of birth (hidden) is read month first.',
      'june!F4  note  Owner 1 date of birth (hidden) is read as the day that its words say.',
    ]);
    expect(stderr).not.toContain('1988');
  });

  it('sums up errors of one field by their reasons', async () => {
    writeCsv(place.path('june.csv'), [
      headers,
      row('TBD', 'Harbor Bakery', ''),
      row('-5', 'Mill Dental', ''),
      row('', 'Kite Toys', ''),
      row('45k', 'Pine Movers', ''),
    ]);
    const { stderr } = await check('june.csv', '--as', 'deals');
    expect(stderr).toContain('    Row 2 and 1 more: Amount requested "TBD" is not a number.');
    expect(stderr).toContain('    Row 3: Amount requested "-5" must be at least 0.');
    expect(stderr).toContain('    Row 4: Amount requested is missing');
  });
});
