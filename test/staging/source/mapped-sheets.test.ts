import { describe, expect, it } from 'vitest';
import { type CheckChoice, checkPlace } from '../../builders/check-place.ts';
import { oneRow, type Table, writeCsv, writeWorkbook } from '../../builders/tables.ts';

const place = checkPlace();

const companies: Table = oneRow({ Name: 'Harbor LLC', Sort: 'Merchant' });
const columns = { Name: 'Company name', Sort: 'Contact types' };
const entry = { kind: 'companies', columns };

interface Choice extends CheckChoice {
  /** What the mapping itself leaves out. */
  readonly ignoreSheets?: readonly string[];
}

/** The rows of each sheet that is read by the mapping. */
async function checked(file: string, sheets: readonly object[], { ignoreSheets, ...choice }: Choice = {}) {
  const { preview } = await place.check(file, { ...choice, mapping: { sheets, ignoreSheets } });
  return {
    rows: Object.fromEntries(preview.sheets.map(({ name, rows }) => [name, rows])),
    notices: preview.notices,
  };
}

const refused = (message: RegExp, remedy = /^Keep .* dealsheet map .* -o NEW\.json.*"sheet": "…"/) => ({
  code: 'unmatched-columns',
  message: expect.stringMatching(message),
  remedy: expect.stringMatching(new RegExp(`${remedy.source}.*--ignore-sheets "NAME".*Nothing was sent\\.$`)),
});

describe('rules without the name of a sheet', () => {
  it('are for the only sheet of a file, whatever its name, and however many blank ones and guides stand beside it', async () => {
    await writeWorkbook(place.path('m.xlsx'), {
      June: companies,
      Sheet2: [],
      Sheet3: [[null, '  '], ['\u00a0']],
      Guide: [['How to fill in this workbook'], ['One row is one record.']],
    });
    expect((await checked('m.xlsx', [entry])).rows).toEqual({ June: 1 });
  });

  it('are for a CSV file, whose name is another one each month', async () => {
    for (const file of ['may.csv', 'june.csv']) {
      writeCsv(place.path(file), companies);
      expect(Object.values((await checked(file, [entry])).rows)).toEqual([1]);
    }
  });

  it('stop the load of a file with several sheets', async () => {
    await writeWorkbook(place.path('m.xlsx'), { Merchants: companies, Brokers: companies });
    await expect(checked('m.xlsx', [entry])).rejects.toMatchObject(
      refused(/^The mapping has no rules for some sheets: Merchants, Brokers\.$/),
    );
    expect((await checked('m.xlsx', [entry], { sheet: 'Brokers' })).rows).toEqual({ Brokers: 1 });
    expect((await checked('m.xlsx', [entry], { ignoredSheets: ['Brokers'] })).rows).toEqual({ Merchants: 1 });
  });
});

