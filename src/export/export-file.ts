/** The file of an export: a workbook, CSV or JSON, at its path or on stdout, complete or not at all. */

import { createReadStream, existsSync, realpathSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { modeOf } from '../disk/new-file.ts';
import { type KeptFile, mayWrite, needWritable, type Output } from '../disk/output-guard.ts';
import { openTemporaryFile, type TemporaryFile, textWriter } from '../disk/temporary-file.ts';
import { DealsheetError } from '../errors.ts';
import { errorOf } from '../messages/text.ts';
import { createCsvWriter } from '../tables/csv/csv-writer.ts';
import { openSource } from '../tables/open-source.ts';
import type { SheetWriter } from '../tables/sheet-writer.ts';
import { createXlsxWriter } from '../tables/xlsx/workbook-writer.ts';
import { addExportSheet, type ExportRow, type ExportSheet } from '../workbooks/export-sheet.ts';
import type { ColumnChoice } from './columns.ts';
import { exactText, type JsonValue } from './exact-json.ts';
import { withAnswerFolder } from './kept-answers.ts';

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

export interface SharedOptions extends ColumnChoice {
  /** The output path, or `null` for stdout. */
  readonly output: string | null;
  /** `null`: by the file extension of the output. */
  readonly format: ExportFormat | null;
  readonly mask: boolean;
  readonly contract: ContractSettings;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** The workbook property that marks our exports and holds what was exported. */
export const exportProperty = 'dealsheet-export';

function exportTarget(output: string | null, format: ExportFormat | null): ExportTarget {
  const ending = extname(output ?? '').toLowerCase();
  const known = format ?? exportFormats.find((name) => `.${name}` === (ending === '.jsonl' ? '.ndjson' : ending));
  if (known !== undefined) return { path: output, format: known };
  throw errorOf('export-format', { path: output });
}

export function readByExport(path: string): KeptFile {
  return { path: resolve(path), what: 'read by this export' };
}

/** Whether an export is at a path, as it was written: only that may be replaced. Only a workbook has a mark that tells. */
async function isExport(path: string, format: ExportFormat): Promise<boolean> {
  if (format !== 'xlsx') return false;
  const options = { name: basename(path), encoding: null, delimiter: null, verifiesLater: true };
  const source = await openSource(path, options).catch(() => null);
  await source?.close();
  return source !== null && exportProperty in source.properties && !source.isSavedElsewhere;
}

interface Guarded {
  /** What is exported, for the workbook property. */
  readonly mark: string;
  readonly kept: readonly KeptFile[];
  /** A template is never replaced, because a person may have edited it. */
  readonly asTemplate: boolean;
}

function outputOf(path: string, format: ExportFormat, { kept, asTemplate }: Guarded): Output {
  const isEarlier = async () => !asTemplate && (await isExport(path, format));
  const what = asTemplate ? 'export without --as-template' : 'unchanged export to a workbook';
  return { path, flag: '-o', kept, what, isPlaced: true, isEarlier };
}

/**
 * Opens the file beside its final path, and a private folder for the answers. Both are removed when the work fails, and an existing
 * file stays until the new one is complete.
 *
 * @returns the result of the work with the path of the file; `null` when it went to stdout
 * @throws DealsheetError `usage` when nothing says the format, or another file is there; `output-failed` for a disk error; also whatever the work throws
 */
export async function withExportFile<Result extends object>(
  options: Pick<SharedOptions, 'output' | 'format'>,
  guarded: Guarded,
  work: (file: ExportFile, folder: string, format: ExportFormat) => Promise<Result>,
): Promise<Result & ExportTarget> {
  const target = exportTarget(options.output, options.format);
  const { format } = target;
  return withAnswerFolder(async (folder) => {
    const named = target.path ?? join(folder, 'output');
    // A link stays, and the file that it leads to is replaced.
    const output = outputOf(existsSync(named) ? realpathSync(named) : named, format, guarded);
    await needWritable(output);
    const file = await openExportFile(output, target, guarded);
    try {
      const result = await work(file, folder, format);
      const path = await file.finish();
      if (target.path === null) await printFile(path);
      return { format, ...result, path: target.path === null ? null : path };
    } catch (error) {
      await file.abandon();
      throw endOfExport(error, target);
    }
  });
}

async function openExportFile(output: Output, { format }: ExportTarget, { mark }: Guarded): Promise<ExportFile> {
  const { path } = output;
  const mode = modeOf(path);
  const mayReplace = () => mayWrite(output);
  if (format === 'json' || format === 'ndjson')
    return jsonWriter(await openTemporaryFile(path, mode, mayReplace), format === 'json');
  const create = format === 'csv' ? createCsvWriter : createXlsxWriter;
  return create(path, { mode, properties: { [exportProperty]: mark }, mayReplace });
}

function jsonWriter(file: TemporaryFile, isList: boolean): JsonWriter {
  const text = textWriter(file.write, isList ? '[' : '');
  let count = 0;
  return {
    add: async (record) => {
      count += 1;
      await text.add(isList ? `${count === 1 ? '' : ','}\n${exactText(record)}` : `${exactText(record)}\n`);
    },
    finish: async () => {
      if (isList) await text.add(count === 0 ? ']\n' : '\n]\n');
      await text.end();
      return file.place();
    },
    abandon: () => file.remove(),
  };
}

export async function writeRecords(
  file: ExportFile,
  sheet: Omit<ExportSheet, 'rows'>,
  records: Iterable<{ readonly row: ExportRow; readonly json: () => JsonValue }>,
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
    // A reader that closes early (`| head`) is not an error.
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

function endOfExport(error: unknown, { path }: ExportTarget): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof DealsheetError || code === undefined) return error;
  return errorOf('export-unwritten', { path, code }, error);
}
