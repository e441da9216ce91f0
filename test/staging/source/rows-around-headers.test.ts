import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { checkPlace } from '../../builders/check-place.ts';
import { type Table, writeCsv } from '../../builders/tables.ts';

const place = checkPlace();

/** How many rows of a file are judged, and what is said of the reading. */
async function checked(file: string, mapping: object | null = null) {
  const choice = mapping === null ? { kind: 'deals' as const } : { mapping: { sheets: [mapping] } };
  const { counts, preview } = await place.check(file, choice);
  return { rows: counts.rows, notices: preview.notices };
}

function checkedTable(table: Table, mapping: object | null = null) {
  writeCsv(place.path('deals.csv'), table);
  return checked('deals.csv', mapping);
}

/** Nothing of the table is loaded, and this is said of it. */
async function expectStopped(table: Table, message: RegExp, { mapping = null as object | null, remedy = /./ } = {}) {
  await expect(checkedTable(table, mapping)).rejects.toMatchObject({
    code: 'unmatched-columns',
    message: expect.stringMatching(message),
    remedy: expect.stringMatching(remedy),
  });
}

const headers = ['Company name', 'Owner 1 first name', 'Amount requested'];
const rows = [
  ['Harbor LLC', 'Ada', 100],
  ['Kite LLC', 'Max', 200],
];

describe('what stands above the headers', () => {
  it('is passed over and told when it is a title: a name, a date, a name with its value', async () => {
    const table = [['Northern Brokers'], [], ['As of', '2026-06-30'], ['Prepared by', 'Pat', ''], headers, ...rows];
    const { rows: count, notices } = await checkedTable(table);
    expect(count).toBe(2);
    expect(notices).toContain('deals: rows 1, 3, 4 above the headers skipped.');
  });

  it('is a title also above a total, and perhaps a record where a row below is as sparse', async () => {
    const { notices } = await checkedTable([['Deals of June 2026'], headers, ...rows, ['Total', '', 300]]);
    expect(notices).toContain('deals: row 1 above the headers skipped.');
    const ofTwo = await checkedTable([['Leads of June'], [], headers.slice(0, 2), ['Harbor LLC', 'Ada']]);
    expect(ofTwo).toMatchObject({ rows: 1, notices: ['deals: row 1 above the headers skipped.'] });
    const sparse = [
      ['Acme', 'Bo', ''],
      [...headers, 'DBA', 'Website', 'Stage'],
      ['Beta', 'Cy', ''],
    ];
    await expect(checkedTable([...sparse, ['Mill', 'Eve', 3, 'M', 'm.example', 'Lead']])).rejects.toMatchObject({
      code: 'unmatched-columns',
    });
  });

  it('may be as long as the letter on top of a report, also where a group begins below the headers', async () => {
    const letter = Array.from({ length: 40 }, (_, at) => [`line ${at + 1} of a letter`]);
    expect((await checkedTable([...letter, headers, ['Broker A'], ...rows])).rows).toBe(3);
  });

  it('is passed over without a word when it is blank', async () => {
    const { rows: count, notices } = await checkedTable([[], [' ', ''], headers, ...rows]);
    expect(count).toBe(2);
    expect(notices.filter((notice) => /above/.test(notice))).toEqual([]);
  });

  it('stops the load when it is a row of headers with rows of its own', async () => {
    const more = [
      [...headers, 'Stage'],
      ['Mill LLC', 'Eve', 300, 'Lead'],
    ];
    await expectStopped([headers, ...rows, ...more], /^deals: row 1 and row 4 are both header rows/, {
      remedy: /a sheet or a file of their own.*Nothing was sent\.$/,
    });
  });

  it('stops the load when it looks like the rows below, or fills less, and says an amount where they have theirs', async () => {
    await expectStopped([...rows, headers, ...rows], /^deals: rows 1, 2 above the headers in row 3 may be data/);
    const less = [['Mill LLC', '', 300], headers, ...rows];
    await expectStopped(less, /^deals: row 1 above the headers in row 2 may be data/);
  });

  it('stops the load when it carries the key of a results sheet', async () => {
    const own = (status: string, row: number) => [status, '', '', '', '', `2026-11-21-01-abc#deals!${row}`];
    const table = [
      [...own('Invalid', 3), 'Kite LLC', 'Max', ''],
      ['Status', 'Problems', 'ID', 'Link', 'Company ID', 'Run', ...headers],
      [...own('Invalid', 2), 'Harbor LLC', 'Ada', 100],
    ];
    await expectStopped(table, /^deals: row 1 above the headers in row 2 came from a results sheet/, {
      remedy: /^Move the row of headers to the top of the sheet/,
    });
  });

  it('stops the load when it carries the key of the results of a check, however little else it says', async () => {
    const table = [
      ['Not sent', '', '', '', '', 'deals!3', '', 'Max', ''],
      ['Status', 'Problems', 'ID', 'Link', 'Company ID', 'Run', ...headers],
      ['Not sent', '', '', '', '', 'deals!2', ...(rows[0] ?? [])],
    ];
    await expectStopped(table, /row 1 above the headers in row \d+ came from a results sheet/);
  });

  it('is no row to pass over when it names groups of columns', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Deals');
    sheet.addRows([
      ['June'],
      ['Company', null, 'Owner 1', null],
      ['Name', 'DBA', 'First name', 'Last name'],
      ['Harbor', 'H', 'A', 'B'],
    ]);
    for (const range of ['A2:B2', 'C2:D2']) sheet.mergeCells(range);
    await workbook.xlsx.writeFile(place.path('deals.xlsx'));
    const { notices } = await checked('deals.xlsx');
    expect(notices).toContain('Deals: row 1 above the headers skipped.');
  });

  describe('of a sheet with a mapping', () => {
    const columns = { Merchant: 'Company name', Owner: 'Owner 1 first name', 'How much': 'Amount requested' };
    const theirs = ['Merchant', 'Owner', 'How much'];

    it('stops the load when it is a row of headers, or looks like the rows below', async () => {
      const mapping = { kind: 'deals', columns: { ...columns, Remarks: null } };
      await expectStopped(
        [theirs, ...rows, [...theirs, 'Remarks'], ['Mill', 'Eve', 3, 'x']],
        /row 1 and row 4 are both header rows/,
        { mapping },
      );
      await expectStopped([...rows, theirs, ...rows], /rows 1, 2 above the headers in row 3 may be data/, {
        mapping: { kind: 'deals', columns },
      });
    });

    it('is passed over and told when the mapping says where the headers stand', async () => {
      const mapping = { kind: 'deals', columns, headerRow: 3 };
      const { rows: count, notices } = await checkedTable([['text', 'text', '1'], [], theirs, ...rows], mapping);
      expect(count).toBe(2);
      expect(notices).toContain('deals: row 1 above the headers skipped.');
    });

    it('is not looked for where the mapping says that the headers stand, and they do not', async () => {
      const mapping = { kind: 'deals', columns, headerRow: 4 };
      await expectStopped(
        [theirs, ...rows],
        /says that the headers are in row 4 \("headerRow"\), but none of the headers that it names is there/,
        { mapping },
      );
    });
  });
});

