/** The file that an export writes: a workbook, CSV or JSON, at its path or on standard output, whole or not at all. */
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { openTemporaryFile } from '../disk/temporary-file.ts';
import { DealsheetError, usageError } from '../errors.ts';
import { ownerOnly, permissionBits } from '../file-modes.ts';
import { createCsvWriter } from '../sheets/csv/csv-writer.ts';
import { openSource } from '../sheets/open-source.ts';
import type { SheetWriter } from '../sheets/sheet-writer.ts';
import { createXlsxWriter } from '../sheets/xlsx/workbook-writer.ts';
import { addExportSheet, type ExportRow, type ExportSheet } from '../workbooks/export-sheet.ts';
import type { ListColumns } from './columns.ts';
import { BrokenJson, exactText, type JsonValue } from './exact-json.ts';
import { withAnswerFolder } from './kept-answers.ts';
import { asBefore, balanceFault } from './read-fault.ts';

export const exportFormats = ['xlsx', 'csv', 'json', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportTarget {
  readonly path: string | null;
  readonly format: ExportFormat;
}

export type ExportFile = SheetWriter | JsonWriter;

interface JsonWriter extends Pick<SheetWriter, 'finish' | 'abandon'> {
  add(record: JsonValue): Promise<void>;
}

export interface SharedOptions {
  /** Where the file goes, or `null` for standard output. */
  readonly output: string | null;
  /** `null`: by the ending of the output. */
  readonly format: ExportFormat | null;
  /** As of a {@link ColumnChoice}; empty for those of the records. */
  readonly columns: readonly string[];
  readonly lists: ListColumns;
  readonly mask: boolean;
  readonly contract: ContractSettings;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** The property by which a workbook of ours is known: what it holds. */
export const exportProperty = 'dealsheet-export';
/** Of deflate: nearer to fast than to small. */
const compression = 3;
const flushLength = 1 << 18;

/** @throws DealsheetError `usage` when neither format nor ending tell what to write */
export function exportTarget(output: string | null, format: ExportFormat | null): ExportTarget {
  const ending = extname(output ?? '')
    .slice(1)
    .toLowerCase();
  const known = format ?? exportFormats.find((name) => name === (ending === 'jsonl' ? 'ndjson' : ending));
  if (known !== undefined) return { path: output, format: known };
  throw usageError(
    `The ending of ${output ?? 'standard output'} tells no format.`,
    'Give -o a name that ends in .xlsx, .csv, .json or .ndjson, or say --format.',
  );
}

/**
 * Whether an earlier export stands at a path: only such a one is replaced by the next. A workbook says of itself what it is, and JSON
 * begins as an export does; a CSV file may be a source, and stays.
 */
export async function isExport(path: string, format: ExportFormat): Promise<boolean> {
  if (format === 'csv') return false;
  if (format !== 'xlsx')
    return (format === 'json' ? /^\[/ : /^\{.*\}\s*$/).test(firstLineOf(path)) && !isEventLog(path);
  const options = { name: basename(path), encoding: null, delimiter: null, verifiesLater: true };
  const source = await openSource(path, options).catch(() => null);
  await source?.close();
  return source !== null && exportProperty in source.properties;
}

/** By the person's own calendar, `YYYY-MM-DD`. */
export function localDay(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/**
 * Opens the file beside its place, and a private folder for the answers that it is made of; neither stays behind when the work
 * fails. What stands at the place stays until the new file is whole.
 *
 * @param mark  what is exported, for the property of a workbook
 * @returns what the work gives, with the path of the file; `null` when it went to standard output
 * @throws DealsheetError `output-failed` for a fault of the disk; what the work throws
 */
export async function withExportFile<Result extends object>(
  target: ExportTarget,
  mark: string,
  work: (file: ExportFile, folder: string) => Promise<Result>,
): Promise<Result & { readonly path: string | null }> {
  return withAnswerFolder(async (folder) => {
    const file = await openExportFile(target, target.path ?? join(folder, 'output'), mark);
    try {
      const result = await work(file, folder);
      const path = await file.finish();
      if (target.path === null) await printFile(path);
      return { ...result, path: target.path === null ? null : path };
    } catch (error) {
      await file.abandon();
      throw endOfExport(error, target);
    }
  });
}

async function openExportFile({ format }: ExportTarget, path: string, mark: string): Promise<ExportFile> {
  const mode = modeOf(path);
  if (format === 'json' || format === 'ndjson') return jsonWriter(path, format === 'json', mode);
  const create = format === 'csv' ? createCsvWriter : createXlsxWriter;
  return create(path, { mode, compression, properties: { [exportProperty]: mark } });
}

async function jsonWriter(path: string, isList: boolean, mode: number): Promise<JsonWriter> {
  const file = await openTemporaryFile(path, mode);
  let pending = isList ? '[' : '';
  let count = 0;
  const flush = async (): Promise<void> => {
    const text = pending;
    pending = '';
    await file.write(Buffer.from(text, 'utf8'));
  };
  return {
    add: async (record) => {
      pending += isList ? `${count === 0 ? '\n' : ',\n'}${exactText(record)}` : `${exactText(record)}\n`;
      count += 1;
      if (pending.length >= flushLength) await flush();
    },
    finish: async () => {
      if (isList) pending += count === 0 ? ']\n' : '\n]\n';
      await flush();
      return file.place();
    },
    abandon: () => file.remove(),
  };
}

interface ExportedRecord {
  readonly row: ExportRow;
  readonly json: () => JsonValue;
}

export async function writeRecords(
  file: ExportFile,
  sheet: Omit<ExportSheet, 'rows'>,
  records: Iterable<ExportedRecord>,
): Promise<void> {
  if ('add' in file) {
    for (const { json } of records) await file.add(json());
    return;
  }
  function* rows(): Generator<ExportRow> {
    for (const { row } of records) yield row;
  }
  await addExportSheet(file, { ...sheet, rows: rows() });
}

async function printFile(path: string): Promise<void> {
  await pipeline(createReadStream(path), process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) is no fault.
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

function endOfExport(error: unknown, { path }: ExportTarget): unknown {
  if (error instanceof BrokenJson) return balanceFault('broken-json', { why: error.message });
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof DealsheetError || code === undefined) return error;
  return new DealsheetError(
    'output-failed',
    `The file ${path ?? 'on standard output'} could not be written (${code}).`,
    `Make room, or name another folder. ${asBefore}`,
    { cause: error },
  );
}

/** Keeps the mode of the file that is replaced; a new file is for its owner alone. */
function modeOf(path: string): number {
  try {
    return statSync(path).mode & permissionBits;
  } catch {
    return ownerOnly;
  }
}

const beginningLength = 65_536;

/** The first line, or as much of it as there is in 64 KiB. */
function firstLineOf(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(beginningLength);
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, beginningLength, 0));
    return text.split('\n')[0] ?? '';
  } finally {
    closeSync(descriptor);
  }
}

export function isEventLog(path: string): boolean {
  return /^\{"time":"[^"]*","event":"/.test(firstLineOf(path));
}
