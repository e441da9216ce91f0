/** Opens a spreadsheet by its first bytes, regardless of its name. */
import { basename } from 'node:path';
import { openNeeded } from '../disk/file-pieces.ts';
import { errorOf } from '../messages/text.ts';
import type { Source, SourceOptions } from './source.ts';

const bytesToLookAt = 512;

/** @throws DealsheetError `unreadable-source`, with format and remedy, when the file is missing or neither CSV nor XLSX */
export async function openSource(path: string, options: SourceOptions): Promise<Source> {
  const beginning = await firstBytes(path);
  const bytes = beginning.toString('latin1');
  const isZip = bytes.startsWith('PK\u0003\u0004');
  if (!isZip && lockFile.test(basename(options.name))) throw errorOf('file-is-lock');
  if (bytes === '') throw errorOf('file-is-empty');
  // Loads only the libraries of the file's format, because loading takes a tenth of a small check.
  if (isZip) {
    const { openXlsx } = await import('./xlsx/workbook-reader.ts');
    return openXlsx(path, options.verifiesLater === true);
  }
  for (const [form, reason] of otherFormats) if (form.test(bytes)) throw errorOf(reason);
  const { openCsv } = await import('./csv/csv-source.ts');
  return openCsv(path, { ...options, name: csvSheetName(options.name) });
}

export function csvSheetName(fileName: string): string {
  return basename(fileName).replace(/\.(csv|tsv|txt)$/i, '');
}

/** Lock files of Excel and LibreOffice. */
const lockFile = /^(?:~\$|\.~lock\.)/;

/** The first bytes of other formats. */
const otherFormats = [
  [/^PK\x05\x06/, 'file-is-empty'],
  [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, 'file-is-protected'],
  [/^\s*%PDF/, 'file-is-pdf'],
  [/^\s*(\xef\xbb\xbf)?<(!doctype html|html|\?xml|table)/i, 'file-is-markup'],
  // A header in braces, such as {terms.rate}, has no quotation mark after the brace.
  [/^\s*(\xef\xbb\xbf)?(\{\s*"|\[\s*\{)/, 'file-is-json'],
  [/^\x1f\x8b/, 'file-is-compressed'],
] as const;

async function firstBytes(path: string): Promise<Buffer> {
  const file = await openNeeded(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(bytesToLookAt), 0, bytesToLookAt, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
