/** What `import` and `resume` have in common: send what can be sent, remember it, and report every row. */

import { dirname } from 'node:path';
import { type Counts, rowStates } from '../../contract/row-state.ts';
import { DealsheetError, refuseWrongOptions } from '../../errors.ts';
import { openStates } from '../../ledger/entry-state.ts';
import type { Ledger, Run } from '../../ledger/ledger.ts';
import { countsByCode, type FindingCount } from '../../mapping/finding-groups.ts';
import { textOf } from '../../messages/text.ts';
import type { HealthResult, ServiceClient } from '../../service/client.ts';
import type { StopReason } from '../../service/outcome.ts';
import { summaryTitles } from '../../workbooks/results-summary.ts';
import { decisionOptions, type SurveyedLoad } from '../decisions/decision-options.ts';
import { earlierLoadOf } from '../decisions/earlier-loads.ts';
import { earlierRunsOf } from '../decisions/earlier-runs.ts';
import type { Foresight } from '../foresight/foresight.ts';
import { refsInUseOf } from '../foresight/refs-in-use.ts';
import { wantedFunctions } from '../options/wanted-options.ts';
import { type Reported, report } from '../report/report.ts';
import type { ResultsFile } from '../report/results-file.ts';
import { leftBy, nothingSentFacts, runFacts } from '../report/run-facts.ts';
import { standingEntries } from '../report/standing-entries.ts';
import { unwrittenResults, unwrittenUnsent } from '../report/unwritten-results.ts';
import type { HeldRows } from '../rows/held-rows.ts';
import { refuseWrongIds } from '../rows/judge-ids.ts';
import { originalSource } from '../rows/original-source.ts';
import { secondsSince } from '../rows/seconds.ts';
import { digestOf, type Snapshot, standardInput } from '../source/snapshot.ts';
import type { Survey } from '../survey/survey.ts';
import { closeWhenAborted } from './client-closing.ts';
import { forgetSource, keepSource } from './kept-source.ts';
import { type LoadEnd, load, type RowEvent } from './load.ts';
import { type Connect, ownClient } from './own-client.ts';
import { forgetSettledSources } from './settled-sources.ts';

/**
 * What a load tells on its way. All but `confirm` is called and not waited for: a function that gives a promise must not let it
 * reject. What one throws ends the load: what is in flight is waited for and kept in the ledger, no results are written, and
 * the load rejects with it. Import the file again, or resume the run, to go on.
 */
export interface SendingEvents {
  /** Every thousand rows of the first reading. */
  readonly onProgress: (rows: number) => void;
  /** After the checks, before anything is sent. `false` ends the command. */
  readonly confirm: (survey: Survey, foresight: Foresight) => Promise<boolean>;
  readonly onHealth: (health: HealthResult) => void;
  readonly onBegin: (run: string, survey: Survey) => void;
  readonly onRow: (event: RowEvent) => void;
  readonly onReport: () => void;
}

export interface SendingResult {
  /** The run, or `null` when nothing was sent. */
  readonly run: string | null;
  readonly service: string;
  readonly file: string;
  /** Where its rows are corrected: the file itself, or the one that a rehearsal was made of whose results it is. */
  readonly source: string;
  readonly results: string;
  /** See {@link ResultsFile.besides}. */
  readonly besides: ResultsFile['besides'];
  readonly seconds: number;
  readonly counts: Counts;
  /** Counts and exact sums of each sheet by what became of its rows. */
  readonly totals: Reported['totals'];
  /** See {@link Reported.changedRows}. */
  readonly changedRows: Reported['changedRows'];
  /** What was found in the rows, by its code. */
  readonly findings: readonly FindingCount[];
  readonly survey: Survey;
  readonly stopReason: StopReason | null;
  readonly interrupted: boolean;
  /** Rows were left unsent because others failed the checks. */
  readonly heldBack: boolean;
  /** The source is no longer what it was when the load began. */
  readonly sourceChanged: boolean;
}

/** What every load works with, whatever its source. */
export interface LoadMeans {
  readonly connect: Connect;
  readonly ledger: Ledger;
  readonly events: SendingEvents;
}

export interface Sending extends SurveyedLoad, LoadMeans {
  /** What a results sheet says of its rows. */
  readonly heldRows: HeldRows;
  readonly results: ResultsFile;
  /** Begins the run, or takes it up again. */
  readonly begin: () => Run;
  /** Nothing is sent, because rows failed the checks. */
  readonly heldBack: boolean;
}

/** @throws DealsheetError when the service is not to be reached, or the ledger or the results fail on the way */
export async function sendAndReport(context: Sending): Promise<Omit<SendingResult, 'seconds'>> {
  const { options, events, snapshot, surveyed, results, heldBack } = context;
  const sent = heldBack ? null : await send(context);
  events.onReport();
  const { counts, totals, changedRows } = await reported(context, sent?.run ?? null);
  if (sent !== null && isEachRowSettled(counts)) await forgetSource(options.snapshotFolder, sent.run.id);
  await forgetSettledSources(options.snapshotFolder, context.ledger);
  return {
    run: sent?.run.id ?? null,
    service: options.serviceUrl,
    file: snapshot.sourcePath,
    source: originalSource(context.ledger, snapshot.sourcePath),
    results: results.path,
    besides: results.besides,
    counts,
    totals,
    changedRows,
    findings: countsByCode(surveyed.sheets.flatMap(({ findings }) => findings)),
    survey: surveyed,
    stopReason: sent?.end.stopReason ?? null,
    interrupted: sent?.end.interrupted ?? false,
    heldBack,
    sourceChanged: await hasChanged(snapshot),
  };
}

