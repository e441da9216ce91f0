/** The story of `check`: the same reading and the same checks as `import`, and nothing sent. */
import { createHash } from 'node:crypto';
import { allowedBy } from '../contract/check-codes.ts';
import type { Counts } from '../contract/row-state.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import { countsByCode, type FindingCount } from '../mapping/finding-groups.ts';
import { type Finding, findingOf } from '../messages/finding.ts';
import type { PlanLedger } from '../plan/batch-facts.ts';
import { decisionOf, type StagedDecision } from '../plan/decide.ts';
import { withEarlierReading } from '../plan/earlier-reading.ts';
import { earlierRefsIn } from '../plan/earlier-refs.ts';
import { type Expectation, meetExpectations } from '../plan/expectations.ts';
import { plan } from '../plan/plan.ts';
import { type Preview, previewOf } from '../plan/preview.ts';
import { noteOfSkipped } from '../plan/row-note.ts';
import { countStates, type Reported, report } from '../report/report.ts';
import { openResults, type ResultsFile } from '../report/results-file.ts';
import { unwrittenUnsent } from '../report/unwritten-results.ts';
import { secondsSince } from '../seconds.ts';
import type { Source } from '../sheets/source.ts';
import { levelsOf, type ReadingOptions, stageSource, withMapping, withStaging } from '../staging/reading.ts';
import { isResultsFile } from '../staging/source/sheets-to-read.ts';
import { removeSnapshot, type Snapshot, takeSnapshot } from '../staging/source/snapshot.ts';
import type { Staged } from '../staging/stage.ts';
import { hasProblems, rowOfData } from '../staging/staged-data.ts';
import type { Staging } from '../staging/staging.ts';
import { summaryTitles } from '../workbooks/results-summary.ts';
import { planOfSource } from './decided-source.ts';

export interface CheckResult {
  readonly file: string;
  /** Where the results were written, or `null` when none were asked for. */
  readonly results: string | null;
  /** See {@link ResultsFile.besides}. */
  readonly besides: ResultsFile['besides'];
  readonly seconds: number;
  readonly counts: Counts;
  /** Counts and exact sums of each sheet by what became of its rows. */
  readonly totals: Reported['totals'];
  /** What was found in the rows, by its code. */
  readonly findings: readonly FindingCount[];
  readonly preview: Preview;
}

export interface CheckOptions extends ReadingOptions {
  /** What the file must hold; nothing in particular by default. */
  readonly expectations?: readonly Expectation[];
  /** The identity of the service whose earlier loads count, as `identityOf` makes it; left out, the file is checked by itself. */
  readonly service?: string | null;
  /** Gives the ledger, which stays open, or `null` where there is none. Asked for results, and where a service is named. */
  readonly openLedger?: () => Promise<Ledger | null>;
}

export interface CheckEvents {
  /** Every thousand rows of the first reading. */
  readonly onProgress: (rows: number) => void;
  /** Each row that has an error or a warning. */
  readonly onProblemRow: (row: CheckedRow) => void;
}

/** @throws DealsheetError when the file cannot be read, or a header or sheet finds no place (exit 2) */
export async function checkFile(given: CheckOptions, events: CheckEvents): Promise<CheckResult> {
  const began = performance.now();
  const snapshot = await takeSnapshot(given.file, given.snapshotFolder, given.standardInput);
  try {
    return await withStaging(snapshot, given, async (source, staging) => {
      const checked = await checkCopy(source, snapshot, staging, given, events);
      return { ...checked, seconds: secondsSince(began) };
    });
  } finally {
    await removeSnapshot(snapshot);
  }
}

