/** The file that an export writes: a workbook, CSV or JSON, at its path or on standard output, whole or not at all. */
import { createReadStream, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DealsheetError } from '../errors.ts';
import { ownerOnly, permissionBits } from '../file-modes.ts';
import { createCsvWriter } from '../sheets/csv/csv-writer.ts';
import type { SheetWriter } from '../sheets/sheet-writer.ts';
import { createXlsxWriter } from '../sheets/xlsx/workbook-writer.ts';
import { AnswerFolder } from './kept-answers.ts';
import { asBefore } from './read-fault.ts';
import { createRecordTextWriter, type RecordTextWriter } from './record-text-writer.ts';

export const exportFormats = ['xlsx', 'csv', 'json', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportTarget {
  /** Where the file goes, or `null` for standard output. */
  readonly path: string | null;
  readonly format: ExportFormat;
}

export type ExportFile =
  | { readonly holds: 'sheets'; readonly writer: SheetWriter }
  /** A table without a look. */
  | { readonly holds: 'rows'; readonly writer: SheetWriter }
  | { readonly holds: 'records'; readonly writer: RecordTextWriter };

/** The property by which a workbook of ours is known. */
export const exportProperty = 'dealsheet-export';
/** What stands in front of the records in an export of deals or companies: how each id was answered. */
export const answerColumns = ['Asked for', 'Answer', 'Reason'] as const;
/** Of deflate: nearer to fast than to small. */
const compression = 3;

/** @throws DealsheetError `usage` when neither format nor ending tell what to write */
export function exportTarget(output: string | null, format: ExportFormat | null): ExportTarget {
  if (format !== null) return { path: output, format };
  if (output === null) {
    throw new DealsheetError(
      'usage',
      'On standard output there is no ending that tells the format.',
      'Say it with --format csv, json, ndjson or xlsx.',
    );
  }
  const ending = extname(output).toLowerCase().replace('.', '').replace('jsonl', 'ndjson');
  const known = exportFormats.find((name) => name === ending);
  if (known !== undefined) return { path: output, format: known };
  throw new DealsheetError(
    'usage',
    `The ending of ${output} tells no format.`,
    'Give it a name that ends in .xlsx, .csv, .json or .ndjson, or say --format.',
  );
}

/**
 * Opens the file, and a private folder for the answers that it is made of; neither stays behind when the work fails.
 *
 * @param what  what is exported, for the marker of a workbook
 * @throws DealsheetError `output-failed` for a fault of the disk; what the work throws
 */
export async function withExportFile<Result>(
  target: ExportTarget,
  what: string,
  work: (file: ExportFile, folder: AnswerFolder) => Promise<Result>,
): Promise<Result> {
  const folder = await AnswerFolder.open();
  try {
    const file = await openExportFile(target, folder.path, what);
    try {
      return await work(file, folder);
    } catch (error) {
      await file.writer.abandon();
      throw endOfExport(error, target);
    }
  } finally {
    await folder.remove();
  }
}

/**
 * Opens the file beside its place; what stands there stays until the new one is whole.
 *
 * @param folder  a private folder, for what goes to standard output
 * @param what  what is exported, for the marker of a workbook
 */
async function openExportFile(target: ExportTarget, folder: string, what: string): Promise<ExportFile> {
  const path = target.path ?? join(folder, 'output');
  const mode = modeOf(path);
  const { format } = target;
  if (format === 'json' || format === 'ndjson') {
    return { holds: 'records', writer: await createRecordTextWriter(path, format, mode) };
  }
  const options = { mode, compression, properties: { [exportProperty]: what } };
  return format === 'csv'
    ? { holds: 'rows', writer: await createCsvWriter(path, options) }
    : { holds: 'sheets', writer: await createXlsxWriter(path, options) };
}

/** Ends the file. @returns its path, or `null` when it went to standard output */
export async function finishExportFile(
  file: ExportFile,
  target: ExportTarget,
  standardOutput: NodeJS.WritableStream,
): Promise<string | null> {
  const path = await file.writer.finish().catch((cause: NodeJS.ErrnoException) => {
    throw cause instanceof DealsheetError ? cause : notWritten(target.path ?? 'standard output', cause);
  });
  if (target.path !== null) return path;
  await pipeline(createReadStream(path), standardOutput, { end: false }).catch((error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) is no fault.
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
  return null;
}

/** What ended an export: a fault of the disk is said as such. */
function endOfExport(error: unknown, { path }: Pick<ExportTarget, 'path'>): unknown {
  const isOfDisk = !(error instanceof DealsheetError) && (error as NodeJS.ErrnoException).code !== undefined;
  return isOfDisk ? notWritten(path ?? 'on standard output', error as NodeJS.ErrnoException) : error;
}

function notWritten(path: string, cause: NodeJS.ErrnoException): DealsheetError {
  return new DealsheetError(
    'output-failed',
    `The file ${path} could not be written (${cause.code ?? cause.message}).`,
    `Make room, or name another folder. ${asBefore}`,
    { cause },
  );
}

/** Balances and deals are nobody else's business, unless the file that is replaced was open to others. */
function modeOf(path: string): number {
  try {
    return statSync(path).mode & permissionBits;
  } catch {
    return ownerOnly;
  }
}
