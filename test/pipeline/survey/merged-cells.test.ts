import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import { findingText } from '../../../src/messages/finding.ts';
import { resultColumns } from '../../../src/workbooks/results.ts';
import { checkPlace } from '../../builders/check-place.ts';
import { type Table, writeCsv } from '../../builders/tables.ts';
import { partsOf, writeParts } from '../../sheets/xlsx/workbook-parts.ts';

const place = checkPlace();

/** What is said of the rows of a workbook with merged cells, by the row that it is said of. */
async function saidOf(
  table: Table,
  merges: readonly string[],
  kind: RecordKindName = 'transactions',
): Promise<Record<number, readonly string[]>> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('July');
  for (const row of table) sheet.addRow([...row]);
  for (const range of merges) sheet.mergeCells(range);
  await workbook.xlsx.writeFile(place.path('rows.xlsx'));
  return saidOfFile('rows.xlsx', kind);
}

async function saidOfFile(name: string, kind: RecordKindName): Promise<Record<number, readonly string[]>> {
  const { problemRows } = await place.check(name, { kind });
  const told = problemRows.map(({ row, problems }) => [
    row,
    problems.map((problem) => `${problem.severity}: ${findingText(problem)}`),
  ]);
  return Object.fromEntries(told);
}

const headers = ['Deal id', 'Date', 'Amount', 'Type'];
const payment = (amount: number, deal: string | null = null) => [deal, '2026-06-30', amount, 'Payment'];
const merged = (label: string, row: number) =>
  `error: ${label} is blank here: the cell is merged with that of row ${row}, which alone has the value. Unmerge the cells, and fill in each of them.`;

describe('a cell that is merged over several rows', () => {
  it('is an error in each of them but the first, which alone has what a person sees in all', async () => {
    const table = [headers, payment(100, 'deal_1'), payment(250), payment(70), payment(30, 'deal_2')];
    expect(await saidOf(table, ['A2:A4'])).toEqual({ 3: [merged('Deal id', 2)], 4: [merged('Deal id', 2)] });
  });

  it('is one where the field may be blank, too, and takes the place of what is said of a missing one', async () => {
    const deals = [
      ['Company name', 'Company address state', 'Owner 1 first name', 'Owner 1 last name', 'Amount requested'],
      ['Harbor LLC', 'NY', 'Ada', 'Byron', 50_000],
      [null, null, 'Max', 'Born', 75_000],
      ['Kite LLC', null, 'Eve', 'Kay', 20_000],
    ];
    const said = await saidOf(deals, ['A2:A3', 'B2:B4'], 'deals');
    const errors = (row: number) => said[row]?.filter((message) => message.startsWith('error'));
    expect(errors(2)).toEqual([]);
    expect(errors(3)).toEqual([merged('Company name', 2), merged('Company address state', 2)]);
    expect(errors(4)).toEqual([merged('Company address state', 2)]);
  });

  it('says nothing where nothing is lost: an empty one, one of a column that is left out', async () => {
    const table = [[...headers, '(Remark)'], [...payment(100, 'deal_1'), 'paid'], payment(70, 'deal_1')];
    expect(await saidOf(table, ['E2:E3'])).toEqual({});
    const unnamed = await saidOf([headers, payment(100), payment(70)], ['A2:A3']);
    expect(
      Object.values(unnamed)
        .flat()
        .filter((message) => message.startsWith('error')),
    ).toEqual([]);
  });

  it('says nothing where the rows have their values all the same, as some programs leave them below', async () => {
    const cell = (text: unknown) => `<c t="inlineStr"><is><t>${String(text)}</t></is></c>`;
    const table = [headers, payment(100, 'deal_1'), payment(70, 'deal_1')];
    const rows = table.map((row) => `<row>${row.map(cell).join('')}</row>`).join('');
    const afterRows = '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>';
    await writeParts(place.path('kept.xlsx'), partsOf({ sheets: { July: rows }, afterRows }));
    expect(await saidOfFile('kept.xlsx', 'transactions')).toEqual({});
  });

  it('says nothing of rows further down, and of headers that are merged themselves', async () => {
    const table = [headers, [], payment(100, 'deal_1'), payment(70), payment(30, 'deal_2')];
    const said = await saidOf(table, ['A1:A2', 'B1:B2', 'C1:C2', 'D1:D2', 'A3:A4']);
    expect(said).toEqual({ 4: [merged('Deal id', 3)] });
  });

  it('stays one in a results sheet, which has no merged cells, until it is filled in', async () => {
    const stillBlank =
      'error: Deal id is blank here: the cell was merged in the source with one above it, which alone has the value. Fill it in; if it is to be blank, empty its cell under Problems.';
    const own = (problem: string) => ['Invalid', '', '', '', problem, ''];
    const [first, again] = [merged('Deal id', 2), stillBlank].map((message) => message.replace('error: ', '')) as [
      string,
      string,
    ];
    const table = [
      [...resultColumns, ...headers],
      [...own(first), ...payment(250)],
      [...own(again), ...payment(70)],
      [...own(first), ...payment(40, 'deal_1')],
    ];
    writeCsv(place.path('rows.results.csv'), table);
    const said = await saidOfFile('rows.results.csv', 'transactions');
    expect(said).toEqual({ 2: [stillBlank], 3: [stillBlank] });
  });

  it('may stay blank in a results sheet once its problem is taken out', async () => {
    writeCsv(place.path('rows.results.csv'), [
      [...resultColumns, ...headers],
      ['Invalid', '', '', '', '', '', ...payment(250)],
    ]);
    expect((await saidOfFile('rows.results.csv', 'transactions'))[2]).toBeUndefined();
  });
});
