/** The common part of `import` and `resume`: send the rows, record the outcomes, report every row. */

import { recordKindNames } from '../contract/record-kind.ts';
import { type DealsheetError, isDealsheetError } from '../errors.ts';
import type { Ledger, Run } from '../ledger/ledger.ts';
import { isUnfinished } from '../ledger/run-records.ts';
import type { NamedMapping } from '../mapping/mapping-file/read-mapping.ts';
import { errorOf, textOf } from '../messages/text.ts';
import type { SendingOptions } from '../plan/options.ts';
import { basisOf, plan } from '../plan/plan.ts';
import { countedIn, type Preview } from '../plan/preview.ts';
import { registerKind } from '../plan/register.ts';
import { type Reported, report } from '../report/report.ts';
import { openResults, type ResultsFile, sizesOf } from '../report/results-file.ts';
import type { HealthResult, ServiceClient } from '../service/client.ts';
import type { StopReason } from '../service/outcome.ts';
import { attachmentsOf } from '../staging/reading.ts';
import { type SourceCopy, stampAt, standardInput } from '../staging/source/source-copy.ts';
import type { SheetWriter } from '../tables/sheet-writer.ts';
import type { CheckResult } from './check-file.ts';
import type { Decided } from './decided-source.ts';
import { type LoadEnd, load, type RowEvent } from './load.ts';
import { forgetSettledSources, keepSource, placeOfSource } from './run-source.ts';
import { checkIds, refuseFaults, takeAnswers, typedIdsIn } from './typed-answers.ts';

/**
 * The events of a load. Only `confirm` is awaited, so no other listener may return a promise that rejects. If a listener throws,
 * what is in flight is finished and recorded, no results are written, and the load rejects with that error. Import the file again,
 * or resume the run.
 */
export interface SendingEvents {
  /** Called as the first reading goes on, with the rows so far. */
  readonly onProgress: (rows: number) => void;
  /** Called after the checks, before anything is sent, with the mapping in use. `false` ends the command. */
  readonly confirm: (preview: Preview, mapping: NamedMapping | null) => boolean | Promise<boolean>;
  readonly onHealth: (health: HealthResult) => void;
  readonly onBegin: (run: string, preview: Preview) => void;
  readonly onRow: (event: RowEvent) => void;
  readonly onReport: () => void;
}

export interface SendingResult extends CheckResult {
  /** `null` when nothing was sent. */
  readonly run: string | null;
  readonly service: string;
  /** Why the results could not be written; `results` is then `null`. */
  readonly unwritten: DealsheetError | null;
  readonly notices: Reported['notices'];
  /** The path of the user's own file, if its results were loaded. */
  readonly original: string;
  readonly stopReason: StopReason | null;
  readonly interrupted: boolean;
  /** Whether nothing was sent because rows are invalid. */
  readonly heldBack: boolean;
  /** Whether the source has changed since it was read. */
  readonly sourceChanged: boolean;
}

/** Makes the client of a load, which closes it. */
export type Connect = () => ServiceClient;

interface Sending extends Decided<SendingOptions> {
  readonly connect: Connect;
  readonly ledger: Ledger;
  readonly events: SendingEvents;
  /** From `performance.now`. */
  readonly began: number;
  readonly results: ResultsFile;
  /** Begins or resumes the run, given the path of its results. */
  readonly begin: (resultsPath: string) => Promise<Run>;
  readonly isResumed: boolean;
}

/**
 * Opens the results, asks the person, and sends.
 *
 * @param areNewest  whether the results are newer than the file at their path
 * @returns `null` when the person said no
 * @throws DealsheetError when the service cannot be reached, or the ledger or the results fail
 */
export async function askAndSend(context: Omit<Sending, 'results'>, areNewest: boolean): Promise<SendingResult | null> {
  const { options, copy, staged, staging, events, preview, heldBack, began } = context;
  const of = { service: options.service, areNewest };
  const results = await openResults(options.resultsPath, copy, sizesOf(staged.sheets, staging), of);
  let sent: SendingResult | null = null;
  try {
    const asked = performance.now();
    const isAgreed = heldBack || (await events.confirm(preview, options.mapping));
    // The time that the person takes to answer does not count.
    const beganToWork = began + performance.now() - asked;
    if (isAgreed)
      sent = { ...(await sendAndReport({ ...context, results })), seconds: (performance.now() - beganToWork) / 1000 };
  } finally {
    if (sent === null) await results.writer.abandon();
  }
  return sent;
}

async function sendAndReport(context: Sending): Promise<Omit<SendingResult, 'seconds'>> {
  const { options, events, ledger, copy, preview, results, heldBack } = context;
  const sent = heldBack ? null : await send(context);
  events.onReport();
  const { unwritten, ...report } = await reported(context, sent?.run ?? null);
  await forgetSettledSources(options.sourcesFolder, ledger);
  const { original } = results;
  const [path, besides] = unwritten === null ? [results.path, results.besides] : [null, null];
  // A results sheet that was loaded has made room for the new one.
  const file = (besides?.path === copy.sourcePath ? besides.movedTo : null) ?? copy.sourcePath;
  const { findings } = countedIn(preview);
  const { stopReason, interrupted } = sent?.end ?? { stopReason: null, interrupted: false };
  return {
    run: sent?.run.id ?? null,
    service: options.serviceUrl,
    file,
    results: path,
    unwritten,
    ...report,
    original,
    besides,
    findings,
    preview,
    stopReason,
    interrupted,
    heldBack,
    sourceChanged: await hasChanged(copy),
  };
}

