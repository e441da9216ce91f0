/**
 * Opens the results before the first request, so that no file is loaded without a place for its results. They are written to a
 * temporary file, which gets its name when it is complete.
 */

import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { RowState } from '../contract/row-state.ts';
import { giveNumber, isSameFile, nextFreeName, ownerOnly, plainName } from '../disk/new-file.ts';
import { refuseKept } from '../disk/output-guard.ts';
import { isDealsheetError, isForRoom } from '../errors.ts';
import type { Ledger, RunRecord } from '../ledger/ledger.ts';
import { obstacleText } from '../messages/file-errors.ts';
import { errorOf, messageOf } from '../messages/text.ts';
import { type SourceCopy, standardInput } from '../staging/source/source-copy.ts';
import type { MeasuredSheet } from '../staging/stage.ts';
import type { Staging } from '../staging/staging.ts';
import { createCsvWriter } from '../tables/csv/csv-writer.ts';
import { mostColumns, mostRows } from '../tables/excel-limits.ts';
import type { SheetWriter, SheetWriterOptions } from '../tables/sheet-writer.ts';
import { createXlsxWriter } from '../tables/xlsx/workbook-writer.ts';
import { resultColumns, resultsProperty } from '../workbooks/results.ts';
import { fateOf, originalOf, type ResultsOf, rememberResults } from './results-place.ts';

export interface ResultsFile {
  readonly writer: SheetWriter;
  /** The intended path; once the results are written, the actual one. */
  readonly path: string;
  /** See {@link originalOf}. */
  readonly original: string;
  /**
   * The other file that has, or had, the intended path. `movedTo` is where it is now, or `null` if it stayed and these results got a
   * number. `null` where no other file is left.
   */
  readonly besides: { readonly path: string; readonly movedTo: string | null } | null;
  readonly withSummary: boolean;
  /** Call it with the state of each written row: results with sent rows do not give way to others. */
  readonly note: (state: RowState) => void;
}

/**
 * Opens the results of a source for writing.
 *
 * @param wanted  the path that the person gave, or `null` for beside the source
 * @throws DealsheetError `usage` for standard input without a path, the source's own path, CSV for several sheets, or a workbook
 * for more than a sheet of Excel holds;
 * `unwritable-results` when the folder cannot be written
 */
export async function openResults(
  wanted: string | null,
  copy: SourceCopy,
  sheets: readonly SheetSize[],
  of: ResultsOf,
): Promise<ResultsFile> {
  const [meant, besideOther] = resultsPlaces(wanted, copy);
  const isCsv = extname(meant).toLowerCase() === '.csv';
  needRoom(sheets, isCsv);
  const made = { ...copy, source: await originalOf(copy) };
  const isOther = besideOther !== undefined && (await fateOf(meant, made, of, true)) === 'other';
  const place = isOther ? besideOther : meant;
  const isOwnName = besideOther !== undefined && !isOther;
  const fate = await fateOf(place, made, of, isOwnName);
  let path = fate === 'stay' ? nextFreeName(place) : place;
  let movedTo: string | null = null;
  let isAnySent = false;
  const serviceOfRows = () => (isAnySent ? of.service : null);
  const writer = await createSheetWriter(path, {
    // A person corrects them, even if the source is read-only.
    mode: copy.sourceMode | ownerOnly,
    properties: { [resultsProperty]: '1' },
    mayReplace: async (path) => {
      // Another command may have taken the free number since.
      if (path !== place) return false;
      const fate = await fateOf(place, made, { ...of, service: serviceOfRows() }, isOwnName);
      const hasNumber = movedTo !== null && isSameFile(movedTo, place);
      if (fate === 'move' && !hasNumber) movedTo = await giveNumber(place);
      return fate === 'replace' || movedTo !== null;
    },
  });
  return {
    withSummary: !isCsv,
    original: made.source,
    note: (state) => {
      isAnySent ||= !unsent.has(state);
    },
    get path() {
      return path;
    },
    get besides() {
      return path === place && movedTo === null ? null : { path: place, movedTo };
    },
    writer: {
      ...writer,
      finish: async () => {
        path = await writer.finish();
        if (path !== place && movedTo !== null && isSameFile(movedTo, place)) {
          // The other file is open elsewhere, and keeps its name alone.
          await rm(movedTo).catch(() => undefined);
          movedTo = null;
        }
        await rememberResults(path, made, serviceOfRows(), movedTo);
        return path;
      },
    },
  };
}

export interface SheetSize {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
}

/** What the results of these sheets need. */
export function sizesOf(sheets: readonly MeasuredSheet[], staging: Staging): readonly SheetSize[] {
  return sheets.map(({ number, sheet: { name, ownColumns }, mostCells }) => {
    return {
      name,
      columns: resultColumns.length + mostCells - ownColumns,
      rows: staging.sheetOf({ sheet: number }).count,
    };
  });
}

