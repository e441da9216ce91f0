import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';

describe('dealsheet template', () => {
  const place = workplaceForEachTest();

  const headersOf = (file: string) =>
    (
      place
        .read(file)
        .replace(/^\uFEFF/, '')
        .split('\r\n')[0] ?? ''
    ).split(',');
  async function make(...words: string[]) {
    await expectExit(place.run(['template', ...words]), 0);
  }
  async function opened(file: string): Promise<ExcelJS.Workbook> {
    const workbook = await new ExcelJS.Workbook().xlsx.readFile(place.path(file));
    return workbook;
  }

  it('has the columns that are named, in their order, behind the required ones', async () => {
    await make('transactions', '--columns', 'Description, amount', '-o', 't.csv');
    expect(headersOf('t.csv')).toEqual(['Deal ref', 'Deal id', 'Date *', 'Description', 'Amount *']);
    await make('submission-loans', '--columns', 'Submission ref, Term', '-o', 'l.csv');
    expect(headersOf('l.csv')).toEqual(['Amount *', 'Submission ref', 'Term']);
  });

  it('has both columns that name a deal, unless one of them is chosen', async () => {
    await make('notes', '--columns', 'Note', '-o', 'both.csv');
    expect(headersOf('both.csv')).toEqual(['Deal ref', 'Deal id', 'Deal status *', 'Note *']);
    await make('notes', '--columns', 'Deal ref, Note', '-o', 'one.csv');
    expect(headersOf('one.csv')).toEqual(['Deal status *', 'Deal ref', 'Note *']);
    await make('notes', '--minimal', '-o', 'minimal.csv');
    expect(headersOf('minimal.csv')).toEqual(headersOf('both.csv'));
  });

  it('says which column there is none of, with the nearest that there is', async () => {
    const { exitCode, stderr } = await place.run(['template', 'deals', '--columns', 'Company nmae', '-o', 'd.csv']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/Company nmae.*Company name/s);
  });

  it('has a sheet for each of the kinds that are named', async () => {
    await make('deals', 'notes', '-o', 'two.xlsx');
    expect((await opened('two.xlsx')).worksheets.map(({ name }) => name)).toEqual(['Guide', 'Deals', 'Notes']);
  });

  it('speaks of a name that is no column as a name, not as a column of a sheet', async () => {
    const { stderr } = await place.run(['template', 'deals', '--columns', 'Company nam, EIN', '-o', 'd.csv']);
    expect(stderr).toContain('The name "Company nam" is not a field of a deal. Did you mean "Company name"?');
    expect(stderr).not.toContain('Column A');
  });

  it('is asked for columns in one way, and of one kind', async () => {
    const both = await place.run(['template', 'deals', '--every', '--minimal']);
    expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('--every, --minimal')]);
    const several = await place.run(['template', 'deals', 'companies', '--columns', 'Name']);
    expect([several.exitCode, several.stderr]).toEqual([2, expect.stringContaining('one kind')]);
  });

  it('is loaded without a word of what is missing when all of its smallest form is filled in', async () => {
    await make('deals', '--minimal', '--with-examples', '-o', 'deals.csv');
    await make('deals', '-o', 'usual.csv');
    expect(headersOf('deals.csv').length).toBeLessThan(headersOf('usual.csv').length);
    const { stderr } = await expectExit(place.run(['check', 'deals.csv']), 0);
    expect(stderr).not.toMatch(/expected/i);
  });

  it('offers the people and the statuses of a profile, however many', async () => {
    const assignees = Array.from({ length: 40 }, (_, n) => `person.number.${n}@lender.example`);
    const dealStatuses = ['In review, first', 'Approved'];
    const live = { url: 'https://service.example', contract: { assignees, dealStatuses } };
    place.write('config/dealsheet/dealsheet.config.json', { profiles: { live } });
    await make('deals', 'notes', 'submissions', '--profile', 'live', '--every', '-o', 'month.xlsx');
    const workbook = await opened('month.xlsx');
    const lists = workbook.getWorksheet('Lists');
    expect(lists?.state).toBe('veryHidden');
    const columns = [1, 2].map((column) => (lists?.getColumn(column).values ?? []).filter(Boolean));
    const title = 'The lists of the drop-downs';
    expect(columns).toEqual([
      [title, ...assignees],
      [title, ...dealStatuses],
    ]);
    const formulaOf = (sheet: string, header: string) => {
      const found = workbook.getWorksheet(sheet);
      const headers = (found?.getRow(1).values ?? []) as string[];
      const column = headers.findIndex((name) => String(name ?? '').replace(/ \*$/, '') === header);
      return found?.getCell(2, column).dataValidation?.formulae;
    };
    expect(formulaOf('Deals', 'Assigned to')).toEqual(['Lists!$A$2:$A$41']);
    expect(formulaOf('Notes', 'Deal status')).toEqual(['Lists!$B$2:$B$3']);
    expect(formulaOf('Submissions', 'Submission status')).toBeUndefined();
    const blank = await place.run(['check', 'month.xlsx']);
    expect(blank.stderr).toContain('The file holds no rows');
  });
});