describe('a second row of headers below the first', () => {
  it.each([
    ['with other columns', ['Amount requested', 'Company name']],
    ['with the same columns', headers],
    ['of a table of another kind', ['Deal ref', 'Date', 'Amount']],
    ['of a table of another kind with a column of its own', ['Deal ref', 'Date', 'Amount', 'Sales rep']],
    ['written in another way', ['company_name *', 'OWNER 1 FIRST NAME', 'note to self']],
    ['of a results sheet', ['Status', 'Problems', 'ID', 'Link', 'Company ID', 'Run', ...headers]],
  ])('stops the load: %s', async (_what, second) => {
    const many = Array.from({ length: 40 }, (_, index) => [`Harbor ${index} LLC`, 'Ada', index]);
    await expectStopped([headers, ...many, second, ...rows], /^deals: row 1 and row 42 are both header rows/);
  });

  it('is not what a row is in which a value happens to be a word for a field', async () => {
    const table = [headers, ['Stage', 'Ada', 100], ['Amount', 'Max', 200], ['Company name', '', '']];
    expect((await checkedTable(table)).rows).toBe(3);
  });

  it.each([
    ['transactions', ['Deal id', 'Amount', 'Type', 'Description'], ['deal_1', '500.00', 'Payment', 'Principal']],
    ['transactions', ['Deal id', 'Date', 'Type', 'Description'], ['', '06/30/2026', 'Memo', 'Reference']],
    ['notes', ['Deal id', 'Deal status', 'Note'], ['deal_1', 'Purpose', 'Amount']],
  ] as const)('is not what a row of %s is in which words name fields: %s', async (kind, names, row) => {
    expect((await place.checkTable([[...names], [...row]], { kind })).counts.rows).toBe(1);
  });

  it('is not what a row of data is that consists of such words, once its sheet numbers its rows', async () => {
    const table = [
      ['Company name', 'Owner 1 first name'],
      ['Purpose', 'Amount'],
    ];
    await expectStopped(table, /row 1 and row 2 are both header rows/, {
      remedy: /If one of them is data, add a column that numbers the rows/,
    });
    const numbered = table.map((row, at) => [...row, at === 0 ? '(row)' : at]);
    const mapping = {
      kind: 'deals',
      columns: { 'Company name': 'Company name', 'Owner 1 first name': null, '(row)': null },
    };
    expect((await checkedTable(numbered)).rows).toBe(1);
    expect((await checkedTable(numbered, mapping)).rows).toBe(1);
  });

  it('is not what a row of a table of one column is, unless it says the header again', async () => {
    expect((await checkedTable([['Company name'], ['Stage'], ['Amount']])).rows).toBe(2);
    await expectStopped(
      [['Company name'], ['Stage'], ['Company name'], ['Kite']],
      /row 1 and row 3 are both header rows/,
    );
  });
});
