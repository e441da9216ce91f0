/** The story of `check`: the same reading and the same checks as `import`, and nothing sent. */
import type { Counts } from '../contract/row-state.ts';
import { refuseWrongOptions } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import { countsByCode, type FindingCount } from '../mapping/finding-groups.ts';
import type { Source } from '../sheets/source.ts';
import { summaryTitles } from '../workbooks/results-summary.ts';
import { type Expectation, meetExpectations } from './foresight/expectations.ts';
import { withEarlierReading } from './options/earlier-reading.ts';
import { wantedFunctions, wantedReading } from './options/wanted-options.ts';
import { countStates, type Reported, report } from './report/report.ts';
import type { KnownOfRows } from './report/reported-rows.ts';
import { openResults, type ResultsFile } from './report/results-file.ts';
import { unwrittenUnsent } from './report/unwritten-results.ts';
import { waitingEntries } from './report/waiting-entries.ts';
import { heldRowsByTheirWord } from './rows/held-rows.ts';
import { secondsSince } from './rows/seconds.ts';
import { dataRows } from './source/data-rows.ts';
import { isResultsFile } from './source/sheets-to-read.ts';
import { removeSnapshot, type Snapshot, takeSnapshot } from './source/snapshot.ts';
import { openCopy, type ReadingOptions, surveySource, withMapping } from './survey/reading.ts';
import type { Survey } from './survey/survey.ts';

export interface CheckResult {
  readonly file: string;
  /** Where the results were written, or `null` when none were asked for. */
  readonly results: string | null;
  /** See {@link ResultsFile.besides}. */
  readonly besides: ResultsFile['besides'];
  readonly seconds: number;
  readonly counts: Counts;
  readonly totals: Reported['totals'];
  /** By their sheet, how many of the rows that pass would not be sent all the same: they wait for rows with errors. */
  readonly waiting: ReadonlyMap<string, number>;
  /** What was found in the rows, by its code. */
  readonly findings: readonly FindingCount[];
  readonly survey: Survey;
}

export interface CheckOptions extends ReadingOptions {
  /** What the file must hold; nothing in particular by default. */
  readonly expectations?: readonly Expectation[];
  /** Opens what knows how the run of a results sheet read its source; `null` where there is none. Not asked for other files. */
  readonly openLedger?: () => Promise<Pick<Ledger, 'run' | 'close'> | null>;
}

export interface CheckEvents {
  /** Every thousand rows of the first reading. */
  readonly onProgress: (rows: number) => void;
  /** Each row that has an error or a warning. */
  readonly onProblemRow: (row: CheckedRow) => void;
}

/** @throws DealsheetError when the file cannot be read, or a header or sheet finds no place (exit 2) */
export async function checkFile(given: CheckOptions, events: CheckEvents): Promise<CheckResult> {
  refuseWrongOptions(given, wantedReading);
  refuseWrongOptions(events, wantedFunctions(['onProgress', 'onProblemRow']));
  const began = performance.now();
  const snapshot = await takeSnapshot(given.file, given.snapshotFolder, given.standardInput);
  try {
    const source = await openCopy(snapshot, given);
    try {
      const checked = await checkCopy(source, snapshot, given, events);
      return { ...checked, seconds: secondsSince(began) };
    } finally {
      await source.close();
    }
  } finally {
    await removeSnapshot(snapshot);
  }
}

async function checkCopy(
  source: Source,
  snapshot: Snapshot,
  given: CheckOptions,
  events: CheckEvents,
): Promise<Omit<CheckResult, 'seconds'>> {
  const read = await asItsRunRead(source, given);
  const options = await withMapping(source, read.options);
  const found = await surveySource(source, snapshot, options, {
    earlierRefs: null,
    heldRows: heldRowsByTheirWord(),
    service: null,
    keptRows: null,
    onProgress: events.onProgress,
  });
  const surveyed = { ...found, notices: [...read.notices, ...found.notices] };
  meetExpectations(surveyed, options.expectations ?? []);
  await tellProblems(surveyed, events);
  const waiting = await waitingEntries(surveyed);
  const entriesOf = (sheet: string) => waiting.get(sheet) ?? [];
  const written = options.resultsPath === null ? null : await writeCheckResults(surveyed, snapshot, options, entriesOf);
  const { counts, totals } = written?.reported ?? (await countStates(surveyed, entriesOf));
  return {
    file: snapshot.sourcePath,
    results: written?.path ?? null,
    besides: written?.besides ?? null,
    counts,
    totals,
    waiting: new Map([...waiting].map(([sheet, entries]) => [sheet, entries.length])),
    findings: countsByCode(surveyed.sheets.flatMap(({ findings }) => findings)),
    survey: surveyed,
  };
}

async function tellProblems({ sheets }: Survey, events: CheckEvents): Promise<void> {
  for (const sheet of sheets) {
    if (sheet.invalidRows + sheet.warnedRows + sheet.leftOutRows === 0) continue;
    for await (const row of dataRows(sheet)) {
      const checked = sheet.judge(row);
      if (checked.problems.length > 0) events.onProblemRow(checked);
    }
  }
}

async function asItsRunRead(
  source: Source,
  given: CheckOptions,
): Promise<{ readonly options: CheckOptions; readonly notices: readonly string[] }> {
  const ledger = (await isResultsFile(source)) ? await given.openLedger?.() : null;
  if (ledger == null) return { options: given, notices: [] };
  try {
    return await withEarlierReading(source, given, ledger);
  } finally {
    ledger.close();
  }
}

async function writeCheckResults(
  surveyed: Survey,
  snapshot: Snapshot,
  options: ReadingOptions,
  entriesOf: KnownOfRows['entriesOf'],
): Promise<Pick<ResultsFile, 'path' | 'besides'> & { readonly reported: Reported }> {
  const results = await openResults(options.resultsPath, snapshot, surveyed.matched.sheets.length, null);
  const reported = await report(surveyed, results.writer, {
    run: null,
    entriesOf,
    cameFrom: () => null,
    refsInUse: () => [],
    left: 'ready',
    mask: options.mask,
    withSummary: results.withSummary,
    title: summaryTitles.check,
    facts: [['File', snapshot.sourcePath]],
  }).catch((cause) => {
    throw unwrittenUnsent({ path: results.path, copy: snapshot.path }, cause);
  });
  return { path: results.path, besides: results.besides, reported };
}
