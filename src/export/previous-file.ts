/** Last month's export, read by the labels of its columns. It is held in memory, one text a record. */

import { basename } from 'node:path';
import { DealsheetError } from '../errors.ts';
import { shownText } from '../mapping/reading.ts';
import type { Cell } from '../sheets/cell.ts';
import { openSource } from '../sheets/open-source.ts';
import { allCells } from '../sheets/row.ts';
import { totalLabel } from '../workbooks/export-sheet.ts';
import { exportProperty } from './export-file.ts';
import { shownBefore } from './sensitive-values.ts';

export interface PreviousFile {
  readonly name: string;
  /** Empty for the export of a month without records. */
  readonly labels: readonly string[];
  readonly rows: readonly PackedRow[];
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

/**
 * @param isMasked  whether what is sensitive gets its stars, as in this month's
 * @throws DealsheetError `unreadable-source` when it is no export of balances
 */
export async function readPrevious(path: string, sheetName: string, isMasked: boolean): Promise<PreviousFile> {
  const name = basename(path);
  const source = await openSource(path, { name, encoding: null, delimiter: null }).catch((cause) => {
    const why = cause instanceof DealsheetError ? cause.message : `it cannot be read (${cause.code})`;
    throw noExport(`${name}: ${why}`, cause);
  });
  try {
    const isOurs = source.properties[exportProperty]?.split(' ')[0] === balancesMark;
    const sheet = source.sheets.find((each) => each.name === sheetName);
    if (!isOurs || sheet === undefined) throw noExport(`${name} is no workbook of balances.`);
    let labels: readonly string[] = [];
    const rows: PackedRow[] = [];
    for await (const row of sheet.rows()) {
      const values = allCells(row).map(plainText);
      const shown = (label: string, index: number) => {
        const value = values[index] ?? '';
        return isMasked ? shownBefore(label, value) : value;
      };
      if (row.number === 1) labels = values.map((value) => value.trim());
      else rows.push(new PackedRow(labels.map(shown)));
    }
    // The row of totals below the records is none of them.
    if (rows.at(-1)?.values[0] === totalLabel) rows.pop();
    return { name, labels, rows };
  } finally {
    await source.close();
  }
}

/** A number as it is stored, whatever its format shows. */
function plainText(cell: Cell): string {
  if (cell === null || (typeof cell !== 'string' && cell.kind === 'formula-without-value')) return '';
  return typeof cell !== 'string' && cell.kind === 'number' ? cell.stored : shownText(cell);
}

function noExport(message: string, cause?: unknown): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    message,
    'Give the file that an earlier export of balances has written as a workbook (.xlsx), with --previous.',
    { cause },
  );
}
