/** Last month's export, read by the labels of its columns. It is held in memory, one text a record. */

import { basename } from 'node:path';
import { DealsheetError } from '../errors.ts';
import { shownText } from '../mapping/reading.ts';
import type { Cell } from '../sheets/cell.ts';
import { undefuse } from '../sheets/csv/formula-defusing.ts';
import { openSource } from '../sheets/open-source.ts';
import { allCells } from '../sheets/row.ts';
import type { Source } from '../sheets/source.ts';
import { firstLineOf } from '../staging/source/file-beginning.ts';
import { totalLabel } from '../workbooks/export-sheet.ts';
import { exportProperty } from './export-file.ts';
import { shownBefore } from './sensitive-values.ts';

export interface PreviousFile {
  readonly name: string;
  /** Empty for the export of a month without records. */
  readonly labels: readonly string[];
  readonly rows: readonly PackedRow[];
  /** A spreadsheet program may have saved it again: into CSV it writes what its cells show. */
  readonly isCsv: boolean;
}

/** Plain texts in the order of the labels, in the room of one. */
export class PackedRow {
  readonly #joined: string;

  constructor(values: readonly string[]) {
    this.#joined = values.join(separator);
  }

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
    throw noExport(`${name}: ${why}`, cause);
  });
  try {
    const isCsv = source.format === 'csv';
    const isOurs = isCsv
      ? firstLineOf(path).startsWith(byteOrderMark)
      : source.properties[exportProperty]?.split(' ')[0] === balancesMark;
    const sheet = isCsv ? source.sheets[0] : source.sheets.find((each) => each.name === sheetName);
    if (!isOurs || sheet === undefined) throw noExport(`${name} is no export of balances.`);
    let labels: readonly string[] = [];
    const rows: PackedRow[] = [];
    for await (const row of sheet.rows()) {
      const values = allCells(row).map((cell) => plainText(cell, source.format));
      const shown = (label: string, index: number) => {
        const value = values[index] ?? '';
        return isMasked ? shownBefore(label, value) : value;
      };
      if (row.number === 1) labels = values.map((value) => value.trim());
      else rows.push(new PackedRow(labels.map(shown)));
    }
    if (labels.length === 0 && rows.length > 0) throw noExport(`${name} has no names of columns in its first row.`);
    // The row of totals below the records is none of them.
    if (rows.at(-1)?.values[0] === totalLabel) rows.pop();
    return { name, labels, rows, isCsv };
  } finally {
    await source.close();
  }
}

/** A number as it is stored, whatever its format shows. */
function plainText(cell: Cell, format: Source['format']): string {
  if (cell === null || (typeof cell !== 'string' && cell.kind === 'formula-without-value')) return '';
  const text = typeof cell !== 'string' && cell.kind === 'number' ? cell.stored : shownText(cell);
  return format === 'csv' ? undefuse(text) : text;
}

export function noExport(message: string, cause?: unknown): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    message,
    'Give the file that an earlier export of balances has written, as .xlsx or .csv, as it is, with --previous.',
    { cause },
  );
}
