/** Writes the results of a load or a check: every staged row with its state, and the counts and sums over all rows. */

import type { Counts } from '../contract/row-state.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import { isSandbox, minuteOf } from '../ledger/run-records.ts';
import { commandText } from '../messages/commands.ts';
import type { planTexts } from '../messages/plan.ts';
import { messageOf, textOf } from '../messages/text.ts';
import type { ValuesBefore } from '../plan/changed-fields.ts';
import { countsOf, StateTally } from '../plan/row-state.ts';
import type { MaskMode } from '../staging/reading.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { SourceCopy } from '../staging/source/source-copy.ts';
import type { MeasuredSheet, Staged } from '../staging/stage.ts';
import type { Staging } from '../staging/staging.ts';
import type { OutputCell } from '../tables/sheet-writer.ts';
import { type ResultRow, type ResultSheet, writeResults } from '../workbooks/results.ts';
import { type SheetTotals, serviceFact, summaryTitles } from '../workbooks/summary.ts';
import { type ReportedRun, reportedRows } from './reported-rows.ts';
import { type ReportedRow, resultRow } from './result-row.ts';
import { type ResultsFile, unwritten } from './results-file.ts';

/** A source with its staged rows. */
export interface ReadSource {
  readonly staged: Staged;
  readonly staging: Staging;
  readonly copy: SourceCopy;
  readonly mask: MaskMode;
}

export interface ReportOptions {
  readonly run: ReportedRun | null;
  readonly valuesBefore: ValuesBefore;
  readonly notices: readonly string[];
  /** Which rows are written and counted; all by default. */
  readonly only?: (row: ReportedRow, sheet: MatchedSheet) => boolean;
}

export interface Reported {
  readonly counts: Counts;
  readonly totals: readonly SheetTotals[];
  /** What came up while the rows were written, in whole sentences. */
  readonly notices: readonly string[];
}

/** Messages of rows that are in with other values than their file has. */
const inOtherwise: ReadonlySet<string> = new Set<keyof typeof planTexts>(['loaded-otherwise', 'went-in-corrected']);

const narrowest = 9;
const widest = 44;

/** Removes the file if it cannot be completed. @throws as {@link unwritten} */
export async function report(
  { staged: { matched, sheets: stagedSheets }, staging, copy, mask }: ReadSource,
  results: Pick<ResultsFile, 'writer' | 'withSummary' | 'note' | 'path'>,
  options: ReportOptions,
): Promise<Reported> {
  const { run } = options;
  const tallies = new Map<MatchedSheet, StateTally>();
  const sheets: ResultSheet[] = [];
  const lines: string[] = [];
  for (const sheet of matched.sheets) {
    const staged = stagedSheets.find((one) => one.sheet === sheet);
    if (staged === undefined) continue;
    const tally = new StateTally(sheet);
    tallies.set(sheet, tally);
    async function* rows(of: MeasuredSheet): AsyncGenerator<ResultRow> {
      let count = 0;
      for await (const row of reportedRows(staging, of, run, options.valuesBefore)) {
        if (options.only?.(row, sheet) === false) continue;
        tally.add(row.state, row.amount);
        results.note(row.state);
        if (row.message !== null && inOtherwise.has(row.message.code)) count += 1;
        yield resultRow(row, sheet, mask);
      }
      if (count > 0) lines.push(textOf(messageOf('rows-in-otherwise', { name: sheet.name, rows: count })));
    }
    const { mostCells, widths } = staged;
    sheets.push({
      name: sheet.name,
      headers: sheet.header.headers.slice(sheet.ownColumns),
      mostCells: mostCells - sheet.ownColumns,
      widths: Array.from(widths, within).slice(sheet.ownColumns),
      rows: rows(staged),
    });
  }
  const summary = () => ({
    title: run === null ? summaryTitles.check : summaryTitles.load,
    facts: [
      ...(run === null ? [['File', copy.sourcePath] as const] : runFacts(run.record)),
      ['Row numbers', `${rowNumbers}${results.path === copy.sourcePath ? ` ${keptBeside}` : ''}`] as const,
    ],
    sheets: Array.from(tallies.values(), (tally) => tally.totals()),
    isPart: options.only !== undefined,
    notices: [...lines, ...options.notices],
  });
  await writeResults(results.writer, sheets, results.withSummary ? summary : null).catch((cause) => {
    throw unwritten(results.path, run?.record.id ?? null, cause);
  });
  // In the order of the preview.
  const totals = stagedSheets.flatMap(({ sheet }) => tallies.get(sheet)?.totals() ?? []);
  return { counts: countsOf(totals), totals, notices: lines };
}

const rowNumbers = 'Problems and Run number rows as the file above did when it was loaded, and not as this workbook.';
const keptBeside = 'While this workbook has its name, that file is beside it, with a number in its name.';

/** The facts on the Summary sheet, for a reader who knows nothing of the load. */
export function runFacts(run: RunRecord): readonly (readonly [string, OutputCell])[] {
  const { id, service, serviceUrl, sourcePath, startedAt, endedAt, state } = run;
  const rehearsed =
    'In the sandbox on this computer. Nothing was sent to a real service. Correct your own file, not this one.';
  const stopped = `before its end. Continue with: ${commandText('resume', id)}`;
  return [
    ['Run', id],
    [serviceFact, serviceUrl],
    ...(isSandbox(service) ? [['Rehearsal', rehearsed] as const] : []),
    ['File', sourcePath],
    ['Began', `${minuteOf(startedAt)} UTC`],
    ['Ended', endedAt === null ? 'not yet' : `${minuteOf(endedAt)} UTC`],
    ...(state === 'stopped' ? [['Stopped', stopped] as const] : []),
  ];
}

function within(width = narrowest): number {
  return Math.min(widest, Math.max(narrowest, width));
}
