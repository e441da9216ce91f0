import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { fieldsOf, templateFieldsOf } from '../../src/contract/fields.ts';
import { recordKind, recordKinds } from '../../src/contract/record-kinds.ts';
import { checkFile } from '../../src/load/check-file.ts';
import { templateBytes } from '../../src/workbooks/template.ts';
import type { TemplateOptions } from '../../src/workbooks/template-sheet.ts';
import { readingDefaults } from '../builders/default-options.ts';
import { folderForAllTests } from '../builders/temporary-folder.ts';
import { root } from '../builders/workplace.ts';

const inFolder = folderForAllTests();
let workbook: ExcelJS.Workbook;

async function write(kinds: typeof recordKinds, name: string, options: Partial<TemplateOptions>): Promise<void> {
  const usual: TemplateOptions = { columns: 'common', examples: false, dealStatuses: [], assignees: [] };
  writeFileSync(inFolder(name), await templateBytes(kinds, name, { ...usual, ...options }));
}

beforeAll(async () => {
  await write(recordKinds, 'all.xlsx', { columns: 'every', dealStatuses: ['Open', 'Closed'] });
  workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(inFolder('all.xlsx'));
});

/** The validation of a column, found by its header. */
function validationOf(sheetName: string, label: string): ExcelJS.DataValidation | undefined {
  const sheet = workbook.getWorksheet(sheetName);
  const headers = (sheet?.getRow(1).values ?? []) as string[];
  const column = headers.findIndex((header) => header === label || header === `${label} *`);
  return sheet?.getCell(2, column).dataValidation;
}

function columnOf(sheetName: string, label: string): ExcelJS.Column | undefined {
  const sheet = workbook.getWorksheet(sheetName);
  const headers = (sheet?.getRow(1).values ?? []) as string[];
  const index = headers.findIndex((header) => header === label || header === `${label} *`);
  return index < 1 ? undefined : sheet?.getColumn(index);
}

function headersOf(sheetName: string): readonly string[] {
  return ((workbook.getWorksheet(sheetName)?.getRow(1).values ?? []) as string[]).slice(1);
}

/** Every text of the guide, a line a row. */
function guideLines(): readonly string[] {
  return Array.from(workbook.getWorksheet('Guide')?.getSheetValues() ?? [], (row) =>
    Array.isArray(row) ? [...new Set(row.slice(1).map(String))].join(' | ') : '',
  );
}

const check = (file: string) =>
  checkFile(
    {
      ...{ ...readingDefaults, file, sourcesFolder: inFolder('sources') },
      ...{ expectations: [], service: null, openLedger: async () => null },
    },
    { onProgress: () => {} },
  );

