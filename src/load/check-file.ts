/** The steps of `check`: the reading and the checks of `import`, without sending. */
import { hash } from 'node:crypto';
import type { Counts } from '../contract/row-state.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { messageOf } from '../messages/text.ts';
import { flagsIn } from '../plan/earlier-reading.ts';
import type { FindingCount } from '../plan/finding-groups.ts';
import type { Expectation } from '../plan/options.ts';
import { countedIn, type Preview } from '../plan/preview.ts';
import type { PlanLedger } from '../plan/row-digests.ts';
import { type Reported, report } from '../report/report.ts';
import { openResults, type ResultsFile, sizesOf } from '../report/results-file.ts';
import type { ReadingOptions } from '../staging/reading.ts';
import { isResultsFile } from '../staging/source/sheets-to-read.ts';
import { type Decided, decideFile, type ReadingEvents, withNotices, withSource } from './decided-source.ts';

export interface CheckResult {
  /** Where the file that was read is now. */
  readonly file: string;
  readonly results: string | null;
  readonly besides: ResultsFile['besides'];
  readonly seconds: number;
  readonly counts: Counts;
  /** Counts and exact sums of each sheet by state. */
  readonly totals: Reported['totals'];
  readonly findings: readonly FindingCount[];
  readonly preview: Preview;
}

export interface CheckOptions extends ReadingOptions {
  readonly expectations: readonly Expectation[];
  /** The identity of the service whose earlier loads count, from `identityOf`; `null` to check the file by itself. */
  readonly service: string | null;
  /** Returns the ledger, which stays open, or `null` if there is none. Called for results, and when a service is named. */
  readonly openLedger: () => Promise<Ledger | null>;
}

/** @throws DealsheetError when the file cannot be read, or a header or sheet cannot be matched (exit 2) */
export async function checkFile(given: CheckOptions, events: ReadingEvents): Promise<CheckResult> {
  const began = performance.now();
  return withSource(given, async (opened) => {
    const { source, copy } = opened;
    const { service } = given;
    const isAsked = service !== null || (await isResultsFile(source));
    const ledger = isAsked ? await given.openLedger() : null;
    const runs = (await ledger?.runs()) ?? [];
    // Without a service, nothing can be looked up, so a results sheet is trusted.
    const asked = (service === null ? null : ledger) ?? emptyLedger;
    const planning = { again: false, limit: null, allOrNothing: false, trustResults: service === null };
    const isWritten = given.resultsPath !== null;
    const flags = isWritten ? flagsIn(given) : '';
    const decided = withNotices(
      await decideFile(opened, given, { ...events, service, ledger: asked, runs, planning }),
      // No run keeps them for the load of these results.
      flags === '' ? [] : [messageOf('checked-with-flags', { flags })],
    );
    const { preview } = decided;
    return {
      file: copy.sourcePath,
      ...(isWritten ? await writeChecked(decided) : { results: null, besides: null }),
      seconds: (performance.now() - began) / 1000,
      ...countedIn(preview),
      preview,
    };
  });
}

/** For a check without a service or without a ledger. */
const emptyLedger: PlanLedger = {
  rowsAtOnce: 64,
  digest: (text) => hash('sha256', text),
  runs: async () => [],
  lookup: async () => new Map(),
  lookupRows: async () => new Map(),
  lookupPlaces: async (places) => places.map(() => null),
  lookupRecords: async (_, records) => records.map(() => null),
  lookupBeside: async (steps) => steps.map(() => null),
  sheets: async () => [],
  entries: async () => [],
  newestResolution: async () => 0,
};

async function writeChecked({ options, preview, valuesBefore, ...read }: Decided) {
  const of = { service: null, areNewest: false };
  const results = await openResults(options.resultsPath, read.copy, sizesOf(read.staged.sheets, read.staging), of);
  await report({ ...read, mask: options.mask }, results, { run: null, valuesBefore, notices: preview.notices });
  return { results: results.path, besides: results.besides };
}