const wantedEvents = wantedFunctions(['onProgress', 'confirm', 'onHealth', 'onBegin', 'onRow', 'onReport']);

/**
 * Takes the time of a load; that in which a person thinks about a question is none of it.
 *
 * @throws DealsheetError `usage` when one of the events is no function
 */
export function timedLoad(events: SendingEvents): { readonly events: SendingEvents; readonly seconds: () => number } {
  refuseWrongOptions(events, wantedEvents);
  const began = performance.now();
  let asked = 0;
  const confirm: SendingEvents['confirm'] = async (surveyed, foresight) => {
    const from = performance.now();
    const isAgreed = await events.confirm(surveyed, foresight);
    asked += performance.now() - from;
    return isAgreed;
  };
  const seconds = () => secondsSince(began + asked);
  const timed: SendingEvents = {
    onProgress: (rows) => events.onProgress(rows),
    confirm,
    onHealth: (health) => events.onHealth(health),
    onBegin: (run, survey) => events.onBegin(run, survey),
    onRow: (event) => events.onRow(event),
    onReport: () => events.onReport(),
  };
  return { events: timed, seconds };
}

async function send(context: Sending): Promise<{ run: Run; end: LoadEnd }> {
  const rowsOfAll = context.surveyed.sheets.reduce((rows, sheet) => rows + sheet.rows, 0);
  const client = ownClient(context.connect, rowsOfAll, context.options);
  const { signal } = context.options;
  const endAsking = closeWhenAborted(client, signal);
  try {
    await askHealth(context, client);
    await askForIds(context, client);
    endAsking();
    return await sendRows(context, client);
  } finally {
    endAsking();
    await client.close();
  }
}

async function askHealth({ events, options }: Sending, client: ServiceClient): Promise<void> {
  if (options.signal.aborted) return;
  const health = await client.health();
  if (options.signal.aborted) return;
  events.onHealth(health);
  if (health.state !== 'blocked') return;
  const { code, message, remedy } = health.reason;
  throw new DealsheetError(code, textOf(message), textOf(remedy));
}

/** No row is sent any more once the load is stopped: then no id is taken for one, whatever became of the question. */
async function askForIds({ heldRows, ledger, options }: Sending, client: ServiceClient): Promise<void> {
  if (options.signal.aborted) return;
  await refuseWrongIds(heldRows.typedIds, ledger, options.service, client).catch((error: unknown) => {
    if (!options.signal.aborted) throw error;
  });
}

async function sendRows(context: Sending, client: ServiceClient): Promise<{ run: Run; end: LoadEnd }> {
  const { options, ledger, events, snapshot, surveyed } = context;
  const run = context.begin();
  let isEnded = false;
  try {
    events.onBegin(run.id, surveyed);
    if (dirname(snapshot.path) === options.snapshotFolder && !context.resumed) await keepSource(snapshot, run.id);
    const end = await load(surveyed, client, ledger, run, {
      ...options,
      ...decisionOptions(context, run.id),
      onRow: events.onRow,
    });
    isEnded = end.stopReason === null && !end.interrupted;
    return { run, end };
  } finally {
    await run.end(isEnded ? 'ended' : 'stopped');
  }
}

/** The states of rows for which the source may be wanted once more. */
const unsettled = [...openStates, 'in-doubt'] as const;

function isEachRowSettled(counts: Counts): boolean {
  return unsettled.every((state) => counts[rowStates[state].count] === 0);
}

async function reported(context: Sending, run: Run | null): Promise<Reported> {
  const { options, ledger, snapshot, surveyed, results } = context;
  const standing = run === null ? await standingEntries(surveyed, ledger, decisionOptions(context, null)) : null;
  const record = run === null ? null : ledger.run(run.id);
  const facts = record === null ? nothingSentFacts(options.serviceUrl, snapshot.sourcePath) : runFacts(record);
  const runsOfSource = options.again ? [] : earlierRunsOf(ledger, options.service, snapshot, surveyed);
  try {
    return await report(surveyed, results.writer, {
      run: run?.id ?? null,
      entriesOf: (sheet) => (run === null ? (standing?.get(sheet) ?? []) : ledger.entriesOf(run.id, sheet)),
      cameFrom: (position) => earlierLoadOf(ledger, runsOfSource, position),
      refsInUse: record === null ? () => [] : refsInUseOf(ledger, record),
      left: leftBy(record),
      mask: options.mask,
      withSummary: results.withSummary,
      title: summaryTitles.load,
      facts,
    });
  } catch (cause) {
    const place = { path: results.path, copy: snapshot.path };
    throw run === null ? unwrittenUnsent(place, cause) : unwrittenResults({ run: run.id, ...place }, cause);
  }
}

async function hasChanged(snapshot: Snapshot): Promise<boolean> {
  if (snapshot.sourcePath === standardInput) return false;
  const digest = await digestOf(snapshot.sourcePath).catch(() => null);
  return digest !== snapshot.digest;
}
