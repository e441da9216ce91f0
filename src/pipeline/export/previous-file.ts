/** Last month's file, read as a table by the labels of its columns. It is held in memory, one text a record. */
import { basename } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import type { Cell, SheetRow } from '../../sheets/cell.ts';
import { undefuse } from '../../sheets/csv/formula-defusing.ts';
import { openSource } from '../../sheets/open-source.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import { totalLabel } from '../../workbooks/export-sheet.ts';
import { exportProperty } from './export-file.ts';

export interface PreviousFile {
  readonly name: string;
  /** Empty for the export of a month without records. */
  readonly labels: readonly string[];
  /** Every record, its values as plain text in the order of the labels. */
  readonly rows: readonly PreviousRow[];
}

export class PreviousRow {
  readonly #joined: string;
  /** Whether this month has it too. */
  isFound = false;

  constructor(values: readonly string[]) {
    this.#joined = values.join(separator);
  }

  get values(): readonly string[] {
    return this.#joined.split(separator);
  }
}

/** No spreadsheet holds it in a cell. */
const separator = '\u0001';
const ownSheets = ['summary', 'changes', 'guide'];
const rowsToSearch = 20;

/** @throws DealsheetError `unreadable-source` when it is no table with headers */
export async function readPrevious(path: string, sheetName: string): Promise<PreviousFile> {
  const source = await openSource(path, { name: basename(path), encoding: null, delimiter: null }).catch((cause) => {
    if (cause instanceof DealsheetError) {
      throw new DealsheetError(cause.code, `${basename(path)}: ${cause.message}`, cause.remedy, { cause });
    }
    throw unreadable(`The file ${path} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, cause);
  });
  try {
    return await readTable(source, basename(path), sheetName);
  } finally {
    await source.close();
  }
}

async function readTable(source: Source, name: string, sheetName: string): Promise<PreviousFile> {
  let labels: readonly string[] | null = null;
  let isBlank = true;
  const rows: PreviousRow[] = [];
  let lastFirst = '';
  for await (const row of sheetOf(source, sheetName).rows()) {
    const values = row.cells.map((cell) => plainText(cell, source.format));
    if (values.some((value) => value.trim() !== '')) isBlank = false;
    if (labels === null) {
      if (isHeader(values)) labels = values.map((value) => value.trim());
      else if (row.number > rowsToSearch) break;
      continue;
    }
    lastFirst = values[0] ?? '';
    rows.push(new PreviousRow(labels.map((_, index) => values[index] ?? '')));
  }
  if (labels === null && isBlank && isOfBalances(source)) return { name, labels: [], rows: [] };
  if (labels === null) throw unreadable(`${name} holds no table with headers.`);
  // The row of totals below the records is none of them.
  if (lastFirst === totalLabel) rows.pop();
  return { name, labels, rows };
}

/** A workbook says of itself that it is an export of balances; a CSV file says nothing, and one without a word in it is taken for one. */
function isOfBalances({ format, properties }: Source): boolean {
  return format === 'csv' || properties[exportProperty] === 'balances';
}

function sheetOf(source: Source, wanted: string): SourceSheet {
  const named = source.sheets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const other = source.sheets.find(({ name, hidden }) => !hidden && !ownSheets.includes(name.toLowerCase()));
  const sheet = named ?? other ?? source.sheets[0];
  if (sheet === undefined) throw unreadable('The file of last month has no sheet.');
  return sheet;
}

function isHeader(values: readonly string[]): boolean {
  return values.filter((value) => value.trim() !== '').length >= 2;
}

function plainText(cell: SheetRow['cells'][number], format: Source['format']): string {
  const text = textOf(cell);
  return format === 'csv' ? undefuse(text) : text;
}

function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  switch (cell.kind) {
    case 'number':
      return cell.stored;
    case 'date':
      return cell.time === null ? cell.day : `${cell.day} ${cell.time}`;
    case 'boolean':
      return cell.value ? 'TRUE' : 'FALSE';
    case 'error':
      return cell.text;
    case 'formula-without-value':
      return '';
  }
}

function unreadable(message: string, cause?: unknown): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    message,
    'Give the file that an earlier export has written, as .xlsx or .csv, with --previous.',
    { cause },
  );
}
