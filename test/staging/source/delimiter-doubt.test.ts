import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkPlace } from '../../builders/check-place.ts';

const place = checkPlace();

function check(content: string) {
  writeFileSync(place.path('rows.csv'), content);
  return place.check('rows.csv', { kind: 'deals' });
}

describe('a table of semicolons below a title', () => {
  it('is read like one of commas', async () => {
    const { counts } = await check(
      'Deals, June 2026\n\nRef;Company name;Owner 1 last name;Amount requested\nD1;Foo, Inc;Lee;1250,50\n',
    );
    expect(counts).toMatchObject({ rows: 1, invalid: 0 });
  });
});

describe('a CSV file that was read as one column', () => {
  it('is refused with the flag that names another mark between its cells, where it holds one', async () => {
    await expect(check('Deals\nA;b\nNo more\nOf these\nAt all\n')).rejects.toThrow(
      /rows: the file was read as one column\. If semicolons stand between its cells, say so with --delimiter ";"\./,
    );
    await expect(check('Deals\nA|b\nC\td\nOf these\nAt all\n')).rejects.toThrow(
      /If tabs or bars stand between its cells, say so with --delimiter tab or --delimiter "\|"\./,
    );
  });

  it('is refused without it where it holds none', async () => {
    await expect(check('Deals\nA\nB\n')).rejects.toThrow(/^(?!.*--delimiter).*is no field of a deal/s);
  });
});
