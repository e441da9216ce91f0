/** The story of `import`: read, check, ask, send, remember, report. */
import { DealsheetError } from '../errors.ts';
import type { Ledger, Run, RunRecord } from '../ledger/ledger.ts';
import { personHere } from '../ledger/person.ts';
import type { Mapping } from '../mapping/mapping-file/mapping.ts';
import { commandText } from '../messages/commands.ts';
import { heldBy } from '../plan/like-last.ts';
import { planOf, refuseLoadedSince, refuseOther } from '../plan/load-plan.ts';
import { loadedElsewhere } from '../plan/loaded-elsewhere.ts';
import { type ImportOptions, recordedOptions } from '../plan/options.ts';
import type { Preview } from '../plan/preview.ts';
import { resultsOfUnknownRun } from '../plan/results-beside.ts';
import type { LoadPlan } from '../plan/written-plan.ts';
import { resultsPath } from '../report/results-file.ts';
import type { Snapshot } from '../staging/source/snapshot.ts';
import type { Staged } from '../staging/stage.ts';
import type { Staging } from '../staging/staging.ts';
import { type Decided, decideFile, type Opened, withNotices, withSource } from './decided-source.ts';
import {
  askAndSend,
  type Connect,
  type LoadMeans,
  loadMeans,
  type SendingEvents,
  type SendingResult,
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
  const means = loadMeans(connect, ledger, events);
  return withSource(options, (opened) => importOpened(opened, options, means));
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
  return withPlanned(given, ledger, events, async ({ plan, preview }) => ({ plan, preview }));
}

/** A file with what a load would do with each of its rows. */
export interface Planned {
  readonly staging: Staging;
  readonly staged: Staged;
  readonly preview: Preview;
  readonly plan: LoadPlan;
  /** By which its columns are read, where one is named or remembered. */
  readonly mapping: Mapping | null;
}

/** The same, and the rows stay to be looked at until `use` has come to its end. */
export async function withPlanned<Result>(
  given: ImportOptions,
  ledger: Ledger,
  events: Pick<SendingEvents, 'onProgress'>,
  use: (planned: Planned) => Promise<Result>,
): Promise<Result> {
  return withSource(given, async (opened) => {
    const { options, decided } = await decide(opened, given, { ledger, events });
    const plan = await planOf(options, opened, decided.preview, ledger, new Date().toISOString());
    const { staged, preview } = decided;
    return use({ staging: opened.staging, staged, preview, plan, mapping: options.mapping?.mapping ?? null });
  });
}

/** All that comes before the first question to the person. */
async function decide(
  opened: Opened,
  given: ImportOptions,
  { ledger, events }: Pick<LoadMeans, 'ledger'> & { readonly events: Pick<SendingEvents, 'onProgress'> },
): Promise<{ readonly options: ImportOptions; readonly decided: Decided }> {
  const { service, again, limit, allOrNothing, trustResults } = given;
  const { onProgress } = events;
  const runs = await ledger.runs();
  const planning = { again, limit, allOrNothing, trustResults };
  const { options, decided } = await decideFile(opened, given, { service, ledger, runs, planning, onProgress });
  refuseAgainOverUnfinished(options, runs, opened.snapshot);
  const runsOfSheet = opened.staging.runsNamed();
  const counts: Ledger['counts'] = (run) => ledger.counts(run);
  const among = { service, sourceDigest: opened.snapshot.digest, runs, runsOfSheet, counts };
  return { options, decided: withNotices(decided, await loadedElsewhere(among)) };
}

async function importOpened(opened: Opened, given: ImportOptions, means: LoadMeans): Promise<SendingResult | null> {
  const { ledger } = means;
  const { snapshot, staging } = opened;
  const { options, decided: found } = await decide(opened, given, means);
  const decided = withNotices(found, await resultsBeside(options, snapshot, ledger));
  if (options.plan !== null)
    refuseOther(options.plan, await planOf(options, opened, decided.preview, ledger, options.plan.made));
  // Where the sheet has to be taken at its word, it is still the one to load again.
  const areNewest = !staging.isAnyKnown('unknown-key');
  const { origin } = decided.plan;
  const begin = (place: string) => beginRun(options, snapshot, { origin, resultsPath: place }, decided.preview, ledger);
  return askAndSend({ ...means, ...opened, ...decided, options, begin, isResumed: false }, areNewest);
}

async function resultsBeside(options: ImportOptions, snapshot: Snapshot, ledger: Ledger): Promise<readonly string[]> {
  const known = new Set((await ledger.runs()).map(({ id }) => id));
  const isKnownRun = (run: string) => known.has(run);
  const place = resultsPath(options.resultsPath, snapshot);
  return place === snapshot.sourcePath ? [] : resultsOfUnknownRun(place, { ...options, isKnownRun });
}

async function beginRun(
  options: ImportOptions,
  snapshot: Snapshot,
  names: Pick<RunRecord, 'origin' | 'resultsPath'>,
  preview: Preview,
  ledger: Ledger,
): Promise<Run> {
  // Since it was compared, a person was asked, and somebody else may have applied the same plan.
  if (options.plan !== null) await refuseLoadedSince(options.plan, ledger);
  return ledger.begin({
    service: options.service,
    serviceUrl: options.serviceUrl,
    sourcePath: snapshot.sourcePath,
    sourceName: snapshot.sourceName,
    sourceDigest: snapshot.digest,
    ...names,
    options: recordedOptions(options, snapshot, heldBy(preview)),
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
