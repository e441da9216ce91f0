import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMapping } from '../../src/mapping/mapping-file/read-mapping.ts';
import { checkFile } from '../../src/pipeline/check-file.ts';
import { readingDefaults } from '../../src/pipeline/defaults.ts';
import { type Table, writeCsv, writeWorkbook } from '../builders/tables.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealsheet-mapped-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const companies: Table = [
  ['Name', 'Sort'],
  ['Harbor LLC', 'Merchant'],
];
const columns = { Name: 'Company name', Sort: 'Contact types' };
const entry = { kind: 'companies', columns };

interface Choice {
  readonly sheet?: string;
  readonly ignoredSheets?: 'all' | readonly string[];
  readonly results?: string;
}

/** The rows of each sheet that is read by the mapping. */
async function checked(file: string, sheets: readonly object[], { sheet, ignoredSheets, results }: Choice = {}) {
  writeFileSync(join(folder, 'mapping.json'), JSON.stringify({ sheets }));
  const { survey } = await checkFile(
    {
      ...readingDefaults,
      file: join(folder, file),
      snapshotFolder: join(folder, 'sources'),
      mapping: readMapping(join(folder, 'mapping.json')),
      sheet: sheet ?? null,
      ignoredSheets: ignoredSheets ?? [],
      resultsPath: results === undefined ? null : join(folder, results),
    },
    { onProgress: () => {}, onProblemRow: () => {} },
  );
  return {
    rows: Object.fromEntries(survey.sheets.map(({ name, rows }) => [name, rows])),
    notices: survey.notices,
  };
}

const refused = (message: RegExp) => ({
  code: 'unmatched-columns',
  message: expect.stringMatching(message),
  remedy: expect.stringMatching(/"sheet": "…".*--ignore-sheets "NAME".*Nothing was sent\.$/),
});

describe('rules without the name of a sheet', () => {
  it('are for the only sheet of a file, whatever its name, and however many blank ones and guides stand beside it', async () => {
    await writeWorkbook(join(folder, 'm.xlsx'), {
      June: companies,
      Sheet2: [],
      Guide: [['How to fill in this workbook'], ['One row is one record.']],
    });
    expect((await checked('m.xlsx', [entry])).rows).toEqual({ June: 1 });
  });

  it('are for a CSV file, whose name is another one each month', async () => {
    for (const file of ['may.csv', 'june.csv']) {
      writeCsv(join(folder, file), companies);
      expect(Object.values((await checked(file, [entry])).rows)).toEqual([1]);
    }
  });

  it('stop the load of a file with several sheets', async () => {
    await writeWorkbook(join(folder, 'm.xlsx'), { Merchants: companies, Brokers: companies });
    await expect(checked('m.xlsx', [entry])).rejects.toMatchObject(
      refused(/^The mapping does not say for which sheet it is, and the file has several: "Merchants", "Brokers"\.$/),
    );
    expect((await checked('m.xlsx', [entry], { sheet: 'Brokers' })).rows).toEqual({ Brokers: 1 });
    expect((await checked('m.xlsx', [entry], { ignoredSheets: ['Brokers'] })).rows).toEqual({ Merchants: 1 });
  });
});

describe('rules with the name of a sheet', () => {
  const merchants = { ...entry, sheet: 'Merchants' };

  it('are for that sheet, however its name is written', async () => {
    await writeWorkbook(join(folder, 'm.xlsx'), { MERCHANTS: companies, Brokers: companies });
    const { rows } = await checked('m.xlsx', [merchants, { ...entry, sheet: 'Brokers' }]);
    expect(rows).toEqual({ MERCHANTS: 1, Brokers: 1 });
  });

  it('stop the load of a file that has no such sheet', async () => {
    await writeWorkbook(join(folder, 'm.xlsx'), { June: companies });
    await expect(checked('m.xlsx', [merchants])).rejects.toMatchObject(
      refused(/^The mapping has rules for a sheet "Merchants", and the file has none of that name: it has "June"\./),
    );
  });

  it('are for a CSV file too when they are the only ones: it has no sheet of another name', async () => {
    writeCsv(join(folder, 'june.csv'), companies);
    expect(Object.values((await checked('june.csv', [merchants])).rows)).toEqual([1]);
    await expect(checked('june.csv', [merchants, { ...entry, sheet: 'Brokers' }])).rejects.toMatchObject(
      refused(
        /rules for a sheet "Merchants".*\n.*rules for a sheet "Brokers".*\nThe mapping has no rules for the sheet "june/,
      ),
    );
  });

  it('stop the load of a file with another sheet, which would be read by our own headers', async () => {
    const ours: Table = [
      ['Company name', 'Contact types'],
      ['Mill LLC', 'Broker'],
    ];
    await writeWorkbook(join(folder, 'm.xlsx'), { Merchants: companies, Companies: ours });
    await expect(checked('m.xlsx', [merchants])).rejects.toMatchObject(
      refused(/^The mapping has no rules for the sheet "Companies"\.$/),
    );
    const { rows, notices } = await checked('m.xlsx', [merchants], { ignoredSheets: 'all' });
    expect(rows).toEqual({ Merchants: 1 });
    expect(notices).toContain('The sheet Companies has no rules in the mapping and is left out.');
  });

  it('read the results of a load of some of the sheets', async () => {
    await writeWorkbook(join(folder, 'm.xlsx'), { Merchants: companies, Brokers: companies });
    const both = [merchants, { ...entry, sheet: 'Brokers' }];
    await checked('m.xlsx', both, { sheet: 'Brokers', results: 'z.xlsx' });
    expect((await checked('z.xlsx', both)).rows).toEqual({ Brokers: 1 });
  });
});
