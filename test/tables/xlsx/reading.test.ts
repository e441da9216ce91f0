import { describe, expect, it } from 'vitest';
import type { Cell, SheetRow } from '../../../src/tables/row.ts';
import { openXlsx } from '../../../src/tables/xlsx/workbook-reader.ts';
import { folderForAllTests } from '../../builders/temporary-folder.ts';
import { partsOf, relation, relationships, type WorkbookParts, writeParts } from './workbook-parts.ts';

const inFolder = folderForAllTests();

interface ReadSheet {
  readonly name: string;
  readonly hidden: boolean;
  readonly rows: readonly SheetRow[];
}

async function read(workbook: WorkbookParts): Promise<readonly ReadSheet[]> {
  const path = inFolder('book.xlsx');
  await writeParts(path, partsOf(workbook), workbook.order ?? []);
  const source = await openXlsx(path, false);
  try {
    const sheets: ReadSheet[] = [];
    for (const { name, hidden, rows } of source.sheets) {
      const found: SheetRow[] = [];
      for await (const row of rows()) found.push(row);
      sheets.push({ name, hidden, rows: found });
    }
    return sheets;
  } finally {
    await source.close();
  }
}

/** The cells of the only row of the only sheet. */
async function cellsOf(row: string, further: Omit<WorkbookParts, 'sheets'> = {}): Promise<readonly Cell[]> {
  const [sheet] = await read({ ...further, sheets: { Data: `<row r="1">${row}</row>` } });
  return sheet?.rows[0]?.values ?? [];
}

const number = (value: number, further: object = {}) => ({
  kind: 'number',
  value,
  stored: String(value),
  shown: String(value),
  percent: false,
  ...further,
});
const dateStyles =
  '<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="00-0000000"/><numFmt numFmtId="166" formatCode="[$-409]mmm d, yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="9"/><xf numFmtId="166"/><xf numFmtId="22"/><xf numFmtId="2"/></cellXfs>';