describe('rules with the name of a sheet', () => {
  const merchants = { ...entry, sheet: 'Merchants' };

  it('are for that sheet, however its name is written', async () => {
    await writeWorkbook(place.path('m.xlsx'), { MERCHANTS: companies, Brokers: companies });
    const { rows } = await checked('m.xlsx', [merchants, { ...entry, sheet: 'Brokers' }]);
    expect(rows).toEqual({ MERCHANTS: 1, Brokers: 1 });
  });

  it('are for every sheet that its name fits, where it holds a star, but for those that are named themselves', async () => {
    await writeWorkbook(place.path('m.xlsx'), {
      'West (1)': companies,
      'West (2)': companies,
      'West calls': companies,
    });
    const sheets = [
      { ...entry, sheet: 'West (*)' },
      { ...entry, sheet: 'West (2)', constants: { DBA: 'x' } },
    ];
    expect((await checked('m.xlsx', sheets, { ignoreSheets: ['* calls'] })).rows).toEqual({
      'West (1)': 1,
      'West (2)': 1,
    });
    await expect(checked('m.xlsx', sheets)).rejects.toMatchObject({ code: 'unmatched-columns' });
  });

  it('stop the load of a file that has no such sheet', async () => {
    await writeWorkbook(place.path('m.xlsx'), { June: companies });
    await expect(checked('m.xlsx', [merchants])).rejects.toMatchObject(
      refused(
        /^The mapping has no rules for some sheets: June\.$/,
        /dealsheet map \S+m\.xlsx --mapping \S+ -o NEW\.json\. Where a sheet only has another name now \(not in the file: Merchants\).*"sheet": "…"/,
      ),
    );
  });

  it('are for a CSV file too when they are the only ones: it has no sheet of another name', async () => {
    writeCsv(place.path('june.csv'), companies);
    expect(Object.values((await checked('june.csv', [merchants])).rows)).toEqual([1]);
    await expect(checked('june.csv', [merchants, { ...entry, sheet: 'Brokers' }])).rejects.toMatchObject(
      refused(
        /^The mapping has no rules for some sheets: june[^"]*\.$/,
        /\(not in the file: Merchants, Brokers\).*"sheet": "…"/,
      ),
    );
  });

  it('stop the load of a file with another sheet, which would be read by our own headers', async () => {
    const ours: Table = oneRow({ 'Company name': 'Mill LLC', 'Contact types': 'Broker' });
    await writeWorkbook(place.path('m.xlsx'), { Merchants: companies, Companies: ours });
    await expect(checked('m.xlsx', [merchants])).rejects.toMatchObject(
      refused(/^The mapping has no rules for some sheets: Companies\.$/),
    );
    const { rows, notices } = await checked('m.xlsx', [merchants], { ignoredSheets: 'all' });
    expect(rows).toEqual({ Merchants: 1 });
    expect(notices).toContain('The sheet Companies has no rules in the mapping and is left out.');
  });

  it('read the results of a load of some of the sheets', async () => {
    await writeWorkbook(place.path('m.xlsx'), { Merchants: companies, Brokers: companies });
    const both = [merchants, { ...entry, sheet: 'Brokers' }];
    await checked('m.xlsx', both, { sheet: 'Brokers', resultsPath: place.path('z.xlsx') });
    expect((await checked('z.xlsx', both)).rows).toEqual({ Brokers: 1 });
  });

  it('are for the same sheet of every other month, and the load says which they are', async () => {
    await writeWorkbook(place.path('m.xlsx'), { 'Dec Merchants': companies, 'Brokers 2026-12': companies });
    const november = [
      { ...entry, sheet: 'Nov Merchants' },
      { ...entry, sheet: 'Brokers 2026-11' },
    ];
    const { rows, notices } = await checked('m.xlsx', november);
    expect(rows).toEqual({ 'Dec Merchants': 1, 'Brokers 2026-12': 1 });
    expect(notices).toContain('The sheet Dec Merchants is read by the rules of the mapping for Nov Merchants.');
    expect((await checked('m.xlsx', november, { resultsPath: place.path('z.xlsx') })).rows).toEqual(rows);
    expect((await checked('z.xlsx', november)).rows).toEqual(rows);
  });

  it('are for the new month in a workbook that keeps the months before', async () => {
    await writeWorkbook(place.path('m.xlsx'), { Oct: companies, Nov: companies, Dec: companies });
    const months = [
      { ...entry, sheet: 'Oct' },
      { ...entry, sheet: 'Nov' },
    ];
    const { rows, notices } = await checked('m.xlsx', months);
    expect(rows).toEqual({ Oct: 1, Nov: 1, Dec: 1 });
    expect(notices).toHaveLength(2);
  });

  it('are for no other month where those of the months before differ', async () => {
    await writeWorkbook(place.path('m.xlsx'), { Oct: companies, Nov: companies, Dec: companies });
    const months = [
      { ...entry, sheet: 'Oct' },
      { ...entry, sheet: 'Nov', columns: { ...columns, Sort: null } },
    ];
    await expect(checked('m.xlsx', months)).rejects.toMatchObject(
      refused(/^The mapping has no rules for some sheets: Dec\.$/),
    );
  });

  it('are not for a copy of their sheet', async () => {
    await writeWorkbook(place.path('m.xlsx'), { Nov: companies, 'Nov (2)': companies });
    await expect(checked('m.xlsx', [{ ...entry, sheet: 'Nov' }])).rejects.toMatchObject(
      refused(/^The mapping has no rules for some sheets: Nov \(2\)/),
    );
  });
});

describe('a sheet that a mapping leaves out', () => {
  const ignoreSheets = ['Call log', 'Rates Nov'];

  it('is not read, and the load says so, whatever its month and whether it is there or not', async () => {
    await writeWorkbook(place.path('m.xlsx'), {
      Merchants: companies,
      'CALL LOG': [['What'], ['call']],
      'Rates Dec': companies,
    });
    const { rows, notices } = await checked('m.xlsx', [{ ...entry, sheet: 'Merchants' }], { ignoreSheets });
    expect(rows).toEqual({ Merchants: 1 });
    expect(notices).toContain('The sheet CALL LOG is left out, as the mapping says.');
    await writeWorkbook(place.path('alone.xlsx'), { Merchants: companies });
    const alone = await checked('alone.xlsx', [entry], { ignoreSheets });
    expect(alone.rows).toEqual({ Merchants: 1 });
    expect(alone.notices.join()).not.toContain('left out');
  });

  it('does not leave out the sheet of another month that has rules', async () => {
    await writeWorkbook(place.path('m.xlsx'), { 'Nov Deals': companies, 'Dec Deals': companies, Brokers: companies });
    const rules = ['Dec Deals', 'Brokers'].map((sheet) => ({ ...entry, sheet }));
    const { rows, notices } = await checked('m.xlsx', rules, { ignoreSheets: ['Nov Deals'] });
    expect(rows).toEqual({ 'Dec Deals': 1, Brokers: 1 });
    expect(notices).toContain('The sheet Nov Deals is left out, as the mapping says.');
  });

  it('stops the load for a month of which it says nothing, where it reads one month and leaves out another', async () => {
    await writeWorkbook(place.path('m.xlsx'), { 'Nov Deals': companies, 'Dec Deals': companies, Jan: companies });
    const rules = [
      { ...entry, sheet: 'Dec Deals' },
      { ...entry, sheet: 'Nov' },
    ];
    await expect(checked('m.xlsx', rules, { ignoreSheets: ['Nov Deals', 'Dec'] })).rejects.toMatchObject(
      refused(/^The mapping has no rules for some sheets: Jan\.$/),
    );
    const { rows } = await checked('m.xlsx', rules, { ignoreSheets: ['Nov Deals', 'Dec'], ignoredSheets: ['Jan'] });
    expect(rows).toEqual({ 'Dec Deals': 1 });
  });

  it('is told of when nothing else would be read', async () => {
    await writeWorkbook(place.path('m.xlsx'), { June: companies, 'Call log': companies });
    await expect(checked('m.xlsx', [entry], { ignoreSheets, sheet: 'Call log' })).rejects.toMatchObject(
      refused(/^The mapping leaves out every sheet that this load would read: Call log\.$/, /^Where.*"sheet": "…"/),
    );
  });

  it('leaves one sheet for rules without a name', async () => {
    await writeWorkbook(place.path('m.xlsx'), { June: companies, 'Call log': [['What'], ['call']] });
    expect((await checked('m.xlsx', [entry], { ignoreSheets })).rows).toEqual({ June: 1 });
  });

  it('may not have rules as well', async () => {
    const rules = [{ ...entry, sheet: 'call log' }];
    await expect(checked('m.xlsx', rules, { ignoreSheets })).rejects.toMatchObject({
      message: expect.stringContaining('sheets: "call log" and "Call log" are the same. Keep one of them.'),
    });
  });
});
