/** The workbooks of a month, and what the service has of their rows. */
import { existsSync } from 'node:fs';
import ExcelJS from 'exceljs';
import type { AcceptedEntry } from '../../src/sandbox/store.ts';
import { type Table, writeWorkbook } from '../builders/tables.ts';
import { OwnCells, ownColumns } from './own-cells.ts';
import { type SheetName, sheetNames, type WorkbookMonth, type WorkbookRow } from './workbook-steps.ts';

/** How the rows of a sheet are written: a good row, and the cell that spoils it. */
const sheets: Readonly<
  Record<
    SheetName,
    {
      readonly headers: readonly string[];
      readonly row: (row: WorkbookRow) => readonly (string | number | null)[];
      /** The column that holds the name, and the one that is spoilt, with what it says then and else. */
      readonly name: number;
      readonly spoilt: number;
      readonly bad: string;
      readonly good: string;
    }
  >
> = {
  Companies: {
    headers: ['Ref', 'Company name', 'Contact types'],
    row: ({ name }) => [name, name, 'Merchant'],
    name: 1,
    spoilt: 2,
    bad: 'Nobody',
    good: 'Merchant',
  },
  Deals: {
    headers: ['Ref', 'Company ref', 'Amount requested', 'Owner 1 last name'],
    row: ({ name, parent }) => [name, parent, '100', name],
    name: 3,
    spoilt: 2,
    bad: 'much',
    good: '100',
  },
  Notes: {
    headers: ['Deal ref', 'Deal status', 'Note'],
    row: ({ name, parent }) => [parent, 'In review', name],
    name: 2,
    spoilt: 1,
    bad: '',
    good: 'In review',
  },
  Transactions: {
    headers: ['Deal ref', 'Date', 'Amount', 'Reference'],
    row: ({ name, parent }) => [parent, '2026-06-30', '10', name],
    name: 3,
    spoilt: 1,
    bad: 'soon',
    good: '2026-06-30',
  },
};

export async function writeSource(path: string, { rows }: WorkbookMonth): Promise<void> {
  const table = (sheet: SheetName): Table => [
    sheets[sheet].headers,
    ...rows.filter((row) => row.sheet === sheet).map((row) => (row.isGood ? goodCells(row) : spoiltCells(row))),
  ];
  await writeWorkbook(path, Object.fromEntries(sheetNames.map((sheet) => [sheet, table(sheet)])));
}

function goodCells(row: WorkbookRow): readonly (string | number | null)[] {
  return sheets[row.sheet].row(row);
}

function spoiltCells(row: WorkbookRow): readonly (string | number | null)[] {
  const { spoilt, bad } = sheets[row.sheet];
  return goodCells(row).map((cell, index) => (index === spoilt ? bad : cell));
}

/** A row of a results workbook. */
export class ResultRow extends OwnCells {
  readonly sheet: SheetName;

  constructor(sheet: SheetName, cells: readonly string[]) {
    super(cells);
    this.sheet = sheet;
  }

  get name(): string {
    return this.cells[ownColumns + sheets[this.sheet].name] ?? '';
  }

  get isSpoilt(): boolean {
    return this.cells[ownColumns + sheets[this.sheet].spoilt] === sheets[this.sheet].bad;
  }

  correct(): void {
    this.cells[ownColumns + sheets[this.sheet].spoilt] = sheets[this.sheet].good;
  }

  spoil(): void {
    this.cells[ownColumns + sheets[this.sheet].spoilt] = sheets[this.sheet].bad;
  }
}

/** The rows of a results workbook, sheet by sheet; none when it is not there, or holds what the ledger knows alone. */
export async function readResults(path: string): Promise<ResultRow[]> {
  if (!existsSync(path)) return [];
  const workbook = await new ExcelJS.Workbook().xlsx.readFile(path);
  return sheetNames.flatMap((name) => {
    const sheet = workbook.getWorksheet(name);
    const width = ownColumns + sheets[name].headers.length;
    if (sheet === undefined || textOf(sheet.getRow(1).getCell(width)) !== sheets[name].headers.at(-1)) return [];
    return rowsOf(sheet, width).map((cells) => new ResultRow(name, cells));
  });
}

/** Puts other rows in the place of those of a results workbook, and takes the sheets away that have none. */
export async function rewriteResults(path: string, rows: readonly ResultRow[]): Promise<void> {
  const workbook = await new ExcelJS.Workbook().xlsx.readFile(path);
  for (const name of sheetNames) {
    const sheet = workbook.getWorksheet(name);
    if (sheet === undefined) continue;
    const ofSheet = rows.filter((row) => row.sheet === name);
    if (ofSheet.length === 0) workbook.removeWorksheet(sheet.id);
    const width = ownColumns + sheets[name].headers.length;
    for (let index = 0; index < Math.max(sheet.rowCount - 1, ofSheet.length); index += 1) {
      const cells = ofSheet[index]?.cells;
      for (let column = 0; column < width; column += 1)
        sheet.getRow(index + 2).getCell(column + 1).value = cells?.[column] || null;
    }
  }
  await workbook.xlsx.writeFile(path);
}

function rowsOf(sheet: ExcelJS.Worksheet, width: number): string[][] {
  const rows: string[][] = [];
  sheet.eachRow((row, number) => {
    if (number > 1) rows.push(Array.from({ length: width }, (_, column) => textOf(row.getCell(column + 1))));
  });
  return rows.filter((cells) => cells.some((cell) => cell !== ''));
}

function textOf(cell: ExcelJS.Cell): string {
  return cell.text ?? '';
}

/** A record that the service has, and that of the record it belongs to. */
export interface WorkbookRecord {
  readonly sheet: SheetName;
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

interface Body {
  readonly name?: string;
  readonly owner1?: { readonly lastName?: string };
  readonly company?: { readonly id?: string };
  readonly note?: string;
  readonly reference?: string;
  readonly dealId?: string;
}

const endpoints: Readonly<Record<string, SheetName>> = {
  addCompany: 'Companies',
  addDeal: 'Deals',
  addNote: 'Notes',
  addTransactions: 'Transactions',
};

export function recordsOf(accepted: readonly AcceptedEntry[]): readonly WorkbookRecord[] {
  return accepted.flatMap(({ endpoint, id, body }) => {
    const sheet = endpoints[endpoint];
    if (sheet === undefined) return [];
    const said = JSON.parse(body) as Body;
    const name = said.owner1?.lastName ?? said.note ?? said.reference ?? said.name ?? '';
    return [{ sheet, id, name, parentId: said.company?.id ?? said.dealId ?? null }];
  });
}
