import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkPlace } from '../../builders/check-place.ts';

const place = checkPlace();

const header = 'Deal id,Date,Amount,Description';
const sound = 'deal_1,2026-06-30,100,Debit';

async function check(...lines: readonly string[]): Promise<unknown> {
  writeFileSync(place.path('rows.csv'), lines.join('\n'));
  return (await place.check('rows.csv', { kind: 'transactions' })).counts;
}

describe('a row of a CSV file with more cells than there are headers', () => {
  it('stops the load: a comma in a cell may have moved all cells behind it', async () => {
    await expect(check(header, sound, 'deal_2,2026-06-30,1,250.50,Debit')).rejects.toMatchObject({
      code: 'unmatched-columns',
      message: 'rows: rows have more cells than there are headers (4): row 3 has 5.',
    });
  });

  it('stops it also when the last of its cells is blank', async () => {
    await expect(check(header, sound, 'deal_2,2026-06-30,1,250.50,')).rejects.toThrow(/row 3 has 5/);
    const long = Array<string>(7).fill('deal_2,2026-06-30,1,250.50,Debit');
    await expect(check(header, ...long)).rejects.toThrow(/row 6 has 5, and so have 2 more\./);
  });

  it('is read where every row ends with the same comma more, or is shorter', async () => {
    expect(await check(header, `${sound},`, 'deal_2,2026-06-30,"1,250.50",Debit,')).toMatchObject({
      rows: 2,
      invalid: 0,
    });
    expect(await check(header, sound, 'deal_2,2026-06-30,100')).toMatchObject({ rows: 2, invalid: 0 });
  });

  it('stops it also where every row ends so, and an amount goes on in the next cell: the last column may be blank', async () => {
    const long = ['deal_1,2026-06-30,1,250.50,', 'deal_2,2026-07-01,$12,300,'];
    await expect(check(header, ...long)).rejects.toThrow(/row 2 has 5, row 3 has 5\./);
    await expect(check(header, `${sound},`, ...long)).rejects.toThrow(/row 2 has 5, row 3 has 5, row 4 has 5\./);
    const plain = ['deal_1,2026-06-30,1,250.50 left,', 'deal_2,2026-07-01,1250,300,', 'deal_2,2026-07-01,12,3000,'];
    expect(await check(header, ...plain)).toMatchObject({ rows: 3, invalid: 0 });
  });

  it('is read where figures stand in two columns of their own: one row has an amount that no comma parts', async () => {
    const figures = 'Deal id,Amount,(Term)';
    expect(await check(figures, 'deal_1,500,365,', 'deal_2,1250,365,')).toMatchObject({ rows: 2, invalid: 0 });
    await expect(check(figures, 'deal_1,500,365,')).rejects.toThrow(/row 2 has 4\./);
  });

  it('is read where the cell behind would be words in the place of a date', async () => {
    const day = 'Deal id,Amount,Description,Date,(Note)';
    expect(await check(day, 'deal_1,500,365,2026-06-30,Debit,')).toMatchObject({ rows: 1, invalid: 0 });
    await expect(check(day, 'deal_1,500,365,Debit,2026-06-30,')).rejects.toThrow(/row 2 has 6\./);
  });

  it('is read where the headers end with as many commas: it says something beside the table', async () => {
    expect(await check(`${header},,`, sound, `${sound},,Ask Ann`)).toMatchObject({ rows: 2, invalid: 0 });
  });
});
