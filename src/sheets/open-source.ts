/** Opens a file for reading by what its first bytes say, whatever its name says. */
import { basename } from 'node:path';
import { DealsheetError } from '../errors.ts';
import { openNeeded } from './need-file.ts';
import type { Source, SourceOptions } from './source.ts';

const bytesToLookAt = 512;

/**
 * @throws DealsheetError `unreadable-source` when it is not there, and for anything that is neither CSV nor XLSX: it says what
 *   it is, and what to do
 */
export async function openSource(path: string, options: SourceOptions): Promise<Source> {
  const beginning = await firstBytes(path);
  const isZip = beginning.subarray(0, 4).equals(zipMagic);
  if (!isZip && lockFile.test(basename(options.name))) throw isLock();
  if (beginning.length === 0) throw refusal('The file is empty.', 'Save the spreadsheet again, and try again.');
  // Each format's libraries are loaded when a file has it: they take a tenth of a small check.
  if (isZip) {
    const { openXlsx } = await import('./xlsx/workbook-reader.ts');
    return openXlsx(path, options.verifiesLater === true);
  }
  refuseOtherFormats(beginning);
  const { openCsv } = await import('./csv/csv-source.ts');
  return openCsv(path, options);
}

/** Of Excel, and of LibreOffice. */
const lockFile = /^(?:~\$|\.~lock\.)/;

function isLock(): DealsheetError {
  return refusal(
    'The file is a lock file, which a spreadsheet program keeps beside a file that it has open. It holds no rows.',
    'Name the file itself, whose name is the same without the lock mark in front (~$ or .~lock.).',
  );
}

const zipMagic = Buffer.from('PK\u0003\u0004', 'latin1');
const emptyZipMagic = Buffer.from('PK\u0005\u0006', 'latin1');
const compoundMagic = Buffer.from('d0cf11e0a1b11ae1', 'hex');

function refuseOtherFormats(beginning: Buffer): void {
  if (beginning.subarray(0, 4).equals(emptyZipMagic))
    throw refusal('The file is an empty archive.', 'Save the spreadsheet again, and try again.');
  if (beginning.subarray(0, 8).equals(compoundMagic)) {
    throw refusal(
      'The file is protected by a password, or is of the old Excel format (.xls).',
      'Open it in Excel, take the password off, and save it as an Excel workbook (.xlsx).',
    );
  }
  const text = beginning.toString('latin1').trimStart();
  if (text.startsWith('%PDF'))
    throw refusal('The file is a PDF, not a spreadsheet.', 'Name the CSV or XLSX file it was made from.');
  if (/^(\u00ef\u00bb\u00bf)?<(!doctype html|html|\?xml|table)/i.test(text)) {
    throw refusal(
      'The file is HTML or XML, not CSV, whatever its name.',
      'Open it in a spreadsheet program and save it as .xlsx or .csv.',
    );
  }
  // A header in braces, such as {terms.rate}, is followed by no quotation mark.
  if (/^(\u00ef\u00bb\u00bf)?(\{\s*"|\[\s*\{)/.test(text))
    throw refusal('The file is JSON, not a spreadsheet.', 'Name a CSV file or an Excel workbook (.xlsx).');
  if (beginning.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b])))
    throw refusal('The file is compressed (gzip).', 'Unpack it first.');
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await openNeeded(path);
  try {
    const buffer = Buffer.alloc(bytesToLookAt);
    const { bytesRead } = await file.read(buffer, 0, bytesToLookAt, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function refusal(message: string, remedy: string): DealsheetError {
  return new DealsheetError('unreadable-source', message, remedy);
}
