/** The story of `import`: read, check, ask, send, remember, report. */

import { DealsheetError, refuseWrongOptions } from '../errors.ts';
import type { Ledger, Run } from '../ledger/ledger.ts';
import { commandText } from '../messages/commands.ts';
import type { Source } from '../sheets/source.ts';
import { decisionOptions } from './decisions/decision-options.ts';
import { meetExpectations } from './foresight/expectations.ts';
import { type Foresight, foresee, foreseenByChecks } from './foresight/foresight.ts';
import { planOf, refuseLoadedSince, refuseOther } from './foresight/load-plan.ts';
import { loadedElsewhere, rehearsedOnly } from './foresight/loaded-elsewhere.ts';
import { PlannedDecisions } from './foresight/planned-decisions.ts';
import { resultsOfUnknownRun } from './foresight/results-beside.ts';
import type { LoadPlan } from './foresight/written-plan.ts';
import { type ImportOptions, wantedImport } from './import-options.ts';
import type { Connect } from './load/own-client.ts';
import { type LoadMeans, type SendingEvents, type SendingResult, sendAndReport, timedLoad } from './load/sending.ts';
import { withEarlierReading } from './options/earlier-reading.ts';
import { recordedOptions } from './options/run-options.ts';
import { wantedBeside, wantedFunctions } from './options/wanted-options.ts';
import { openResults, resultsPath, withResults } from './report/results-file.ts';
import { HeldRows } from './rows/held-rows.ts';
import { removeSnapshot, type Snapshot, takeSnapshot } from './source/snapshot.ts';
import { earlierRefsOf } from './survey/earlier-refs.ts';
import { joinedOrders } from './survey/hidden-orders.ts';
import type { KeptRows } from './survey/kept-rows.ts';
import { surveySource, withMapping, withOpenCopy } from './survey/reading.ts';
import type { Survey } from './survey/survey.ts';

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
  refuseWrongOptions(options, wantedImport);
  refuseWrongOptions({ connect, ledger }, wantedBeside);
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
): Promise<{ readonly plan: LoadPlan; readonly surveyed: Survey; readonly foresight: Foresight }> {
  refuseWrongOptions(given, wantedImport);
  refuseWrongOptions(events, wantedFunctions(['onProgress']));
  refuseWrongOptions({ ledger }, { ledger: wantedBeside.ledger });
  const snapshot = await takeSnapshot(given.file, given.snapshotFolder, given.standardInput);
  try {
    return await withOpenCopy(snapshot, given, async (source, keptRows) => {
      const { options, notices } = await chosen(source, given, ledger);
      const foreseeing = { events, notices, beside: [], keptRows, isPlanned: true };
      const load = await foreseen(source, snapshot, options, ledger, foreseeing);
      const { surveyed, foresight } = load;
      return { plan: planNow(options, snapshot, load, ledger), surveyed, foresight };
    });
  } finally {
    await removeSnapshot(snapshot);
  }
}

interface Foreseen {
  readonly surveyed: Survey;
  /** Whether no row is sent, for the errors of some. */
  readonly heldBack: boolean;
  readonly heldRows: HeldRows;
  readonly foresight: Foresight;
  readonly planned: PlannedDecisions;
}

/** The choices that the person has made for this file before, beside those that were said now. */
async function chosen(
  source: Source,
  given: ImportOptions,
  ledger: Ledger,
): Promise<{ readonly options: ImportOptions; readonly notices: readonly string[] }> {
  const { options, notices } = await withEarlierReading(source, given, ledger);
  return { options: await withMapping(source, options), notices };
}

interface Foreseeing {
  readonly events: Pick<SendingEvents, 'onProgress'>;
  /** Whole sentences about how the source is read. */
  readonly notices: readonly string[];
  /** The same about the results that stand where those of this load will go. */
  readonly beside: readonly string[];
  readonly keptRows: KeptRows;
  /** Whether every row is gone through, also where none of them can be in. */
  readonly isPlanned: boolean;
}

/** All that comes before the first question to the person. */
async function foreseen(
  source: Source,
  snapshot: Snapshot,
  options: ImportOptions,
  ledger: Ledger,
  { events, notices, beside, keptRows, isPlanned }: Foreseeing,
): Promise<Foreseen> {
  const heldRows = new HeldRows(ledger, options.service, options);
  const found = await surveySource(source, snapshot, options, {
    earlierRefs: earlierRefsOf(ledger, options.service),
    heldRows,
    service: options.service,
    keptRows,
    onProgress: events.onProgress,
  });
  const elsewhere = [...loadedElsewhere(ledger, options.service, snapshot.digest, heldRows.runsElsewhere), ...beside];
  const rehearsed = rehearsedOnly(ledger, options, heldRows.runsOfSheet);
  const surveyed = { ...found, notices: [...notices, ...elsewhere, ...rehearsed, ...found.notices] };
  meetExpectations(surveyed, options.expectations);
  refuseAgainOverUnfinished(options, ledger, snapshot);
  const heldBack = options.allOrNothing && surveyed.sheets.some((sheet) => sheet.invalidRows > 0);
  const limit = heldBack ? 0 : options.limit;
  const planned = new PlannedDecisions(ledger, { ...options, limit });
  const isTold = !isPlanned && (heldBack || isToldByChecks(surveyed, ledger, options));
  const foresight = isTold
    ? foreseenByChecks(surveyed)
    : await foreseeLoad(surveyed, ledger, snapshot, options, planned);
  return { surveyed, heldBack, heldRows, foresight: { ...foresight, elsewhere }, planned };
}

