/** Opens a spreadsheet by its first bytes, regardless of its name. */
import { basename } from 'node:path';
import type { Source, SourceOptions } from './source.ts';
import { openNeeded, unreadable } from './unreadable.ts';

const bytesToLookAt = 512;

/** @throws DealsheetError `unreadable-source`, with format and remedy, when the file is missing or neither CSV nor XLSX */
export async function openSource(path: string, options: SourceOptions): Promise<Source> {
  const beginning = await firstBytes(path);
  const bytes = beginning.toString('latin1');
  const isZip = bytes.startsWith('PK\u0003\u0004');
  if (!isZip && lockFile.test(basename(options.name))) throw isLock();
  if (bytes === '') throw unreadable('The file is empty.', 'Save the spreadsheet again, and try again.');
  // Loads only the libraries of the file's format, because loading takes a tenth of a small check.
  if (isZip) {
    const { openXlsx } = await import('./xlsx/workbook-reader.ts');
    return openXlsx(path, options.verifiesLater === true);
  }
  for (const [form, message, remedy] of otherFormats) if (form.test(bytes)) throw unreadable(message, remedy);
  const { openCsv } = await import('./csv/csv-source.ts');
  return openCsv(path, { ...options, name: csvSheetName(options.name) });
}

export function csvSheetName(fileName: string): string {
  return basename(fileName).replace(/\.(csv|tsv|txt)$/i, '');
}

/** Lock files of Excel and LibreOffice. */
const lockFile = /^(?:~\$|\.~lock\.)/;

function isLock(): Error {
  return unreadable(
    'The file is a lock file, which a spreadsheet program keeps beside a file that it has open. It holds no rows.',
    'Name the file itself, whose name is the same without the lock mark in front (~$ or .~lock.).',
  );
}

/** First bytes, message and remedy for other formats. */
const otherFormats: readonly (readonly [RegExp, string, string])[] = [
  [/^PK\x05\x06/, 'The file is an empty archive.', 'Save the spreadsheet again, and try again.'],
  [
    /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/,
    'The file is protected by a password, or is of the old Excel format (.xls).',
    'Open it in Excel, take the password off, and save it as an Excel workbook (.xlsx).',
  ],
  [/^\s*%PDF/, 'The file is a PDF, not a spreadsheet.', 'Name the CSV or XLSX file it was made from.'],
  [
    /^\s*(\xef\xbb\xbf)?<(!doctype html|html|\?xml|table)/i,
    'The file is HTML or XML, not CSV, whatever its name.',
    'Open it in a spreadsheet program and save it as .xlsx or .csv.',
  ],
  // A header in braces, such as {terms.rate}, has no quotation mark after the brace.
  [
    /^\s*(\xef\xbb\xbf)?(\{\s*"|\[\s*\{)/,
    'The file is JSON, not a spreadsheet.',
    'Name a CSV file or an Excel workbook (.xlsx).',
  ],
  [/^\x1f\x8b/, 'The file is compressed (gzip).', 'Unpack it first.'],
];

async function firstBytes(path: string): Promise<Buffer> {
  const file = await openNeeded(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(bytesToLookAt), 0, bytesToLookAt, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
