/** Whether a file looks like an export that was written before: only such a one is replaced by the next. */
import { basename } from 'node:path';
import { recordKinds } from '../contract/record-kinds.ts';
import { countMatches } from '../mapping/headers.ts';
import { shownText } from '../mapping/reading.ts';
import { openSource } from '../sheets/open-source.ts';
import { fileAt } from '../sheets/same-file.ts';
import { areResultHeaders } from '../staging/own-columns.ts';
import { firstLineOf, isEventLine, isRecordLine } from '../staging/source/file-beginning.ts';
import { type ExportFormat, exportProperty } from './export-file.ts';
import { localDay } from './export-moment.ts';

/**
 * A workbook says of itself that it is an export. A CSV file is taken for one unless it is a results sheet, or its headers
 * are all those of records to load, as a source's are; JSON when it begins as an export does.
 */
export async function isEarlierExport(path: string, format: ExportFormat): Promise<boolean> {
  switch (format) {
    case 'xlsx':
      return (await markOf(path)) !== undefined;
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

/** The day of an export as `YYYY-MM-DD`: what the workbook says, else when the file was written; `null` when neither tells. */
export async function dayOfExport(path: string, format: ExportFormat): Promise<string | null> {
  const [, said] = format === 'xlsx' ? ((await markOf(path))?.split(' ') ?? []) : [];
  const found = fileAt(path);
  return said ?? (found === null || !found.isFile() || found.size === 0n ? null : localDay(found.mtime));
}

/** What a workbook says of itself, where it is an export. */
async function markOf(path: string): Promise<string | undefined> {
  const source = await openTable(path);
  await source?.close();
  return source?.properties[exportProperty];
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
