/** Whether a file looks like an export that was written before: only such a one is replaced by the next. */
import { basename } from 'node:path';
import { recordKinds } from '../contract/record-kinds.ts';
import { countMatches } from '../mapping/headers.ts';
import { shownText } from '../mapping/reading.ts';
import { openSource } from '../sheets/open-source.ts';
import { fileAt } from '../sheets/same-file.ts';
import { areResultHeaders } from '../staging/own-columns.ts';
import { firstLineOf, isEventLine, isRecordLine } from '../staging/source/file-beginning.ts';
import { summarySheetName } from '../workbooks/summary-cells.ts';
import { type ExportFormat, exportProperty } from './export-file.ts';
import { exportedFact, localDay } from './export-moment.ts';

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

/** The day of an export as `YYYY-MM-DD`: what its Summary says, else when the file was written; `null` when neither tells. */
export async function dayOfExport(path: string, format: ExportFormat): Promise<string | null> {
  const said = format === 'xlsx' ? await dayInSummary(path) : null;
  if (said !== null) return said;
  const found = fileAt(path);
  return found === null || !found.isFile() || found.size === 0n ? null : localDay(found.mtime);
}

const factsOfSummary = 10;

async function dayInSummary(path: string): Promise<string | null> {
  const source = await openTable(path);
  if (source === null) return null;
  try {
    const summary = source.sheets.find(({ name }) => name === summarySheetName);
    if (summary === undefined) return null;
    for await (const { number, cells } of summary.rows()) {
      const [name, value] = cells;
      const isMoment = typeof name === 'string' && name.startsWith(exportedFact);
      if (isMoment && typeof value === 'object' && value?.kind === 'date') return value.day;
      if (number > factsOfSummary) break;
    }
    return null;
  } catch {
    return null;
  } finally {
    await source.close();
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