describe('the cells of a workbook', () => {
  it('are read by their types', async () => {
    const cells = await cellsOf(
      '<c r="A1" t="s"><v>1</v></c><c r="B1"><v>12.5</v></c><c r="C1" t="b"><v>1</v></c><c r="D1" t="e"><v>#N/A</v></c>' +
        '<c r="E1" t="str"><f>A1&amp;"x"</f><v>two x</v></c><c r="F1" t="inlineStr"><is><t>in line</t></is></c><c r="G1" t="d"><v>2026-06-30</v></c>',
      { sharedStrings: '<si><t>one</t></si><si><t>two</t></si>' },
    );
    expect(cells).toEqual([
      'two',
      number(12.5),
      { kind: 'boolean', value: true },
      { kind: 'error', text: '#N/A' },
      'two x',
      'in line',
      { kind: 'date', day: '2026-06-30', time: null },
    ]);
  });

  it('are days and times as text, and what is neither stays the text that it is', async () => {
    const dated = (...texts: readonly string[]) =>
      texts.map((text, index) => `<c r="${'ABCDEF'[index]}1" t="d"><v>${text}</v></c>`).join('');
    const texts = ['2026-03-02T10:30:00', '2026-03-02T10:30:00+02:00', '12:30:00', '2026-02-30', 'PT36H'];
    expect(await cellsOf(dated(...texts))).toEqual([
      { kind: 'date', day: '2026-03-02', time: '10:30:00' },
      { kind: 'date', day: '2026-03-02', time: '10:30:00' },
      number(12.5 / 24, { shown: '12:30', inOtherForm: true }),
      '2026-02-30',
      'PT36H',
    ]);
  });

  it('are blank, or a formula without a value, or one with a stored 0 or FALSE', async () => {
    const cells = await cellsOf(
      '<c r="A1"><f>B1+1</f></c><c r="B1"><f>1-1</f><v>0</v></c><c r="C1" t="b"><f>1&gt;2</f><v>0</v></c><c r="D1" s="1"/><c r="E1"><v>7</v></c>',
    );
    expect(cells).toEqual([
      { kind: 'formula-without-value', formula: 'B1+1' },
      number(0),
      { kind: 'boolean', value: false },
      null,
      number(7),
    ]);
  });

  it('are formulas without a value beside a 0 that stands there until a program has calculated them', async () => {
    const row =
      '<c r="A1"><f>100*3</f><v>0</v></c><c r="B1"><f>100*3</f><v>300</v></c><c r="C1"><v>0</v></c><c r="D1" t="str"><f>"0"</f><v>0</v></c>';
    expect(await cellsOf(row, { awaitsCalculation: true })).toEqual([
      { kind: 'formula-without-value', formula: '100*3' },
      number(300),
      number(0),
      '0',
    ]);
  });

  it('are days in both date systems, whatever the format is called', async () => {
    const row =
      '<c r="A1" s="1"><v>46203</v></c><c r="B1" s="2"><v>46203</v></c><c r="C1" s="5"><v>46203</v></c><c r="D1" s="6"><v>46203.5</v></c><c r="E1" s="7"><v>46203</v></c>';
    const day = { kind: 'date', day: '2026-06-30', time: null };
    expect(await cellsOf(row, { styles: dateStyles })).toEqual([
      day,
      day,
      day,
      { ...day, time: '12:00:00' },
      number(46203),
    ]);
    for (const date1904 of ['1', 'true', ' 1 ', 'on']) {
      const [first] = await cellsOf('<c r="A1" s="1"><v>44741</v></c>', { styles: dateStyles, date1904 });
      expect(first).toEqual(day);
    }
  });

  it('are days that are not seen where the format shows a month, a year or a time alone, or no year', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="yyyy"/><numFmt numFmtId="165" formatCode="mmm d"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="17"/><xf numFmtId="20"/><xf numFmtId="165"/><xf numFmtId="16"/></cellXfs>';
    const row =
      '<c r="A1" s="1"><v>46203</v></c><c r="B1" s="2"><v>46203</v></c><c r="C1" s="3"><v>46203.5</v></c><c r="D1" s="4"><v>46203</v></c><c r="E1" s="5"><v>46203</v></c>';
    const unseen = { kind: 'date', day: '2026-06-30', time: null, hides: 'day' };
    const yearless = { ...unseen, hides: 'year' };
    const cells = await cellsOf(row, { styles });
    expect(cells).toEqual([unseen, unseen, { ...unseen, time: '12:00:00' }, yearless, yearless]);
  });

  it('show what only their format shows: a zero in front, a percentage', async () => {
    const cells = await cellsOf('<c r="A1" s="3"><v>12345678</v></c><c r="B1" s="4"><v>0.6</v></c>', {
      styles: dateStyles,
    });
    expect(cells).toEqual([number(12345678, { shown: '01-2345678' }), number(0.6, { percent: true })]);
  });

  it('show the words of their format, and the time of a day', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="&quot;INV-&quot;0000"/><numFmt numFmtId="165" formatCode="(000) 000-0000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs>';
    const row =
      '<c r="A1" s="1"><v>12</v></c><c r="B1" s="2"><v>5185550142</v></c><c r="C1" s="3"><v>0.5</v></c><c r="D1" s="3"><v>1.60451388888889</v></c>';
    expect(await cellsOf(row, { styles })).toEqual([
      number(12, { shown: 'INV-0012' }),
      number(5185550142, { shown: '(518) 555-0142' }),
      number(0.5, { shown: '12:00', inOtherForm: true }),
      number(1.60451388888889, { shown: '14:30:30', inOtherForm: true }),
    ]);
  });

  it('show a calculated number as Excel does, without what is noise of its binary form', async () => {
    const cells = await cellsOf(
      '<c r="A1"><v>3.3000000000000003</v></c><c r="B1"><v>-1.2100000000000002</v></c><c r="C1"><v>1234567890123.45</v></c>',
    );
    expect(cells).toEqual([
      number(3.3000000000000003, { shown: '3.3' }),
      number(-1.2100000000000002, { shown: '-1.21' }),
      number(1234567890123.45),
    ]);
  });

  it('keep the digits that the file stores', async () => {
    expect(await cellsOf('<c r="A1"><v>1.2E+05</v></c><c r="B1"><v>9007199254740993</v></c>')).toEqual([
      number(120000, { stored: '1.2E+05' }),
      number(9007199254740992, { stored: '9007199254740993', shown: '9007199254740992' }),
    ]);
  });

  it('join rich text, leave phonetic text out, and keep blanks, entities and escapes', async () => {
    const strings =
      '<si><r><t xml:space="preserve">Har </t></r><r><rPr><b/></rPr><t>bor</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si>' +
      '<si><t xml:space="preserve"> a &amp; b &#x1F600; &#10;_x0041_ _x005F_x0042_</t></si><si><t/></si><si/>';
    const cells = await cellsOf(
      '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c><c r="E1"><v>1</v></c>',
      { sharedStrings: strings },
    );
    expect(cells).toEqual(['Har bor', ' a & b 😀 \nA _x0042_', null, null, number(1)]);
  });

  it('need no references of their own', async () => {
    const [sheet] = await read({
      sheets: {
        Data: '<row><c><v>1</v></c><c/><c><v>3</v></c></row><row r="5"><c r="B5"><v>2</v></c><c><v>9</v></c></row>',
      },
    });
    expect(
      sheet?.rows.map(({ number: row, values }) => [
        row,
        values.map((cell) => (cell === null ? null : (cell as { value: number }).value)),
      ]),
    ).toEqual([
      [1, [1, null, 3]],
      [5, [null, 2, 9]],
    ]);
  });
});

