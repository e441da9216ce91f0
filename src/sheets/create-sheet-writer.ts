/** Writes a spreadsheet in the format of its file extension. */
import { extname } from 'node:path';
import { usageError } from '../errors.ts';
import { createCsvWriter } from './csv/csv-writer.ts';
import type { SheetWriter, SheetWriterOptions } from './sheet-writer.ts';
import { createXlsxWriter } from './xlsx/workbook-writer.ts';

/** @throws DealsheetError `usage` for another extension; `unwritable-results` when the folder cannot be written */
export async function createSheetWriter(path: string, options: SheetWriterOptions): Promise<SheetWriter> {
  switch (extname(path).toLowerCase()) {
    case '.csv':
      return createCsvWriter(path, options);
    case '.xlsx':
      return createXlsxWriter(path, options);
    default:
      throw usageError(`${path} is neither a CSV nor an XLSX file.`, 'Give it a name that ends in .csv or .xlsx.');
  }
}