function planNow(
  options: ImportOptions,
  snapshot: Snapshot,
  { surveyed, planned }: Foreseen,
  ledger: Ledger,
): LoadPlan {
  return planOf(options, snapshot, surveyed, planned, ledger, new Date().toISOString());
}

async function importSnapshot(
  snapshot: Snapshot,
  given: ImportOptions,
  means: LoadMeans,
): Promise<Omit<SendingResult, 'seconds'> | null> {
  const { ledger, events } = means;
  return withOpenCopy(snapshot, given, async (source, keptRows) => {
    const { options, notices } = await chosen(source, given, ledger);
    const isPlanned = options.plan !== null;
    const isKnownRun = (run: string) => ledger.run(run) !== null;
    const beside = await resultsOfUnknownRun(resultsPath(options.resultsPath, snapshot), { ...options, isKnownRun });
    const load = await foreseen(source, snapshot, options, ledger, { events, notices, beside, keptRows, isPlanned });
    const { surveyed, heldBack, heldRows, foresight } = load;
    if (options.plan !== null) refuseOther(options.plan, planNow(options, snapshot, load, ledger));
    const sheets = surveyed.matched.sheets.length;
    const results = await openResults(options.resultsPath, snapshot, sheets, options.service);
    const begin = () => beginRun(options, snapshot, surveyed, results.path, ledger);
    const sending = { ...means, options, snapshot, surveyed, heldRows, results, begin, resumed: false, heldBack };
    return withResults(results, async () => {
      const isAgreed = heldBack || (await events.confirm(surveyed, foresight));
      return isAgreed ? sendAndReport(sending) : null;
    });
  });
}

function beginRun(
  options: ImportOptions,
  snapshot: Snapshot,
  surveyed: Survey,
  resultsPath: string,
  ledger: Ledger,
): Run {
  // Since it was compared, a person was asked, and somebody else may have applied the same plan.
  if (options.plan !== null) refuseLoadedSince(options.plan, ledger);
  const found = joinedOrders(surveyed.sheets.map(({ hiddenOrders }) => hiddenOrders));
  return ledger.beginRun({
    service: options.service,
    serviceUrl: options.serviceUrl,
    sourcePath: snapshot.sourcePath,
    sourceName: snapshot.sourceName,
    sourceDigest: snapshot.digest,
    resultsPath,
    options: recordedOptions(options, snapshot, found),
  });
}

/** Whether the checks alone tell what is sent, so that the rows need not be gone through once more. */
function isToldByChecks(surveyed: Survey, ledger: Ledger, { service, limit }: ImportOptions): boolean {
  if (limit !== null || ledger.runs().some((run) => run.service === service)) return false;
  const mayWait =
    surveyed.sheets.some(({ invalidRows, leftOutRows }) => invalidRows + leftOutRows > 0) &&
    surveyed.sheets.some(({ rows, kind }) => rows > 0 && kind.references.length > 0);
  return !mayWait && surveyed.sheets.every(({ heldRows }) => heldRows === 0);
}

/**
 * Rows of notes and transactions that went in with another file are a question for the person; of the very same file,
 * loaded again, they are none.
 */
async function foreseeLoad(
  surveyed: Survey,
  ledger: Ledger,
  snapshot: Snapshot,
  options: ImportOptions,
  planned: PlannedDecisions,
): Promise<Foresight> {
  const decisions = decisionOptions({ options, ledger, snapshot, surveyed, resumed: false }, null);
  const foresight = await foresee(surveyed, ledger, decisions, null, planned);
  return decisions.earlierRuns.length === 0 ? foresight : { ...foresight, repeatable: 0 };
}

/** Loading a file a second time beside a load of it that is not ended would make records twice. */
function refuseAgainOverUnfinished(options: ImportOptions, ledger: Ledger, snapshot: Snapshot): void {
  if (!options.again) return;
  const newest = ledger.newestRunOf(options.service, snapshot.digest);
  if (newest === null || newest.state === 'ended') return;
  throw new DealsheetError(
    'usage',
    `The run ${newest.id} of this file is not ended.`,
    `Go on with it first: ${commandText('resume', newest.id)}`,
  );
}
