/** The rows of a sheet that are data: those below its header. */

import { DealsheetError } from '../../errors.ts';
import { isBlank } from '../../mapping/reading.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { changedCopy } from './changed-copy.ts';
import type { PlannedSheet } from './planned-sheet.ts';

export function noRows(): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    'The file holds no rows: there is nothing below the headers.',
    'Fill in at least one row, save the file, and try again.',
  );
}

/** The rows below the header of a sheet in which there is anything to be seen: blanks that somebody typed make no record. */
export async function* dataRows(sheet: PlannedSheet): AsyncGenerator<SheetRow> {
  for await (const row of sheet.sheet.rows()) {
    if (row.number > sheet.header.number && !row.cells.every(isBlank)) yield row;
  }
}

/**
 * Whether all rows of a sheet came once more: a copy that was cut off gives fewer, and no fault.
 *
 * @throws DealsheetError `copy-changed` when they are not as many as were counted before
 */
export function needAllRows(sheet: PlannedSheet & { readonly rows: number }, rows: number): void {
  if (rows === sheet.rows) return;
  const cause = new Error(`${sheet.name} has ${rows} rows, and had ${sheet.rows}`);
  throw changedCopy('The private copy of the source', cause);
}
