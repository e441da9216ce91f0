/** Whether a file looks like an export that was written before: only such a one is replaced by the next. */
import { basename } from 'node:path';
import { recordKinds } from '../../contract/record-kinds.ts';
import { countMatches } from '../../mapping/headers.ts';
import { shownText } from '../../mapping/reading.ts';
import { openSource } from '../../sheets/open-source.ts';
import { firstLineOf, isEventLine, isRecordLine } from '../file-beginning.ts';
import { areResultHeaders } from '../held-rows.ts';
import { type ExportFormat, exportProperty } from './export-file.ts';

/**
 * A workbook says of itself that it is an export. A CSV file is taken for one unless it is a results sheet, or its headers
 * are all those of records to load, as a source's are; JSON when it begins as an export does.
 */
export async function isEarlierExport(path: string, format: ExportFormat): Promise<boolean> {
  switch (format) {
    case 'xlsx':
      return isExportWorkbook(path);
    case 'csv':
      return isExportTable(path);
    case 'json':
      return firstLineOf(path).startsWith('[');
    case 'ndjson': {
      const line = firstLineOf(path);
      return isRecordLine(line) && !isEventLine(line);
    }
  }
}

async function isExportWorkbook(path: string): Promise<boolean> {
  const source = await openTable(path);
  await source?.close();
  return source !== null && Object.hasOwn(source.properties, exportProperty);
}

async function isExportTable(path: string): Promise<boolean> {
  const source = await openTable(path);
  if (source === null) return false;
  try {
    for (const sheet of source.sheets) {
      for await (const { cells } of sheet.rows()) {
        const headers = cells.map((cell) => (cell === null ? null : shownText(cell)));
        return !areResultHeaders(headers) && !areOfOneKind(headers);
      }
    }
    return true;
  } finally {
    await source.close();
  }
}

function areOfOneKind(headers: readonly (string | null)[]): boolean {
  const named = headers.filter((header) => header !== null);
  return recordKinds.some((kind) => countMatches(kind, named) === named.length);
}

function openTable(path: string) {
  const options = { name: basename(path), encoding: null, delimiter: null, verifiesLater: true };
  return openSource(path, options).catch(() => null);
}
