/** Last month's export, read by the labels of its columns. It is held in memory, one text a record. */
import { basename } from 'node:path';
import { DealsheetError } from '../errors.ts';
import { shownText } from '../mapping/reading.ts';
import type { Cell } from '../sheets/cell.ts';
import { undefuse } from '../sheets/csv/formula-defusing.ts';
import { openSource } from '../sheets/open-source.ts';
import type { Source } from '../sheets/source.ts';
import { columnName } from '../sheets/xlsx/cell-reference.ts';
import { firstLineOf } from '../staging/source/file-beginning.ts';
import { type ExportColumn, totalLabel } from '../workbooks/export-sheet.ts';
import { folded } from './columns.ts';
import { exportProperty } from './export-file.ts';
import { shownBefore } from './sensitive-values.ts';

export interface PreviousFile {
  readonly name: string;
  /** Empty for the export of a month without records. */
  readonly labels: readonly string[];
  readonly rows: readonly PreviousRow[];
  /** Whether it may have been saved by a spreadsheet program, which writes into CSV what its cells show. */
  readonly isShown: boolean;
}

export class PreviousRow {
  readonly #joined: string;
  /** The row of its sheet, from 1. */
  readonly number: number;

  constructor(values: readonly string[], number: number) {
    this.#joined = values.join(separator);
    this.number = number;
  }

  /** Plain texts in the order of the labels. */
  get values(): readonly string[] {
    return this.#joined.split(separator);
  }
}

/** No spreadsheet holds it in a cell. */
const separator = '\u0001';
/** What a workbook with balances says to hold. */
const balancesMark = 'balances';
const byteOrderMark = '\uFEFF';

/**
 * @param isMasked  whether what is sensitive gets its stars, as in this month's
 * @throws DealsheetError `unreadable-source` when it is no export of balances
 */
export async function readPrevious(path: string, sheetName: string, isMasked: boolean): Promise<PreviousFile> {
  const name = basename(path);
  const source = await openSource(path, { name, encoding: null, delimiter: ',' }).catch((cause) => {
    const why = cause instanceof DealsheetError ? cause.message : `it cannot be read (${cause.code})`;
    throw unreadable(`${name}: ${why}`, cause);
  });
  try {
    const isShown = source.format === 'csv';
    const isOurs = isShown
      ? firstLineOf(path).startsWith(byteOrderMark)
      : source.properties[exportProperty]?.split(' ')[0] === balancesMark;
    const sheet = isShown ? source.sheets[0] : source.sheets.find((each) => each.name === sheetName);
    if (!isOurs || sheet === undefined) throw unreadable(`${name} is no export of balances.`);
    let labels: readonly string[] = [];
    const rows: PreviousRow[] = [];
    for await (const { cells, number } of sheet.rows()) {
      const values = cells.map((cell) => plainText(cell, source.format));
      const shown = (label: string, index: number) => {
        const value = values[index] ?? '';
        return isMasked ? shownBefore(label, value) : value;
      };
      if (number === 1) labels = values.map((value) => value.trim());
      else rows.push(new PreviousRow(labels.map(shown), number));
    }
    if (labels.length === 0 && rows.length > 0) throw unreadable(`${name} has no names of columns in its first row.`);
    // The row of totals below the records is none of them.
    if (rows.at(-1)?.values[0] === totalLabel) rows.pop();
    return { name, labels, rows, isShown };
  } finally {
    await source.close();
  }
}

/** A number, a day, or words; `57,071.43`, `5.7E+04` and `####` are what a spreadsheet program shows of one. */
const asWritten = /^(?:-?\d+(?:\.\d+)?|\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?|[^\p{Nd}#]*)$/u;

/**
 * A CSV file says nothing of itself. One of balances has an amount of this month, its balance where it has one, and its values as
 * an export writes them: what a spreadsheet program has saved can be two values.
 *
 * @throws DealsheetError `unreadable-source`
 */
export function needBalances({ name, labels, rows, isShown }: PreviousFile, columns: readonly ExportColumn[]): void {
  if (!isShown || labels.length === 0) return;
  const before = labels.map(folded);
  const amounts = columns.filter(({ look }) => look === 'money');
  const balances = amounts.filter(({ meaning }) => meaning === 'balance');
  const wanted = balances.length > 0 ? balances : amounts;
  if (wanted.length > 0 && !wanted.some(({ label }) => before.includes(folded(label)))) {
    const missing = wanted.map(({ label }) => `"${label}"`).join(' or ');
    throw unreadable(`${name} is no export of balances: it has no column ${missing}.`);
  }
  for (const { label } of columns.filter(({ look }) => look !== 'text' && look !== 'yes-no')) {
    const place = before.indexOf(folded(label));
    for (const { values, number } of place === -1 ? [] : rows) {
      const text = values[place] ?? '';
      if (!asWritten.test(text))
        throw unreadable(
          `${name}: ${label} "${text}" in ${columnName(place)}${number} is not as an export has written it.`,
        );
    }
  }
}

/** A number as it is stored, whatever its format shows. */
function plainText(cell: Cell, format: Source['format']): string {
  if (cell === null || (typeof cell !== 'string' && cell.kind === 'formula-without-value')) return '';
  const text = typeof cell !== 'string' && cell.kind === 'number' ? cell.stored : shownText(cell);
  return format === 'csv' ? undefuse(text) : text;
}

function unreadable(message: string, cause?: unknown): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    message,
    'Give the file that an earlier export of balances has written, as .xlsx or .csv, as it is, with --previous.',
    { cause },
  );
}
