/** Reads or writes one table with one tool, to its last cell: `node table.mjs read TOOL FILE`, `node table.mjs write TOOL FILE ROWS`. */
import { readFileSync } from 'node:fs';

const [job, tool, path, rows] = process.argv.slice(2);
const ours = new URL('../../../dist/tables/', import.meta.url);

const readers = {
  async dealsheet() {
    const { openSource } = await import(new URL('open-source.js', ours));
    const source = await openSource(path, { name: path, encoding: null, delimiter: null, verifiesLater: true });
    let cells = 0;
    for (const sheet of source.sheets) for await (const row of sheet.rows()) cells += row.values.length;
    await source.verify();
    await source.close();
    return cells;
  },
  async 'exceljs, streaming'() {
    const { default: ExcelJS } = await import('exceljs');
    let cells = 0;
    const options = { sharedStrings: 'cache', worksheets: 'emit', hyperlinks: 'ignore', styles: 'cache' };
    for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(path, options)) {
      for await (const row of sheet) cells += row.values.length - 1;
    }
    return cells;
  },
  async exceljs() {
    const { default: ExcelJS } = await import('exceljs');
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(path);
    let cells = 0;
    workbook.worksheets[0].eachRow((row) => {
      cells += row.values.length - 1;
    });
    return cells;
  },
  async 'SheetJS (@e965/xlsx)'() {
    const { read, utils } = await import('@e965/xlsx');
    const workbook = read(readFileSync(path), { dense: true, raw: true });
    const table = utils.sheet_to_json(workbook.Sheets[workbook.SheetNames[0]], { header: 1, raw: true });
    return table.reduce((cells, row) => cells + row.length, 0);
  },
  async 'papaparse, whole file'() {
    const { default: Papa } = await import('papaparse');
    return Papa.parse(readFileSync(path, 'utf8')).data.reduce((cells, row) => cells + row.length, 0);
  },
};

const columns = 40;
const headers = Array.from({ length: columns }, (_, column) => `Column ${column + 1}`);

function urlOf(row) {
  return `https://app.example.com/deals/deal_${row}`;
}

/** A status with a fill, a link, a day, numbers and texts: what a row of results holds. */
function textsOf(row) {
  return Array.from({ length: columns - 8 }, (_, column) => `text ${column} of row ${row}`);
}

const writers = {
  async dealsheet() {
    const { createSheetWriter } = await import(new URL('../report/results-file.js', ours));
    const writer = await createSheetWriter(path, { mode: 0o600, compression: 1, properties: {} });
    const sheet = await writer.addSheet({
      name: 'Deals',
      columns: headers.map(() => ({ width: 14 })),
      header: 'filters',
      frozenColumns: 1,
    });
    await sheet.addRow(headers.map((value) => ({ value, style: 'header' })));
    for (let row = 1; row <= Number(rows); row += 1) {
      const url = urlOf(row);
      const link = { value: { link: url, text: url }, style: 'link' };
      const numbers = [row, row * 1.25, row % 7, row * 100, row / 4];
      await sheet.addRow([
        { value: 'Created', style: 'good' },
        link,
        { day: '2026-01-31' },
        ...numbers,
        ...textsOf(row),
      ]);
    }
    await writer.finish();
  },
  async 'exceljs, streaming'() {
    const { default: ExcelJS } = await import('exceljs');
    const writer = new ExcelJS.stream.xlsx.WorkbookWriter({
      filename: path,
      useStyles: true,
      zip: { zlib: { level: 1 } },
    });
    const sheet = writer.addWorksheet('Deals', { views: [{ state: 'frozen', xSplit: 1, ySplit: 1 }] });
    sheet.addRow(headers).commit();
    const fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFD5EBDD' } };
    const day = new Date('2026-01-31T00:00:00Z');
    for (let number = 1; number <= Number(rows); number += 1) {
      const url = urlOf(number);
      const numbers = [number, number * 1.25, number % 7, number * 100, number / 4];
      const row = sheet.addRow(['Created', { text: url, hyperlink: url }, day, ...numbers, ...textsOf(number)]);
      row.getCell(1).fill = fill;
      row.getCell(3).numFmt = 'yyyy-mm-dd';
      row.commit();
    }
    sheet.commit();
    await writer.commit();
  },
  async 'SheetJS (@e965/xlsx)'() {
    const { utils, write } = await import('@e965/xlsx');
    const { writeFileSync } = await import('node:fs');
    const day = new Date('2026-01-31T00:00:00Z');
    const table = [headers];
    for (let row = 1; row <= Number(rows); row += 1) {
      table.push(['Created', urlOf(row), day, row, row * 1.25, row % 7, row * 100, row / 4, ...textsOf(row)]);
    }
    const workbook = utils.book_new();
    utils.book_append_sheet(workbook, utils.aoa_to_sheet(table, { dense: true }), 'Deals');
    writeFileSync(path, write(workbook, { type: 'buffer', bookType: 'xlsx', compression: true }));
  },
};

await (job === 'read' ? readers : writers)[tool]();
