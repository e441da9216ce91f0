/** The story of `import`: read, check, ask, send, remember, report. */
import { DealsheetError } from '../errors.ts';
import type { Ledger, Run, RunRecord } from '../ledger/ledger.ts';
import { personHere } from '../ledger/person.ts';
import { commandText } from '../messages/commands.ts';
import { withEarlierReading } from '../plan/earlier-reading.ts';
import { meetExpectations } from '../plan/expectations.ts';
import { planOf, refuseLoadedSince, refuseOther } from '../plan/load-plan.ts';
import type { Preview } from '../plan/preview.ts';
import { resultsOfUnknownRun } from '../plan/results-beside.ts';
import { recordedOptions } from '../plan/run-options.ts';
import type { LoadPlan } from '../plan/written-plan.ts';
import { openResults, resultsPath, withResults } from '../report/results-file.ts';
import type { Source } from '../sheets/source.ts';
import { withMapping, withStaging } from '../staging/reading.ts';
import { removeSnapshot, type Snapshot, takeSnapshot } from '../staging/source/snapshot.ts';
import type { Staging } from '../staging/staging.ts';
import { type Decided, decideSource } from './decided-source.ts';
import type { ImportOptions } from './import-options.ts';
import {
  type Connect,
  type LoadMeans,
  type SendingEvents,
  type SendingResult,
  sendAndReport,
  timedLoad,
} from './sending.ts';

/**
 * Loads a file. Once `options.signal` is aborted no further request leaves, what is in flight may take 30 s, and the results
 * are written with `interrupted: true`; before that, the check of the file is ended first.
 *
 * @param connect  makes the client of this load, which closes it
 * @param ledger  stays open; one load at a time goes into a service, and one ledger may be used for many loads
 * @returns what became of every row, or `null` when the person said no
 * @throws DealsheetError when nothing was sent (exit 2), or when the ledger or the results failed on the way; and whatever
 * one of the events throws
 */
export async function importFile(
  options: ImportOptions,
  connect: Connect,
  ledger: Ledger,
  events: SendingEvents,
): Promise<SendingResult | null> {
  const timed = timedLoad(events);
  const snapshot = await takeSnapshot(options.file, options.snapshotFolder, options.standardInput);
  try {
    const loaded = await importSnapshot(snapshot, options, { connect, ledger, events: timed.events });
    return loaded === null ? null : { ...loaded, seconds: timed.seconds() };
  } finally {
    await removeSnapshot(snapshot);
  }
}

/**
 * Tells what a load would do, and does nothing of it.
 *
 * @throws DealsheetError when the file cannot be loaded (exit 2)
 */
export async function planImport(
  given: ImportOptions,
  ledger: Ledger,
  events: Pick<SendingEvents, 'onProgress'>,
): Promise<{ readonly plan: LoadPlan; readonly preview: Preview }> {
  const snapshot = await takeSnapshot(given.file, given.snapshotFolder, given.standardInput);
  try {
    return await withStaging(snapshot, given, async (source, staging) => {
      const { options, decided } = await decide(source, snapshot, staging, given, { ledger, events });
      const plan = await planOf(options, snapshot, { ...decided, staging }, ledger, new Date().toISOString());
      return { plan, preview: decided.preview };
    });
  } finally {
    await removeSnapshot(snapshot);
  }
}

/** All that comes before the first question to the person. */
async function decide(
  source: Source,
  snapshot: Snapshot,
  staging: Staging,
  given: ImportOptions,
  { ledger, events }: Pick<LoadMeans, 'ledger'> & { readonly events: Pick<SendingEvents, 'onProgress'> },
): Promise<{ readonly options: ImportOptions; readonly decided: Decided }> {
  const runs = await ledger.runs();
  const read = await withEarlierReading(source, given, runs);
  const options = await withMapping(source, read.options);
  const decided = await decideSource(source, snapshot, staging, {
    options,
    ledger,
    planning: { trustResults: options.trustResults, allOrNothing: options.allOrNothing },
    resumes: null,
    notices: read.notices,
    onProgress: events.onProgress,
  });
  meetExpectations(decided.preview, options.expectations);
  refuseAgainOverUnfinished(options, runs, snapshot);
  return { options, decided };
}

async function importSnapshot(
  snapshot: Snapshot,
  given: ImportOptions,
  means: LoadMeans,
): Promise<Omit<SendingResult, 'seconds'> | null> {
  const { ledger, events } = means;
  return withStaging(snapshot, given, async (source, staging) => {
    const { options, decided: found } = await decide(source, snapshot, staging, given, means);
    const beside = await resultsBeside(options, snapshot, ledger);
    const decided = { ...found, preview: { ...found.preview, notices: [...beside, ...found.preview.notices] } };
    if (options.plan !== null)
      refuseOther(options.plan, await planOf(options, snapshot, { ...decided, staging }, ledger, options.plan.made));
    const sheets = decided.staged.matched.sheets.length;
    const results = await openResults(options.resultsPath, snapshot, sheets, {
      service: options.service,
      // Where the sheet has to be taken at its word, it is still the one to load again.
      areNewest: !staging.isAnyKnown('unknown-key'),
    });
    const begin = () => beginRun(options, snapshot, results.path, ledger);
    const sending = { ...means, ...decided, options, snapshot, staging, results, begin, isResumed: false };
    return withResults(results, async () => {
      const isAgreed = decided.heldBack || (await events.confirm(decided.preview));
      return isAgreed ? sendAndReport(sending) : null;
    });
  });
}

async function resultsBeside(options: ImportOptions, snapshot: Snapshot, ledger: Ledger): Promise<readonly string[]> {
  const known = new Set((await ledger.runs()).map(({ id }) => id));
  const isKnownRun = (run: string) => known.has(run);
  const place = resultsPath(options.resultsPath, snapshot);
  return place === snapshot.sourcePath ? [] : resultsOfUnknownRun(place, { ...options, isKnownRun });
}

async function beginRun(options: ImportOptions, snapshot: Snapshot, resultsPath: string, ledger: Ledger): Promise<Run> {
  // Since it was compared, a person was asked, and somebody else may have applied the same plan.
  if (options.plan !== null) await refuseLoadedSince(options.plan, ledger);
  return ledger.begin({
    service: options.service,
    serviceUrl: options.serviceUrl,
    sourcePath: snapshot.sourcePath,
    sourceName: snapshot.sourceName,
    sourceDigest: snapshot.digest,
    resultsPath,
    options: recordedOptions(options, snapshot),
    person: personHere(),
  });
}

/** Loading a file a second time beside a load of it that is not ended would make records twice. */
function refuseAgainOverUnfinished(options: ImportOptions, runs: readonly RunRecord[], { digest }: Snapshot): void {
  if (!options.again) return;
  const newest = runs.find((run) => run.service === options.service && run.sourceDigest === digest);
  if (newest === undefined || newest.state === 'ended') return;
  throw new DealsheetError(
    'usage',
    `The run ${newest.id} of this file is not ended.`,
    `Go on with it first: ${commandText('resume', newest.id)}`,
  );
}
