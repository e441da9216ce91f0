import { writeFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { resultColumns } from '../../src/workbooks/results.ts';
import { checkPlace } from '../builders/check-place.ts';
import { oneRow, type Table, writeCsv, writeWorkbook } from '../builders/tables.ts';
import { partsOf, writeParts } from '../tables/xlsx/workbook-parts.ts';
import { foundIn } from './found-codes.ts';

const place = checkPlace();

describe('a merged cell', () => {
  const headers = ['Deal id', 'Date', 'Amount', 'Type'];
  const payment = (amount: number, deal: string | null = null) => [deal, '2026-06-30', amount, 'Payment'];

  async function foundWith(table: Table, merges: readonly string[], kind: RecordKindName = 'transactions') {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('July');
    for (const row of table) sheet.addRow([...row]);
    for (const range of merges) sheet.mergeCells(range);
    await workbook.xlsx.writeFile(place.path('rows.xlsx'));
    return foundIn((await place.check('rows.xlsx', { kind })).problemRows);
  }

  const below = [headers, payment(100, 'deal_1'), payment(250), payment(70), payment(30, 'deal_2')];
  const error = ['error merged-cell A'];
  it.each<[string, Table, readonly string[], Record<number, readonly string[]>]>([
    ['is an error in each row but the first, which alone has the value', below, ['A2:A4'], { 3: error, 4: error }],
    ['says nothing where the first is blank, too', [headers, payment(100), payment(70)], ['A2:A3'], {}],
    [
      'says nothing of a column that is left out',
      [[...headers, '(Remark)'], [...payment(100, 'deal_1'), 'paid'], payment(70, 'deal_1')],
      ['E2:E3'],
      {},
    ],
    [
      'says nothing of headers that are merged, nor of rows further down',
      [headers, [], payment(100, 'deal_1'), payment(70), payment(30, 'deal_2')],
      ['A1:A2', 'B1:B2', 'C1:C2', 'D1:D2', 'A3:A4'],
      { 4: error },
    ],
  ])('%s', async (_, table, merges, found) => {
    expect(await foundWith(table, merges)).toEqual(found);
  });

  it('takes the place of what is said of a missing one', async () => {
    const deals = [
      ['Company name', 'Owner 1 last name', 'Amount requested'],
      ['Harbor LLC', 'Byron', 50_000],
      [null, 'Born', 75_000],
    ];
    await foundWith(deals, ['A2:A3'], 'deals');
    const { problemRows } = await place.check('rows.xlsx', { kind: 'deals' });
    expect(problemRows.find(({ row }) => row === 3)?.problems.filter(({ column }) => column === 0)).toHaveLength(1);
  });

  it('is the group of the headers below it, also of those that name a field by themselves', async () => {
    const lead = [
      [null, 'Owner 2', null],
      ['Company name', 'SSN', 'Date of birth'],
      ['Harbor LLC', '219-09-9999', 'x'],
    ];
    await foundWith(lead, ['B1:C1'], 'leads');
    const { problemRows } = await place.check('rows.xlsx', { kind: 'leads' });
    expect(problemRows.flatMap(({ problems }) => problems.map(({ label }) => label))).toContain(
      'Owner 2 date of birth',
    );
  });

  it.each([
    ['the same value as it shows, which some programs leave there', 'deal_1', {}],
    ['a value of its own, which nobody sees', 'deal_9', { 3: ['warning value-under-merge A'] }],
  ])('has below it %s', async (_, value, found) => {
    const cell = (text: unknown) => `<c t="inlineStr"><is><t>${String(text)}</t></is></c>`;
    const rows = [headers, payment(100, 'deal_1'), payment(70, value)];
    const sheets = { July: rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('') };
    const afterRows = '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>';
    await writeParts(place.path('kept.xlsx'), partsOf({ sheets, afterRows }));
    expect(foundIn((await place.check('kept.xlsx', { kind: 'transactions' })).problemRows)).toEqual(found);
  });

  it('stays an error in a results sheet, which has no merged cells, until it is filled in, or emptied', async () => {
    await foundWith(below, ['A2:A4']);
    await place.check('rows.xlsx', { kind: 'transactions', resultsPath: place.path('rows.results.csv') });
    const codes = async () =>
      (await place.check('rows.results.csv', { kind: 'transactions' })).problemRows.map(({ row, problems }) => [
        row,
        ...problems.filter(({ column }) => column === resultColumns.length).map(({ code }) => code),
      ]);
    expect(await codes()).toEqual([
      [3, 'error-value'],
      [4, 'error-value'],
    ]);
    const own = ['Invalid', '', '', '', '', ''];
    writeCsv(place.path('rows.results.csv'), [
      [...resultColumns, ...headers],
      [...own, ...payment(250)],
    ]);
    expect(await codes()).toEqual([]);
  });
});

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const link = (shown: string) =>
  `<c t="str"><f>HYPERLINK("https://www.harbor.example/","${shown}")</f><v>${shown}</v></c>`;

it('a link is told where it shows another text than its address', async () => {
  const rows = [
    ['Company name', 'Contact types', 'Website'].map(cell),
    [cell('Harbor'), cell('Merchant'), link('our page')],
    [cell('Mill'), cell('Merchant'), link('harbor.example')],
  ];
  const sheets = { Companies: rows.map((row) => `<row>${row.join('')}</row>`).join('') };
  await writeParts(place.path('links.xlsx'), partsOf({ sheets }));
  const { problemRows } = await place.check('links.xlsx');
  expect(foundIn(problemRows)).toEqual({ 2: ['warning link-text C'] });
  expect(JSON.stringify(problemRows)).toContain('https://www.harbor.example/');
});

describe('a sheet as a whole', () => {
  const headers = ['Deal id', 'Date', 'Amount'];
  const paid = ['deal_1', '2026-06-30', 100];

  it('has hidden rows and cells beside its table told', async () => {
    await writeWorkbook(
      place.path('rows.xlsx'),
      { Payments: [headers, paid, [...paid, null, 'ask Ann']] },
      [2],
      'B C D',
    );
    const { preview } = await place.check('rows.xlsx', { kind: 'transactions' });
    expect(preview.notices).toEqual([
      'Payments: 1 cell to the right of the table, Payments!E3, has no header and is left out.',
      'Payments: What is hidden is read like the rest: 1 of the rows, columns B, C.',
    ]);
    const checks = { 'hidden-rows': 'off', 'cells-beside-table': 'off' } as const;
    expect((await place.check('rows.xlsx', { kind: 'transactions', checks })).preview.notices).toEqual([]);
  });

  it('is refused where a column between others has values and no header', async () => {
    const table = oneRow({ 'Deal id': 'deal_1', '': 'x', Date: '2026-06-30', Amount: 100 });
    await expect(place.checkTable(table, { kind: 'transactions' })).rejects.toMatchObject({
      code: 'unmatched-columns',
      message: expect.stringContaining('Column B has values without a header (rows!B2).'),
    });
  });
});

describe('rows of a CSV file with more cells than there are headers', () => {
  const header = 'Deal id,Date,Amount,Description';
  const sound = 'deal_1,2026-06-30,100,Debit';
  const figures = 'Deal id,Amount,(Term)';
  const day = 'Deal id,Amount,Description,Date,(Note)';
  const parted = ['deal_1,2026-06-30,1,250.50,', 'deal_2,2026-07-01,$12,300,'];
  const check = (lines: readonly string[], checks = {}) => {
    writeFileSync(place.path('rows.csv'), lines.join('\n'));
    return place.check('rows.csv', { kind: 'transactions', checks });
  };

  it.each([
    ['a comma in an amount has moved the cells behind it', [header, sound, 'deal_2,2026-06-30,1,250.50,Debit']],
    ['the last of the cells is blank', [header, sound, 'deal_2,2026-06-30,1,250.50,']],
    ['every row ends so, and amounts go on in the next cell', [header, ...parted]],
    ['the row is no longer than the headers', [header, sound, 'deal_2,2026-06-30,$1,250.50']],
    ['figures stand in two columns side by side', [figures, 'deal_1,500,365,', 'deal_2,1250,365,']],
    ['a date would stand in its column, once moved', [day, 'deal_1,500,365,Debit,2026-06-30,']],
    ['a blank in front of a quotation mark has cut a cell', [`${header},Reference`, 'deal_1,2026-06-30,1, "ACH, net"']],
    ['so has a mark of a word processor', [`${header},Reference`, sound, 'deal_1,2026-06-30,1,\u201cACH, net\u201d']],
    ['an open quotation mark holds rows', [header, `deal_1,2026-06-30,1,"No\n${sound}\n${sound}, 12"`, sound]],
    ['a line among them is blank', [header, `deal_1,2026-06-30,1,"No\n${sound}\n\n${sound}, 12"`, sound]],
    ['it is in a column between others', [day, 'deal_1,5,"No,2026-06-30,\ndeal_1,6,12"" pipe",2026-06-30,']],
  ])('stop the load where %s', async (_, lines) => {
    await expect(check(lines)).rejects.toMatchObject({ code: 'unmatched-columns' });
    expect((await check(lines, { 'moved-cells': 'warning' })).counts.rows).toBe(lines.length - 1);
  });

  it.each([
    [',', 'A cell with a separator (,) in it needs quotation marks:'],
    ['\t', 'A cell with a separator (tab) in it needs quotation marks:'],
  ])('are told with what separates the cells of the file: %j', async (mark, message) => {
    const lines = [header.split(','), sound.split(','), ['deal_2', '2026-06-30', '1', 'Bell', 'Debit']];
    await expect(check(lines.map((cells) => cells.join(mark)))).rejects.toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['every row ends with the same comma more', [header, `${sound},`, 'deal_2,2026-06-30,"1,250.50",Debit,']],
    ['rows are shorter', [header, sound, 'deal_2,2026-06-30,100', 'deal_2,2026-06-30,1,250']],
    ['amounts stand side by side', ['Deal id,Date,Amount,(Balance)', 'deal_2,2026-06-30,1,250.50']],
    ['lines of one text have commas', [header, 'deal_1,2026-06-30,1,"To: a@x,b@x,c@x,d@x\nSubject: 1,2,3,4"', sound]],
    [
      'quotation marks stand for inches, dittos and names',
      [
        `${header},Reference`,
        'deal_1,2026-06-30,1,2" pipe,3"',
        'deal_1,2026-06-30,1,"""",3"',
        'deal_1,2026-06-30,1,"""Al"" Roe",6"',
        'deal_1,2026-06-30,1,"""Foo","12"""',
        'deal_1,2026-06-30,1,\u201cThe Loft,5"',
      ],
    ],
    ['the headers end with as many commas', [`${header},,`, sound, `${sound},,Ask Ann`]],
    [
      'a text has lines, with commas',
      [figures, 'deal_1,5,"Paid 1,250.50, then\n12 Main St, Albany, NY, $2,000,\nor 7"'],
    ],
  ])('are read where %s', async (_, lines) => {
    expect((await check(lines)).counts).toMatchObject({ rows: lines.length - 1, invalid: 0 });
  });
});