async function checkCopy(
  source: Source,
  snapshot: Snapshot,
  staging: Staging,
  given: CheckOptions,
  events: CheckEvents,
): Promise<Omit<CheckResult, 'seconds'>> {
  const service = given.service ?? null;
  const isAsked = service !== null || (await isResultsFile(source));
  const ledger = isAsked ? ((await given.openLedger?.()) ?? null) : null;
  const read = await withEarlierReading(source, given, (await ledger?.runs()) ?? []);
  const options = await withMapping(source, read.options);
  const known = service === null ? knowsNothing : (ledger ?? knowsNothing);
  const staged = await stageSource(source, snapshot, staging, options, {
    earlierRefs: service === null ? null : earlierRefsIn(known, service),
    service,
    onProgress: events.onProgress,
  });
  await plan(staging, known, {
    service: service ?? 'none',
    ...planOfSource(source, snapshot, options),
    again: false,
    limit: null,
    allow: allowedBy(levelsOf(options, service)),
    allOrNothing: false,
    // By itself, a results sheet is believed, and a Ref is taken to be there: both are looked up once a service is named.
    trustResults: service === null,
    takesRefs: service === null,
  });
  return await checked(staged, staging, snapshot, options, { notices: read.notices, events });
}

async function checked(
  staged: Staged,
  staging: Staging,
  snapshot: Snapshot,
  options: CheckOptions,
  { notices, events }: { readonly notices: readonly string[]; readonly events: CheckEvents },
): Promise<Omit<CheckResult, 'seconds'>> {
  const found = await previewOf(staged, staging);
  const preview = { ...found, notices: [...notices, ...found.notices] };
  meetExpectations(preview, options.expectations ?? []);
  await tellProblems(staged, staging, events);
  const written = options.resultsPath === null ? null : await writeChecked(staged, staging, snapshot, options, preview);
  const { counts, totals } = written?.reported ?? (await countStates(staged, staging));
  return {
    file: snapshot.sourcePath,
    results: written?.path ?? null,
    besides: written?.besides ?? null,
    counts,
    totals,
    findings: countsByCode(preview.sheets.flatMap(({ findings }) => findings)),
    preview,
  };
}

const rowsOfBatch = 512;
const isFound = `${hasProblems} OR r.decision ->> '$.do' = 'invalid'`;

async function tellProblems({ sheets }: Staged, staging: Staging, events: CheckEvents): Promise<void> {
  for (const { number, sheet } of sheets) {
    for await (const rows of staging.batches(number, rowsOfBatch, isFound)) {
      for (const row of rows) {
        const decision = decisionOf(row);
        if (decision !== null && 'why' in decision && decision.why === 'already-loaded') continue;
        const judged = rowOfData(row.data, { kind: sheet.kind, sheet: sheet.name, row: row.row });
        const problems = [...faultOf(decision), ...judged.problems];
        if (problems.length > 0) events.onProblemRow({ ...judged, problems });
      }
    }
  }
}

/** What its own columns say wrongly. */
function faultOf(decision: StagedDecision | null): readonly Finding[] {
  if (decision?.do !== 'invalid') return [];
  const { message } = noteOfSkipped(decision);
  return message === null ? [] : [findingOf('error', message)];
}

/** Of other loads: there are none without a service, nor without a ledger. */
const knowsNothing: PlanLedger = {
  digest: (text) => createHash('sha256').update(text).digest(),
  runs: async () => [],
  lookup: async () => new Map(),
  lookupRows: async () => new Map(),
  lookupFields: async () => new Map(),
  lookupPlaces: async (places) => places.map(() => null),
  lookupRecords: async () => new Map(),
  lookupPairs: async (pairs) => pairs.map(() => false),
};

async function writeChecked(
  staged: Staged,
  staging: Staging,
  snapshot: Snapshot,
  options: ReadingOptions,
  { notices }: Preview,
): Promise<{ readonly path: string; readonly besides: ResultsFile['besides']; readonly reported: Reported }> {
  const of = { service: null, areNewest: false };
  const results = await openResults(options.resultsPath, snapshot, staged.matched.sheets.length, of);
  const reported = await report(staged, staging, results.writer, {
    run: null,
    mask: options.mask,
    withSummary: results.withSummary,
    title: summaryTitles.check,
    facts: [['File', snapshot.sourcePath]],
    notices,
  }).catch((cause) => {
    throw unwrittenUnsent({ path: results.path, copy: snapshot.path }, cause);
  });
  return { path: results.path, besides: results.besides, reported };
}