describe('a template', () => {
  it('has a guide and a sheet for every kind, in the order of loading', () => {
    const seen = workbook.worksheets.filter(({ state }) => state === 'visible').map(({ name }) => name);
    expect(seen).toEqual(['Guide', ...recordKinds.map(({ sheet }) => sheet)]);
  });

  it('has a column for every field, with a star where nothing may stand in its place, each with a note', () => {
    for (const kind of recordKinds) {
      const row = workbook.getWorksheet(kind.sheet)?.getRow(1);
      const filledByRef = kind.references.map(({ fills }) => fills);
      const labels = templateFieldsOf(kind, 'every').map(({ label, path, required, facts }) =>
        (required || facts.need !== undefined) && !filledByRef.includes(path) ? `${label} *` : label,
      );
      expect([...headersOf(kind.sheet)].sort()).toEqual([...labels].sort());
      row?.eachCell((cell) => expect(JSON.stringify(cell.note)).toContain('Example: '));
    }
  });

  it.each([
    ['Companies', ['Ref', 'Company name *']],
    ['Deals', ['Ref', 'Company ref', 'Company name']],
    ['Leads', ['Ref', 'Company name']],
    ['Notes', ['Deal ref']],
    ['Company updates', ['Company ref', 'Company to update']],
  ])('keeps in sight by what a row of %s is known', (sheetName, labels) => {
    expect(headersOf(sheetName).slice(0, labels.length)).toEqual(labels);
    expect(workbook.getWorksheet(sheetName)?.views).toEqual([
      expect.objectContaining({ state: 'frozen', xSplit: labels.length, ySplit: 1 }),
    ]);
  });

  it('shows the columns that link rows as what they are, each with one sentence and an example', () => {
    const looks = recordKinds.flatMap((kind) =>
      fieldsOf(kind).flatMap(({ label }) => {
        const column = headersOf(kind.sheet).indexOf(label) + 1;
        if (!/^Ref$| ref$/.test(label)) return [];
        const cell = workbook.getWorksheet(kind.sheet)?.getCell(1, column);
        expect(JSON.stringify(cell?.note)).toMatch(/"[^.]*\.\\nExample: [A-Z]+-\d"/);
        return JSON.stringify(cell?.fill);
      }),
    );
    expect(looks.length).toBeGreaterThan(recordKinds.length);
    expect(new Set(looks).size).toBe(1);
    expect(looks).not.toContain(JSON.stringify(workbook.getWorksheet('Deals')?.getCell('C1').fill));
  });

  it('has a guide that says which cells of a group are needed, and which ref may stand in place of an id', () => {
    const lines = guideLines();
    expect(lines).toContain(
      'Every deal needs at least one cell of Company (or a Company ref) and at least one of Owner 1.',
    );
    const notes = lines.slice(lines.indexOf('Notes'));
    for (const line of ['Deal id | yes, or Deal ref | ', 'Deal ref | yes, or Deal id | ', 'Note | yes | '])
      expect(
        notes.filter((each) => each.startsWith(line)),
        line,
      ).not.toEqual([]);
    expect(lines.filter((line) => line.startsWith('Company id |  | '))).not.toEqual([]);
  });

  it('has a guide that says what to do next, how to get a second owner, and what is spelled otherwise', () => {
    const text = guideLines().join('\n');
    for (const command of ['dealsheet check FILE', 'dealsheet import FILE', 'dealsheet template all --every'])
      expect(text).toContain(command);
    expect(text).toContain('Owner 2 first name');
    expect(text.match(/Procedssor/g)).toHaveLength(2); // Companies and Company updates
    const notes = recordKinds.flatMap(({ sheet }) =>
      headersOf(sheet).map((_, index) => JSON.stringify(workbook.getWorksheet(sheet)?.getCell(1, index + 1).note)),
    );
    for (const seen of [text, notes.join('\n')]) expect(seen).not.toMatch(/assumed|documented|\(?\d\.\d+\)/i);
  });

  it('has a guide whose rows are as high as their text', () => {
    const guide = workbook.getWorksheet('Guide');
    const longest = guide
      ?.getRows(1, guide.rowCount)
      ?.filter((row) => !row.getCell(3).isMerged && String(row.getCell(3).value ?? '').length > 100);
    expect(longest?.length).toBeGreaterThan(0);
    for (const row of longest ?? []) expect(row.height).toBeGreaterThanOrEqual(32);
  });

  it('offers every enumeration as a drop-down, and the deal statuses of a profile', () => {
    expect(validationOf('Deals', 'Entity type')).toMatchObject({
      type: 'list',
      formulae: ['"Corporation,S Corporation,LLP,LLC,Partnership,Sole Proprietorship,Non-Profit"'],
      showErrorMessage: true,
    });
    expect(validationOf('Deals', 'Stage')?.formulae).toEqual(['"Lead,Application"']);
    expect(validationOf('Companies', 'Contact types')).toMatchObject({
      type: 'list',
      formulae: ['"Merchant,Broker,Funder,Investor,Processor,Other"'],
    });
    expect(validationOf('Notes', 'Deal status')?.formulae).toEqual(['"Open,Closed"']);
  });

  it('sets the limits of the service in Excel itself', () => {
    expect(validationOf('Deals', 'Amount requested')).toMatchObject({ type: 'decimal', formulae: [0, 2 ** 53 - 1] });
    for (const [sheet, label, most] of [
      ['Deals', 'Use of proceeds', 250],
      ['Notes', 'Note', 999],
      ['Companies', 'Website', 100],
    ] as const)
      expect(validationOf(sheet, label)).toMatchObject({ type: 'textLength', formulae: [most] });
  });

  it('keeps SSN, EIN, ZIP, phones and ids as text', () => {
    for (const label of ['Owner 1 SSN', 'Company EIN', 'Company address ZIP', 'Company phone', 'Company id', 'Ref'])
      expect(columnOf('Deals', label)?.numFmt, label).toBe('@');
    expect(columnOf('Deals', 'Amount requested')?.numFmt).toBe('#,##0.00');
    expect(columnOf('Deals', 'Owner 1 date of birth')?.numFmt).toBe('yyyy-mm-dd');
  });

  it('has no rows before it is filled in', async () => {
    await expect(check(inFolder('all.xlsx'))).rejects.toThrow(/no rows/);
  });

  it('can be loaded with its own examples, every kind of it', async () => {
    for (const every of [true, false]) {
      const name = `examples-${every}.xlsx`;
      const kinds = recordKinds.filter((kind) => kind.name !== 'attachments');
      await write(kinds, name, { columns: every ? 'every' : 'common', examples: true });
      const { counts } = await check(inFolder(name));
      expect(counts).toMatchObject({ rows: recordKinds.length - 1, invalid: 0 });
    }
  });

  it('is a line of headers as CSV, for one kind', async () => {
    await write([recordKind('notes')], 'notes.csv', {});
    expect(readFileSync(inFolder('notes.csv'), 'utf8')).toBe('\uFEFFDeal ref,Deal id,Deal status *,Note *\r\n');
    await expect(write(recordKinds, 'all.csv', {})).rejects.toMatchObject({ code: 'usage' });
  });

  it('stands in the project as it is made', () => {
    expect(readFileSync(join(root, 'templates', 'notes.csv'), 'utf8')).toBe(
      '\uFEFFDeal ref,Deal id,Deal status *,Note *\r\n',
    );
  });
});
