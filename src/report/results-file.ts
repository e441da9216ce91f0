/**
 * The place of the results: tried before the first request, so that nobody loads a file and then finds no room for the
 * answer; filled in a temporary file, and put in place when it is whole. A file that somebody has worked on since it was
 * written, that was not written here, or that holds the ids of another service stays: the results then get the next free name.
 */
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type RowState, rowStates } from '../contract/row-state.ts';
import { DealsheetError } from '../errors.ts';
import { createSheetWriter } from '../sheets/create-sheet-writer.ts';
import { nextFreeName } from '../sheets/free-name.ts';
import type { OutputCell, OutputSheet, SheetWriter } from '../sheets/sheet-writer.ts';
import { type Snapshot, standardInput } from '../staging/source/snapshot.ts';
import { resultsProperty } from '../workbooks/results.ts';
import { refuseKept } from './output-guard.ts';
import { type KeptResults, keptResults, rememberResults } from './written-results.ts';

export interface ResultsFile {
  readonly writer: SheetWriter;
  /** Where the results go; once they are written, where they are. */
  readonly path: string;
  /** The file that has the name that was meant, and why it stays; `null` when the results have that name. */
  readonly besides: { readonly path: string; readonly why: KeptResults } | null;
  /** Whether the format has room for a Summary sheet. */
  readonly withSummary: boolean;
}

/** Deflate at its fastest: a results workbook is written once and read once or twice. */
const compression = 1;

/**
 * Opens the results of a source for writing.
 *
 * @param wanted  the path that the person gave, or `null` for the place beside the source
 * @param sheets  how many sheets the results have
 * @param service  the identity of the one that the rows go to, or `null` for a check
 * @throws DealsheetError `usage` for standard input without a path, the source's own place, or CSV for several sheets;
 * `unwritable-results` when the folder cannot be written
 */
export async function openResults(
  wanted: string | null,
  snapshot: Snapshot,
  sheets: number,
  service: string | null,
): Promise<ResultsFile> {
  const meant = resultsPath(wanted, snapshot);
  const isCsv = extname(meant).toLowerCase() === '.csv';
  if (isCsv && sheets > 1) {
    throw new DealsheetError(
      'usage',
      `A CSV file has room for one sheet, and the source has ${sheets}.`,
      'Give --results a name that ends in .xlsx, or load one sheet with --sheet.',
    );
  }
  let why = await keptResults(meant, snapshot.folder, service);
  let path = why === null ? meant : nextFreeName(meant);
  let isAnySent = false;
  const serviceOfRows = () => (isAnySent ? service : null);
  const mayReplace = async (place: string) => {
    const kept = await keptResults(place, snapshot.folder, serviceOfRows());
    why ??= kept;
    return kept === null;
  };
  const properties = { [resultsProperty]: '1' };
  const writer = await createSheetWriter(path, { mode: snapshot.sourceMode, compression, properties, mayReplace });
  return {
    withSummary: !isCsv,
    get path() {
      return path;
    },
    get besides() {
      return path === meant ? null : { path: meant, why: why ?? 'changed' };
    },
    writer: {
      ...tellingOfSent(writer, () => {
        isAnySent = true;
      }),
      finish: async () => {
        path = await writer.finish();
        await rememberResults(path, snapshot.folder, serviceOfRows());
        return path;
      },
    },
  };
}

/** Does what fills the results, and takes their file away where that gives none (`null`) or fails. */
export async function withResults<Filled>(
  { writer }: ResultsFile,
  fill: () => Promise<Filled | null>,
): Promise<Filled | null> {
  try {
    const filled = await fill();
    if (filled === null) await writer.abandon();
    return filled;
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** The same writer, which tells of each row of results that was sent. */
function tellingOfSent(writer: SheetWriter, onSent: () => void): SheetWriter {
  return {
    ...writer,
    addSheet: async (options) => {
      const sheet = await writer.addSheet(options);
      if (options.place === 'first') return sheet;
      const addRow: OutputSheet['addRow'] = (cells) => {
        if (saysThatItWasSent(cells)) onSent();
        return sheet.addRow(cells);
      };
      return { ...sheet, addRow };
    },
  };
}

const unsent: readonly RowState[] = ['invalid', 'left-out', 'waiting', 'ready', 'not-sent'];
const statusesOfSent = new Set<unknown>(
  Object.entries(rowStates).flatMap(([state, { status }]) => (unsent.includes(state as RowState) ? [] : [status])),
);

/** Whether a row of results was sent, in this load or an earlier one: by its status. */
function saysThatItWasSent([status]: readonly OutputCell[]): boolean {
  return typeof status === 'object' && status !== null && 'value' in status && statusesOfSent.has(status.value);
}

/** Where the results of a source are meant to go. */
export function resultsPath(wanted: string | null, snapshot: Snapshot): string {
  if (wanted === null && snapshot.sourcePath === standardInput) {
    throw new DealsheetError(
      'usage',
      'Rows from standard input have no place for their results.',
      'Name it with --results FILE.xlsx.',
    );
  }
  const path =
    wanted === null ? join(dirname(snapshot.sourcePath), defaultResultsName(snapshot.sourceName)) : resolve(wanted);
  if (snapshot.sourcePath !== standardInput)
    refuseKept(path, '--results', [{ path: snapshot.sourcePath, what: 'the source' }]);
  if (!/\.(xlsx|csv)$/i.test(path)) {
    throw new DealsheetError(
      'usage',
      `The results cannot be written to ${path}.`,
      'Give --results a name that ends in .xlsx or .csv.',
    );
  }
  return path;
}

/** `deals.xlsx` to `deals.results.xlsx`, beside the source; `X.results.xlsx` to `X.results-2.xlsx`. */
function defaultResultsName(sourceName: string): string {
  const stem = basename(sourceName).replace(/\.(csv|xlsx|txt|tsv)$/i, '');
  const numbered = /^(.*\.results)(?:-(\d+))?$/.exec(stem);
  if (numbered === null) return `${stem}.results.xlsx`;
  return `${numbered[1]}-${Number(numbered[2] ?? 1) + 1}.xlsx`;
}
