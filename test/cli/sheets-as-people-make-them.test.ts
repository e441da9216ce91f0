import { expect, it } from 'vitest';
import { deskForEachTest } from '../builders/deals-desk.ts';

const desk = deskForEachTest();

const headers = ['Amount requested', 'Company name', 'Owner 1 first name', 'Owner 1 last name'];
const harbor = [50_000, 'Harbor Bakery LLC', 'Ada', 'Moreno'];
const check = (file: string, ...words: readonly string[]) => desk.command(['check', file, '--json', ...words]);

it('a file of deals is told of a header that is a date by that date', async () => {
  desk.write('deals.csv', [
    [...headers, '2024-01-15'],
    [...harbor, 'x'],
  ]);
  expect((await check('deals.csv')).stderr).toContain('Column E "2024-01-15" is not a field of a deal');
});