describe('the rows of a workbook', () => {
  it('have the numbers that Excel shows, blank and hidden ones too', async () => {
    const blank = Array.from(
      { length: 5000 },
      (_, index) => `<row r="${index + 10}"><c r="A${index + 10}" s="1"/></row>`,
    ).join('');
    const [sheet] = await read({
      sheets: {
        Data: `<row r="2"><c r="A2"><v>1</v></c></row><row r="7" hidden="1"><c r="C7"><v>2</v></c></row>${blank}`,
      },
    });
    expect(sheet?.rows.map(({ number: row, hidden }) => [row, hidden])).toEqual([
      [2, false],
      [7, true],
    ]);
  });

  it('are found whatever the prefix, the namespace, the names and the order of the parts', async () => {
    const row = (prefix: string) =>
      `<${prefix}row r="1"><${prefix}c r="A1" t="s"><${prefix}v>0</${prefix}v></${prefix}c></${prefix}row>`;
    const item = (prefix: string) => `<${prefix}si><${prefix}t>text</${prefix}t></${prefix}si>`;
    const prefixed = await read({ prefix: 'x:', sheets: { Data: row('x:') }, sharedStrings: item('x:') });
    expect(prefixed[0]?.rows[0]?.values).toEqual(['text']);
    const strict = await read({
      namespace: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
      sheets: { Data: row('') },
      sharedStrings: item(''),
    });
    expect(strict[0]?.rows[0]?.values).toEqual(['text']);
    const renamed = await read({
      sheets: {},
      sharedStrings: item(''),
      parts: {
        'xl/workbook.xml':
          '<workbook xmlns:r="r"><sheets><sheet name="Data" sheetId="1" r:id="a"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': relationships(
          relation('a', 'worksheet', '/odd/place.bin') + relation('b', 'sharedStrings', '../texts.xml'),
        ),
        'xl/sharedStrings.xml': null,
        'texts.xml': `<sst>${item('')}</sst>`,
        'odd/place.bin': `<worksheet><sheetData>${row('')}</sheetData></worksheet>`,
      },
      order: ['odd/place.bin', 'texts.xml', 'xl/workbook.xml'],
    });
    expect(renamed[0]?.rows[0]?.values).toEqual(['text']);
  });

  it('are read of hidden sheets, and said to be hidden', async () => {
    const sheets = await read({
      sheets: { A: '', B: '<row r="1"><c r="A1"><v>1</v></c></row>' },
      states: { B: 'veryHidden' },
    });
    expect(sheets.map(({ name, hidden, rows }) => [name, hidden, rows.length])).toEqual([
      ['A', false, 0],
      ['B', true, 1],
    ]);
  });

  it('are refused when their XML ends early or is not what a sheet is', async () => {
    const odd = [
      ...['<row r="1"><c r="A1"><v>1</v></row>', '<row r="1"><c r="A1"><v>1</v></c>'],
      ...['<row r="2"/><row r="1"/>', '<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>'],
      ...['<row r="1"><c r="A2"><v>1</v></c></row>', '<row r="1"><c r="A1" t="s"><v>5</v></c></row>'],
      ...['<row r="1"><c r="A1" t="q"><v>5</v></c></row>', '<row r="1"><c r="A1"><v>five</v></c></row>'],
      ...['<row r="1048577"/>', '<row r="1"><c r="XFE1"><v>1</v></c></row>'],
      ...['<row r="1"><c r="A1" t="str"><v>&nbsp;</v></c></row>', '<other/>'],
    ];
    for (const rows of odd) {
      await expect(read({ sheets: { Data: rows } }), rows).rejects.toMatchObject({
        name: 'DealsheetError',
        code: 'unreadable-source',
      });
    }
  });

  it('are refused when more of them stand behind the end of the rows, however far', async () => {
    const row = '<row r="2"><c r="A2"><v>2</v></c></row>';
    const further = [
      `<sheetData>${row}</sheetData>`,
      '<x:sheetData/>',
      `<mergeCells>${'<mergeCell ref="A1:B1"/>'.repeat(20_000)}</mergeCells><sheetData >${row}</sheetData>`,
    ];
    for (const rows of ['', '<row r="1"><c r="A1"><v>1</v></c></row>']) {
      for (const afterRows of further) {
        await expect(read({ sheets: { Data: rows }, afterRows })).rejects.toMatchObject({
          message: expect.stringContaining('the sheet Data cannot be read'),
          code: 'unreadable-source',
        });
      }
    }
  });

  it('are refused behind a DOCTYPE, in any part', async () => {
    const doctype = '<!DOCTYPE lol [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>';
    const row = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>';
    const usual = { sheets: { Data: row }, sharedStrings: '<si><t>x</t></si>' };
    expect((await read(usual))[0]?.rows[0]?.values).toEqual(['x']);
    for (const part of ['xl/workbook.xml', 'xl/styles.xml', 'xl/sharedStrings.xml', 'xl/worksheets/sheet1.xml']) {
      const parts = { [part]: `${doctype}${String(partsOf(usual)[part])}` };
      await expect(read({ ...usual, parts }), part).rejects.toMatchObject({ code: 'unreadable-source' });
    }
  });
});
