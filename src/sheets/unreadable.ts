/** Why a file is not read. */
import { DealsheetError } from '../errors.ts';

export function unreadable(message: string, remedy: string, cause?: unknown): DealsheetError {
  return new DealsheetError('unreadable-source', message, remedy, { cause });
}

/** A workbook that is not whole. */
export function damaged(what: string, cause?: unknown): DealsheetError {
  const remedy = 'Open it in a spreadsheet program, save it again as an Excel workbook (.xlsx), and try again.';
  return unreadable(`The workbook is damaged: ${what}.`, remedy, cause);
}

/** A workbook that no spreadsheet program has made. */
export function hostile(what: string): DealsheetError {
  return unreadable(`The workbook is refused: ${what}.`, 'Save the table into a new workbook, and try again.');
}
