/** Last month's file, read as a table by the labels of its columns. It is held in memory, one text a record. */
import { basename } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import { shownText } from '../../mapping/reading.ts';
import type { Cell, SheetRow } from '../../sheets/cell.ts';
import { undefuse } from '../../sheets/csv/formula-defusing.ts';
import { openSource } from '../../sheets/open-source.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import type { ExportColumn } from '../../workbooks/export-column.ts';
import { totalLabel } from '../../workbooks/export-sheet.ts';
import { resultsProperty } from '../../workbooks/results.ts';
import { areResultHeaders } from '../rows/own-columns.ts';
import { folded } from './columns.ts';
import { answerColumns, exportProperty } from './export-file.ts';

export interface PreviousFile {
  readonly name: string;
  /** Empty for the export of a month without records. */
  readonly labels: readonly string[];
  /** Every record, its values as plain text in the order of the labels. */
  readonly rows: readonly PreviousRow[];
  /** A workbook says of itself that it is an export of balances; a table that went through CSV says nothing. */
  readonly saysBalances: boolean;
  /** Whether its values may be written as the cells of a spreadsheet showed them: CSV. A workbook holds them whole. */
  readonly isShown: boolean;
}

export class PreviousRow {
  #joined: string;
  /** The row of its sheet, from 1. */
  readonly number: number;
  /** Whether this month has it too. */
  isFound = false;

  constructor(values: readonly string[], number: number) {
    this.#joined = values.join(separator);
    this.number = number;
  }

  get values(): readonly string[] {
    return this.#joined.split(separator);
  }

  set values(values: readonly string[]) {
    this.#joined = values.join(separator);
  }
}

/** No spreadsheet holds it in a cell. */
const separator = '\u0001';
const ownSheets = ['summary', 'changes', 'guide'];
const rowsToSearch = 20;
/** What a workbook with balances says to hold. */
const balancesMark = 'balances';
const resultsInWords = 'the results sheet of a load, not an export of balances';
const remedy = 'Give the file that an earlier export of balances has written, as .xlsx or .csv, with --previous.';

/** @throws DealsheetError `unreadable-source` when it is no table with headers, or says that it is something else than balances */
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

/**
 * What a file that says nothing of itself must have to be one of balances: an amount of this month, its balance where it
 * has one. An id alone is in every other export and source as well.
 *
 * @throws DealsheetError `unreadable-source` when it has none
 */
export function needBalances({ name, labels, saysBalances }: PreviousFile, columns: readonly ExportColumn[]): void {
  const amounts = columns.filter(({ look }) => look === 'money');
  const balances = amounts.filter(({ meaning }) => meaning === 'balance');
  const wanted = balances.length > 0 ? balances : amounts;
  const [first] = wanted;
  if (saysBalances || labels.length === 0 || first === undefined) return;
  const before = new Set(labels.map(folded));
  if (wanted.some(({ label }) => before.has(folded(label)))) return;
  const missing =
    wanted.length === 1
      ? `no column "${first.label}"`
      : `none of the columns ${wanted.map(({ label }) => `"${label}"`).join(', ')}`;
  throw new DealsheetError(
    'unreadable-source',
    `${name} is no export of balances: it has ${missing}.`,
    `${remedy} If it is one, and its amounts have other names there, give those of this month the same: --columns "*,balance=Open".`,
  );
}

async function readTable(source: Source, name: string, sheetName: string): Promise<PreviousFile> {
  refuseOther(name, whatIsSaid(source.properties));
  const isShown = source.format === 'csv';
  const saysBalances = source.properties[exportProperty] === balancesMark;
  let labels: readonly string[] | null = null;
  let isBlank = true;
  const rows: PreviousRow[] = [];
  let lastFirst = '';
  for await (const row of sheetOf(source, sheetName).rows()) {
    const values = row.cells.map((cell) => plainText(cell, source.format));
    if (values.some((value) => value.trim() !== '')) isBlank = false;
    if (labels === null) {
      if (isHeader(values)) {
        labels = values.map((value) => value.trim());
        refuseOther(name, whatHeadersSay(labels));
      } else if (row.number > rowsToSearch) break;
      continue;
    }
    lastFirst = values[0] ?? '';
    rows.push(
      new PreviousRow(
        labels.map((_, index) => values[index] ?? ''),
        row.number,
      ),
    );
  }
  // A CSV file without a word in it is what a month without balances is.
  if (labels === null && isBlank && (saysBalances || isShown)) {
    return { name, labels: [], rows: [], saysBalances, isShown };
  }
  if (labels === null) throw unreadable(`${name} holds no table with headers.`);
  // The row of totals below the records is none of them.
  if (lastFirst === totalLabel) rows.pop();
  return { name, labels, rows, saysBalances, isShown };
}

/** What a workbook says of itself when it is of ours and not of balances, or `null`. */
function whatIsSaid(properties: Source['properties']): string | null {
  if (properties[resultsProperty] !== undefined) return resultsInWords;
  const exported = properties[exportProperty];
  return exported === undefined || exported === balancesMark ? null : `an export of ${exported}, not of balances`;
}

/** The same of a table that went through another program, or is CSV. */
function whatHeadersSay(labels: readonly string[]): string | null {
  if (areResultHeaders(labels)) return resultsInWords;
  return answerColumns.every((label) => labels.includes(label))
    ? 'an export of deals or companies, not of balances'
    : null;
}

/** @param said  what it says to be, or `null` */
function refuseOther(name: string, said: string | null): void {
  if (said !== null) throw unreadable(`${name} is ${said}.`);
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

/** A number as it is stored, whatever its format shows. */
function textOf(cell: Cell): string {
  if (cell === null || (typeof cell !== 'string' && cell.kind === 'formula-without-value')) return '';
  return typeof cell !== 'string' && cell.kind === 'number' ? cell.stored : shownText(cell);
}

function unreadable(message: string, cause?: unknown): DealsheetError {
  return new DealsheetError('unreadable-source', message, remedy, { cause });
}
