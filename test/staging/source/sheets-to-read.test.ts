import { writeFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { templateBytes } from '../../../src/workbooks/template.ts';
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
    expect((await surveyed('m.xlsx', { ignoredSheets: ['scratch', 'Deal'] })).notices).toEqual([
      '--ignore-sheets names "Deal", but the file has no such sheet.',
    ]);
    const { notices } = await surveyed('m.xlsx', { ignoredSheets: 'all' });
    expect(notices).toContain(
      'The sheet Scratch is left out: neither its name nor its headers tell what its rows are.',
    );
  });

  it('of no kind that is known is called hidden where it is, since nobody sees it', async () => {
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet('Deals').addRows(deals('A').map((row) => [...row]));
    workbook.addWorksheet('Cities', { state: 'veryHidden' }).addRows([['Albany'], ['Troy']]);
    await workbook.xlsx.writeFile(place.path('m.xlsx'));
    await expect(surveyed('m.xlsx')).rejects.toMatchObject({
      message: expect.stringMatching(/^The hidden sheet Cities has neither a name nor headers that show/),
    });
  });

  it('of a CSV file that is the guide of a template, or the Summary of results, is named as what it is: programs save the sheet that is in sight', async () => {
    const options = { columns: 'common', examples: true, dealStatuses: [], assignees: [] } as const;
    writeFileSync(place.path('deals.xlsx'), await templateBytes([recordKind('deals')], 'deals.xlsx', options));
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(place.path('deals.xlsx'));
    await workbook.csv.writeFile(place.path('deals.csv'), { sheetName: 'Guide' });
    writeFileSync(place.path('summary.csv'), 'Results of a load\nService,https://service.example\n');
    for (const [file, title] of [
      ['deals.csv', 'How to fill in this workbook'],
      ['summary.csv', 'Results of a load'],
    ] as const)
      await expect(surveyed(file, { kind: 'deals' })).rejects.toMatchObject({
        code: 'unreadable-source',
        message: expect.stringContaining(`it is the sheet "${title}" alone`),
      });
  });

  it('of a template that holds no rows is passed over', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `Status number ${index}`);
    const options = { columns: 'common', examples: true, dealStatuses: many, assignees: [] } as const;
    const kinds = [recordKind('notes'), recordKind('companies')];
    writeFileSync(place.path('t.xlsx'), await templateBytes(kinds, 't.xlsx', options));
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(place.path('t.xlsx'));
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Guide', 'Notes', 'Lists', 'Companies']);
    workbook.removeWorksheet(workbook.getWorksheet('Notes')?.id ?? 0);
    await workbook.xlsx.writeFile(place.path('t.xlsx'));
    expect(await checked('t.xlsx')).toEqual({ Companies: 1 });
  });

  it("called Summary is read from a results workbook when it is the person's own, and ours is not under any name", async () => {
    await writeWorkbook(place.path('m.xlsx'), { Summary: deals('A', 'B'), Deals: deals('C') });
    await checked('m.xlsx', 'z.xlsx');
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(place.path('z.xlsx'));
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Summary (2)', 'Summary', 'Deals']);
    expect(await checked('z.xlsx')).toEqual({ Summary: 2, Deals: 1 });
    for (const sheet of workbook.worksheets) sheet.name = `${sheet.name} - Table 1`;
    await workbook.xlsx.writeFile(place.path('numbers.xlsx'));
    expect(await checked('numbers.xlsx')).toEqual({ 'Summary - Table 1': 2, 'Deals - Table 1': 1 });
  });
});