/** How long requests in flight may take after an interruption. Then their rows are in doubt. */
const graceMs = 30_000;

async function send(context: Sending): Promise<{ run: Run; end: LoadEnd }> {
  const client = context.connect();
  const { signal } = context.options;
  // Before the first row, only look-ups are in flight, and their answers are no longer needed.
  let waitMs = 0;
  let timer: NodeJS.Timeout | null = null;
  // Each row in flight gets its outcome by itself, so a failure to close the connections changes nothing.
  const ignored = () => {};
  const stop = () => {
    client.drain().catch(ignored);
    timer = setTimeout(() => client.close().catch(ignored), waitMs);
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await askHealth(context, client);
    await askForIds(context, client);
    waitMs = graceMs;
    return await sendRows(context, client);
  } finally {
    signal.removeEventListener('abort', stop);
    if (timer !== null) clearTimeout(timer);
    await client.close();
  }
}

async function askHealth({ options, events, preview }: Sending, client: ServiceClient): Promise<void> {
  const isNothingToSend = preview.sheets.every(({ toSend }) => toSend === 0);
  if (isNothingToSend || options.signal.aborted) return;
  const health = await client.health();
  if (options.signal.aborted) return;
  events.onHealth(health);
  if (health.state !== 'blocked') return;
  const { code, message, remedy } = health.reason;
  const reason = code === 'token-refused' ? 'service-refuses-token' : 'service-unhealthy';
  throw errorOf(reason, { said: textOf(message), remedy: textOf(remedy) });
}

/** Once the load is stopped, no row is sent and no id is accepted, so errors of this look-up do not matter. */
async function askForIds({ staging, ledger, options }: Sending, client: ServiceClient): Promise<void> {
  const { service, signal } = options;
  if (signal.aborted) return;
  const checking = { ledger, service, client: async () => client, changedSince: false, losesId: () => false };
  const findings = await checkIds(await typedIdsIn(staging), checking).catch((error: unknown) => {
    if (signal.aborted) return [];
    throw error;
  });
  if (!signal.aborted) refuseFaults(findings, null);
}

async function sendRows(context: Sending, client: ServiceClient): Promise<{ run: Run; end: LoadEnd }> {
  const { options, ledger, events, copy, preview, staging, planOptions } = context;
  const run = await context.begin(context.results.path);
  let isEnded = false;
  try {
    events.onBegin(run.id, preview);
    if (!context.isResumed) await keepSource(copy, run.id);
    // Where what the person was asked about no longer holds, there is nothing to resume.
    isEnded = !context.isResumed;
    await decideAgain(context, ledger, run.id, context.isResumed);
    isEnded = false;
    await takeAnswers(staging, ledger);
    const around = { ...planOptions, staging, ledger };
    const { contract, idempotencyKeys, batch, signal } = options;
    for (const kind of recordKindNames) await registerKind(run, kind, around);
    const sending = { contract, idempotencyKeys, batch, signal, attachments: attachmentsOf(options, copy) };
    const end = await load(client, run, { ...around, ...sending, onRow: events.onRow });
    const isWhole = end.stopReason === null && !end.interrupted;
    const counts = isWhole ? {} : await ledger.counts(run.id);
    // A resume may send an update in doubt once more.
    isEnded = isWhole || (!isUnfinished(counts) && counts['in-doubt'] === undefined);
    return { run, end };
  } finally {
    await run.end(isEnded ? 'ended' : 'stopped');
  }
}

/**
 * Others may have loaded or resolved rows while the person was asked; once a run has begun, its lease keeps them out. A resume also
 * changes the rows that the run left in flight.
 *
 * @param begun  the run that has begun, or `null`
 * @returns whether the decisions were made again, because they may be others now
 * @throws DealsheetError when a run was forgotten: rows that the person was told are in would be sent
 */
export async function decideAgain(
  { staging, planOptions, basis }: Decided,
  ledger: Ledger,
  begun: string | null = null,
  isResumed = false,
): Promise<boolean> {
  const now = await basisOf(ledger, planOptions.service, begun);
  if (basis.runs.some((id) => id !== begun && !now.runs.includes(id))) throw errorOf('runs-forgotten');
  if (!isResumed && basis.state !== null && basis.state === now.state) return false;
  staging.clearIdentities();
  await plan(staging, ledger, planOptions);
  return true;
}

/** Where rows are counted only. */
const nowhere: SheetWriter = {
  addSheet: async () => ({ addRow: async () => {} }),
  finish: async () => '',
  abandon: async () => {},
};

async function reported(context: Sending, sent: Run | null): Promise<Reported & Pick<SendingResult, 'unwritten'>> {
  const { options, ledger, results, preview, valuesBefore } = context;
  const record = sent === null ? null : await ledger.run(sent.id);
  const source = { ...context, mask: options.mask };
  const how = { run: record === null ? null : { ledger, record }, valuesBefore, notices: preview.notices };
  try {
    return { ...(await report(source, results, how)), unwritten: null };
  } catch (error) {
    if (record === null || !isDealsheetError(error)) throw error;
    const counted = await report(source, { ...results, writer: nowhere }, how).catch(() => null);
    if (counted === null) throw error;
    return { ...counted, unwritten: error };
  }
}

async function hasChanged({ sourcePath, stamp, digest }: SourceCopy): Promise<boolean> {
  if (sourcePath === standardInput) return false;
  return (await stampAt(sourcePath)) !== stamp && (await placeOfSource(sourcePath, digest)) === null;
}
