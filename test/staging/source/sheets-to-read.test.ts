import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { writeTemplate } from '../../../src/workbooks/template.ts';
import { type CheckChoice, checkPlace } from '../../builders/check-place.ts';
import { type Table, writeWorkbook } from '../../builders/tables.ts';

const place = checkPlace();

async function surveyed(file: string, choice: CheckChoice = {}) {
  return (await place.check(file, choice)).preview;
}

async function checked(file: string, results: string | null = null) {
  const { sheets } = await surveyed(file, { resultsPath: results === null ? null : place.path(results) });
  return Object.fromEntries(sheets.map(({ name, rows }) => [name, rows]));
}

const deals = (...names: string[]): Table => [
  ['Company name', 'Owner 1 first name', 'Amount requested', 'Stage'],
  ...names.map((name) => [name, 'Ada', 100, 'Lead']),
];

describe('a sheet', () => {
  it("of a person's own is read whatever its name, also one of those that we use", async () => {
    await writeWorkbook(place.path('m.xlsx'), {
      Deals: deals('A'),
      Guide: deals('B', 'C'),
      Lists: deals('D'),
      Summary: deals('E'),
    });
    expect(await checked('m.xlsx')).toEqual({ Deals: 1, Guide: 2, Lists: 1, Summary: 1 });
  });

  it('of no kind that is known is left out with all such sheets, and told', async () => {
    await writeWorkbook(place.path('m.xlsx'), { Deals: deals('A'), Scratch: [['to do'], ['call Ada']] });
    await expect(surveyed('m.xlsx')).rejects.toMatchObject({ code: 'unmatched-columns' });
    const { notices } = await surveyed('m.xlsx', { ignoredSheets: 'all' });
    expect(notices).toContain('The sheet Scratch is of no kind that its name or its headers tell, and is left out.');
  });

  describe('beside others, whose headers are those of a kind that wants no field', () => {
    const lists: Readonly<Record<string, Table>> = {
      Rates: [
        ['Term', 'Factor'],
        [12, 1.28],
      ],
      Calendar: [
        ['Date', 'Description'],
        ['2026-07-03', 'Bank holiday'],
      ],
      Codes: [
        ['Submission status', 'Comment'],
        ['Submitted', 'It lies with the funder'],
      ],
    };

    it.each([
      ['Rates', 'a submission loan', 'which submission or deal', 'submission-loans'],
      ['Calendar', 'a transaction', 'which deal', 'transactions'],
      ['Codes', 'a submission', 'which deal or company', 'submissions'],
    ])('is not taken for records where none says whose they are: %s', async (name, record, whose, kind) => {
      await writeWorkbook(place.path('m.xlsx'), { Deals: deals('A'), [name]: lists[name] ?? [] });
      await expect(surveyed('m.xlsx')).rejects.toMatchObject({
        code: 'unmatched-columns',
        message: `The sheet ${name} has headers of ${record}, and none that says of ${whose} it is. Name the sheet after what it holds, read it alone with --sheet ${name} --as ${kind}, or leave the sheet out with --ignore-sheets ${name}.`,
      });
      const { notices, sheets } = await surveyed('m.xlsx', { ignoredSheets: 'all' });
      expect(sheets.map((sheet) => sheet.name)).toEqual(['Deals']);
      expect(notices).toContain(`The sheet ${name} is of no kind that its name or its headers tell, and is left out.`);
    });

    it('is taken for them where one does, or its name says it, or it is the only sheet', async () => {
      const paid: Table = [
        ['Deal id', 'Date', 'Amount'],
        ['deal_000001', '2026-07-03', 10],
      ];
      const loans = lists.Rates ?? [];
      await writeWorkbook(place.path('m.xlsx'), { Deals: deals('A'), June: paid, 'Loans of June': loans });
      expect(await checked('m.xlsx')).toEqual({ Deals: 1, June: 1, 'Loans of June': 1 });
      await writeWorkbook(place.path('alone.xlsx'), { June: loans });
      expect(await checked('alone.xlsx')).toEqual({ June: 1 });
    });
  });

  describe('with the headers of a kind that wants no field is taken for records', () => {
    const paid = (amount: number): Table => [
      ['Date', 'Amount', 'Type'],
      ['2026-07-03', amount, 'debit'],
    ];

    it.each([[[] as readonly string[]], ['all' as const]])('where the others are empty', async (ignoredSheets) => {
      await writeWorkbook(place.path('m.xlsx'), { Sheet1: paid(10), Sheet2: [], Sheet3: [] });
      const { sheets } = await surveyed('m.xlsx', { ignoredSheets });
      expect(sheets.map(({ name, rows }) => [name, rows])).toEqual([['Sheet1', 1]]);
    });

    it('where all others hold the same', async () => {
      await writeWorkbook(place.path('m.xlsx'), { June: paid(10), July: paid(20) });
      expect(await checked('m.xlsx')).toEqual({ June: 1, July: 1 });
    });

    it('and not where another sheet holds something else', async () => {
      const rates: Table = [
        ['Term', 'Factor'],
        [12, 1.28],
      ];
      await writeWorkbook(place.path('m.xlsx'), { June: paid(10), Rates: rates });
      await expect(surveyed('m.xlsx')).rejects.toMatchObject({ code: 'unmatched-columns' });
      await writeWorkbook(place.path('n.xlsx'), { June: paid(10), 'To do': [['call Ada'], ['call Sam']] });
      await expect(surveyed('n.xlsx')).rejects.toMatchObject({ code: 'unmatched-columns' });
      await expect(surveyed('n.xlsx', { ignoredSheets: 'all' })).rejects.toMatchObject({
        code: 'unmatched-columns',
        message:
          'The sheet June is of no kind that its name or its headers tell, and is left out. The sheet To do is of no kind that its name or its headers tell, and is left out. No sheet is left to read.',
      });
    });
  });

  it('is told to have hidden columns where those are read', async () => {
    const noticesWithHidden = async (columns: readonly number[]) => {
      const workbook = new ExcelJS.Workbook();
      const sheet = workbook.addWorksheet('Deals');
      sheet.addRows(deals('A').map((row) => [...row, '(remark)']));
      for (const column of columns) sheet.getColumn(column).hidden = true;
      await workbook.xlsx.writeFile(place.path('m.xlsx'));
      const { notices } = await surveyed('m.xlsx');
      return notices.filter((notice) => notice.includes('hidden'));
    };
    expect(await noticesWithHidden([3])).toEqual([
      'Deals: the hidden column C "Amount requested" is read like the others.',
    ]);
    expect(await noticesWithHidden([2, 3, 4])).toEqual([
      'Deals: the hidden columns B "Owner 1 first name", C "Amount requested" and D "Stage" are read like the others.',
    ]);
    expect(await noticesWithHidden([5])).toEqual([]);
    expect(await noticesWithHidden([])).toEqual([]);
  });

  it('of no kind that is known is called hidden where it is, since nobody sees it', async () => {
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet('Deals').addRows(deals('A').map((row) => [...row]));
    workbook.addWorksheet('Cities', { state: 'veryHidden' }).addRows([['Albany'], ['Troy']]);
    await workbook.xlsx.writeFile(place.path('m.xlsx'));
    await expect(surveyed('m.xlsx')).rejects.toMatchObject({
      message: expect.stringMatching(/^The hidden sheet Cities is of no kind/),
    });
  });

  it('of a CSV file that is the guide of a template is named as what it is: programs save the sheet that is in sight', async () => {
    await writeTemplate([recordKind('deals')], place.path('deals.xlsx'), {
      columns: 'common',
      examples: true,
      dealStatuses: [],
      assignees: [],
    });
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(place.path('deals.xlsx'));
    await workbook.csv.writeFile(place.path('deals.csv'), { sheetName: 'Guide' });
    await expect(surveyed('deals.csv', { kind: 'deals' })).rejects.toMatchObject({
      code: 'unreadable-source',
      message: expect.stringMatching(/^The file is the guide of a template, and has none of its rows/),
    });
  });

  it('of a template that holds no rows is passed over', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `Status number ${index}`);
    const options = { columns: 'common', examples: true, dealStatuses: many, assignees: [] } as const;
    await writeTemplate([recordKind('notes'), recordKind('companies')], place.path('t.xlsx'), options);
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(place.path('t.xlsx'));
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Guide', 'Notes', 'Lists', 'Companies', '_dealsheet']);
    workbook.removeWorksheet(workbook.getWorksheet('Notes')?.id ?? 0);
    await workbook.xlsx.writeFile(place.path('t.xlsx'));
    expect(await checked('t.xlsx')).toEqual({ Companies: 1 });
  });

  it("called Summary is read from a results workbook when it is the person's own, and ours is not", async () => {
    await writeWorkbook(place.path('m.xlsx'), { Summary: deals('A', 'B'), Deals: deals('C') });
    await checked('m.xlsx', 'z.xlsx');
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(place.path('z.xlsx'));
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Summary 2', 'Summary', 'Deals']);
    expect(await checked('z.xlsx')).toEqual({ Summary: 2, Deals: 1 });
  });
});