function needRoom(sheets: readonly SheetSize[], isCsv: boolean): void {
  if (isCsv && sheets.length > 1) throw errorOf('csv-of-several-sheets');
  for (const { name, columns, rows } of isCsv ? [] : sheets) {
    // The header is a row.
    const [size, most] = columns > mostColumns ? [`${columns} columns`, mostColumns] : [`${rows + 1} rows`, mostRows];
    if (columns > mostColumns || rows >= mostRows) throw errorOf('results-too-large', { name, size, most });
  }
}

/** The states of a row that was never sent, in this load or an earlier one. */
const unsent: ReadonlySet<RowState> = new Set(['invalid', 'left-out', 'waiting', 'ready', 'not-sent']);

/** Where the results are to go, and where they go if another file has its results there. */
export function resultsPlaces(wanted: string | null, copy: SourceCopy): readonly [string, ...string[]] {
  if (wanted === null && copy.sourcePath === standardInput)
    throw errorOf('rows-without-place', { flag: '--results FILE.xlsx' });
  const path = wanted === null ? placeBeside(copy) : resolve(wanted);
  if (wanted !== null && copy.sourcePath !== standardInput)
    refuseKept(path, '--results', [{ path: copy.sourcePath, what: 'the source' }]);
  if (!/\.(xlsx|csv)$/i.test(path)) throw errorOf('sheet-format', { path });
  const isBeside = copy.sourcePath !== standardInput && path === placeBeside(copy);
  return isBeside ? [path, `${copy.sourcePath}.results.xlsx`] : [path];
}

/**
 * The path of a run's results as a person would give it; `null` if the run loaded the results sheet at that path. A later run keeps
 * the path, and these results get a number.
 *
 * @returns also the run whose results have the path, as `later`
 */
export async function ownPlace(run: RunRecord, ledger: Pick<Ledger, 'runs'>) {
  const { resultsPath, sourcePath } = run;
  const newest = (await ledger.runs()).find((one) => one.resultsPath === resultsPath);
  if (newest !== undefined && newest.id !== run.id) return { path: nextFreeName(resultsPath), later: newest.id };
  return { path: resultsPath === sourcePath ? null : resultsPath, later: null };
}

/** `deals.xlsx` to `deals.results.xlsx`, beside the source; likewise for `deals.results-2.xlsx` and `deals.results.xlsx`. */
function placeBeside({ sourcePath, sourceName }: SourceCopy): string {
  const stem = basename(plainName(sourceName)).replace(/\.(csv|xlsx|txt|tsv)$/i, '');
  return join(dirname(sourcePath), `${stem.replace(/\.results$/, '')}.results.xlsx`);
}

/** @param run  `null` where nothing was sent (a check, or all rows held back): then an error that is not of a file is returned as it is */
export function unwritten(path: string, run: string | null, cause: unknown): unknown {
  const isOfFiles = !isDealsheetError(cause) && typeof (cause as NodeJS.ErrnoException | null)?.code === 'string';
  if (run === null && !isOfFiles) return cause;
  const why = isDealsheetError(cause) ? `: ${cause.message}` : `${obstacleText(cause)}.`;
  const ofDisk = isOfFiles ? messageOf('place-unusable', { isFull: isForRoom(cause) }) : null;
  const isOfLedger = isDealsheetError(cause) && (cause.code === 'ledger-refused' || cause.code === 'ledger-failed');
  const first = isDealsheetError(cause) && cause.code === 'output-failed' ? cause.remedy : ofDisk;
  const reason = isOfLedger ? 'results-unwritten-by-ledger' : 'results-unwritten';
  return errorOf(reason, { path, why, run, first }, cause);
}

/** Some file systems store times in steps of two seconds. */
const coarsestTimeMs = 2000;

/** A file older than the end of the run is of an earlier run. A file that cannot be examined counts as there. */
export function areResultsThere({ resultsPath, endedAt }: Pick<RunRecord, 'resultsPath' | 'endedAt'>): boolean {
  try {
    const found = statSync(resultsPath, { throwIfNoEntry: false });
    if (found === undefined) return false;
    return endedAt === null || found.mtimeMs >= Date.parse(endedAt) - coarsestTimeMs;
  } catch {
    return true;
  }
}

/** @throws DealsheetError `usage` for another extension; `unwritable-results` when the folder cannot be written */
export async function createSheetWriter(path: string, options: SheetWriterOptions): Promise<SheetWriter> {
  const ending = extname(path).toLowerCase();
  if (ending !== '.csv' && ending !== '.xlsx') throw errorOf('sheet-format', { path });
  return ending === '.csv' ? createCsvWriter(path, options) : createXlsxWriter(path, options);
}
