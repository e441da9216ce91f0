/** Tables as files: CSV by hand, workbooks by exceljs, so that the project's own writers are not their own judges. */
import { readFileSync, writeFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import Papa from 'papaparse';

export type TableCell = string | number | Date | boolean | null;
export type Table = readonly (readonly TableCell[])[];

/** A table of one row, each cell below its header. */
export function oneRow(cells: Readonly<Record<string, TableCell>>): Table {
  return [Object.keys(cells), Object.values(cells)];
}

export function writeCsv(path: string, table: Table): void {
  writeFileSync(path, table.map((row) => row.map(csvCell).join(',')).join('\r\n'));
}

/** Deals of three columns, each of another company. */
export function writeManyDeals(path: string, count: number): void {
  const deals = Array.from({ length: count }, (_, index) => [1000 + index, `Company ${index}`, 'Moreno']);
  writeCsv(path, [['Amount requested', 'Company name', 'Owner last name'], ...deals]);
}

/** @param hidden  the numbers of rows that are hidden, on each sheet */
export async function writeWorkbook(
  path: string,
  sheets: Readonly<Record<string, Table>>,
  hidden: readonly number[] = [],
  hiddenColumns = '',
): Promise<void> {
  const workbook = new ExcelJS.Workbook();
  for (const [name, table] of Object.entries(sheets)) {
    const sheet = workbook.addWorksheet(name);
    table.forEach((row, index) => {
      row.forEach((cell, column) => {
        const target = sheet.getCell(index + 1, column + 1);
        target.value = cell;
        if (cell instanceof Date) target.numFmt = 'yyyy-mm-dd';
      });
    });
    for (const number of hidden) sheet.getRow(number).hidden = true;
    for (const [column] of hiddenColumns.matchAll(/[A-Z]+/g)) sheet.getColumn(column).hidden = true;
  }
  await workbook.xlsx.writeFile(path);
}

/** The rows of a sheet of a results workbook, as plain values under their headers; of a link its address. */
export async function readWorkbook(path: string, sheet: string): Promise<readonly Record<string, unknown>[]> {
  const workbook = await new ExcelJS.Workbook().xlsx.readFile(path);
  const found = workbook.getWorksheet(sheet);
  if (found === undefined)
    throw new Error(`There is no sheet ${sheet} in ${path}: ${workbook.worksheets.map(({ name }) => name)}`);
  const headers = (found.getRow(1).values as unknown[]).slice(1).map(plain);
  const rows: Record<string, unknown>[] = [];
  found.eachRow((row, number) => {
    if (number === 1) return;
    rows.push(
      Object.fromEntries(headers.map((header, index) => [String(header), plain(row.getCell(index + 1).value)])),
    );
  });
  return rows;
}

/** Changes cells of a workbook as a person does, each below its header. */
export async function changeCells(
  path: string,
  sheet: string,
  row: number,
  values: Readonly<Record<string, string | number>>,
): Promise<void> {
  const workbook = await new ExcelJS.Workbook().xlsx.readFile(path);
  const found = workbook.getWorksheet(sheet);
  const headers = ((found?.getRow(1).values ?? []) as unknown[]).map(String);
  for (const [header, value] of Object.entries(values)) {
    if (found === undefined || !headers.includes(header)) throw new Error(`${path} has no ${sheet} with ${header}.`);
    found.getCell(row, headers.indexOf(header)).value = value;
  }
  await workbook.xlsx.writeFile(path);
}

/** Types an id for each row in doubt of a results sheet in CSV. */
export function typeIdOfDoubt(path: string, id: string): void {
  const { data } = Papa.parse<string[]>(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''), { skipEmptyLines: true });
  const column = data[0]?.indexOf('ID') ?? -1;
  writeCsv(
    path,
    data.map((cells) => (cells[0] === 'In doubt' ? cells.with(column, id) : cells)),
  );
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString().slice(0, 'YYYY-MM-DD'.length);
  if ('hyperlink' in value) return value.hyperlink;
  if ('text' in value) return plain(value.text);
  if ('richText' in value && Array.isArray(value.richText))
    return value.richText.map((run: { text: string }) => run.text).join('');
  if ('result' in value) return plain(value.result);
  return value;
}

function csvCell(cell: TableCell): string {
  if (cell === null) return '';
  const text = cell instanceof Date ? cell.toISOString().slice(0, 'YYYY-MM-DD'.length) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
