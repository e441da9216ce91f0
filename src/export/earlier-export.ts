/** Whether a file looks like an export that was written before: only such a one is replaced by the next. */

import { basename } from 'node:path';
import { recordKinds } from '../contract/record-kinds.ts';
import { fileAt } from '../disk/same-file.ts';
import { countMatches } from '../mapping/headers.ts';
import { shownText } from '../mapping/reading.ts';
import { openSource } from '../sheets/open-source.ts';
import { allCells } from '../sheets/row.ts';
import type { Source } from '../sheets/source.ts';
import { areResultHeaders } from '../staging/own-columns.ts';
import { firstLineOf, isEventLine, isRecordLine } from '../staging/source/file-beginning.ts';
import { type ExportFormat, exportProperty } from './export-file.ts';
import { localDay } from './export-moment.ts';

/**
 * A workbook says of itself that it is an export, and of which day. A CSV file is taken for one unless it is a results sheet, or
 * its headers are all those of records to load, as a source's are; JSON when it begins as an export does.
 *
 * @returns its day, `YYYY-MM-DD`, or `null` for any other file, and where there is none
 */
export async function dayOfExport(path: string, format: ExportFormat): Promise<string | null> {
  const found = fileAt(path);
  if (found === null || !found.isFile() || found.size === 0n) return null;
  const written = localDay(found.mtime);
  if (format === 'json') return firstLineOf(path).startsWith('[') ? written : null;
  if (format === 'ndjson') {
    const line = firstLineOf(path);
    return isRecordLine(line) && !isEventLine(line) ? written : null;
  }
  const options = { name: basename(path), encoding: null, delimiter: null, verifiesLater: true };
  const source = await openSource(path, options).catch(() => null);
  try {
    if (source === null) return null;
    if (format === 'csv') return (await isExportTable(source)) ? written : null;
    const mark = source.properties[exportProperty];
    return mark === undefined ? null : (mark.split(' ')[1] ?? written);
  } finally {
    await source?.close();
  }
}

async function isExportTable(source: Source): Promise<boolean> {
  for (const sheet of source.sheets) {
    for await (const row of sheet.rows()) {
      const headers = allCells(row).map((cell) => (cell === null ? null : shownText(cell)));
      const named = headers.filter((header) => header !== null);
      return !areResultHeaders(headers) && !recordKinds.some((kind) => countMatches(kind, named) === named.length);
    }
  }
  return true;
}
