/** The steps of `resume`: the same source and options, and only the rows that are not settled. */
import { basename } from 'node:path';
import { contractDigest } from '../contract/contract-settings.ts';
import type { Ledger, RunRecord } from '../ledger/ledger.ts';
import { errorOf, messageOf } from '../messages/text.ts';
import { readRecordedOptions, recordedReading, type SendingOptions } from '../plan/options.ts';
import { ownPlace } from '../report/results-file.ts';
import { withStaging } from '../staging/reading.ts';
import { type SourceCopy, standardInput } from '../staging/source/source-copy.ts';
import { decideSource, withNotices } from './decided-source.ts';
import { isUnsettled, placeOfSource, withSourceOf } from './run-source.ts';
import { askAndSend, type Connect, type SendingEvents, type SendingResult } from './sending.ts';

export interface ResumeOptions
  extends Pick<
    SendingOptions,
    'service' | 'serviceUrl' | 'contract' | 'idempotencyKeys' | 'sourcesFolder' | 'privatePaths' | 'signal'
  > {
  /** Where the results go; `null` for the run's own path. */
  readonly resultsPath: string | null;
  /** Rows in one request of a bulk kind; `null` for as many as the run began with. */
  readonly batch: number | null;
}

/**
 * Resumes a run. Rows that were in flight when it stopped are in doubt (updates are sent again). Committed, rejected and in-doubt
 * rows stay as they are; the others are sent.
 *
 * @throws DealsheetError `usage` for another service or contract than the run's; `unreadable-source` when its file is missing or changed
 */
export async function resumeRun(
  run: RunRecord,
  options: ResumeOptions,
  connect: Connect,
  ledger: Ledger,
  events: SendingEvents,
): Promise<SendingResult | null> {
  const began = performance.now();
  if (run.service !== options.service)
    throw errorOf('run-into-other-service', { run: run.id, service: run.serviceUrl, chosen: options.serviceUrl });
  const recorded = readRecordedOptions(run.options);
  if (recorded.contract !== contractDigest(options.contract)) {
    const { profile = null, url = null } = recorded.serviceName;
    throw errorOf('run-under-other-contract', { run: run.id, profile, url });
  }
  return withSourceOf(run, options.sourcesFolder, async (copy) => {
    const { again, limit, trustResults } = recorded;
    const isElsewhere = copy.sourcePath !== run.sourcePath;
    const reading = { ...options, ...recordedReading(recorded), standardInput: process.stdin };
    const isGiven = options.resultsPath !== null || isElsewhere;
    const own = isGiven ? { path: options.resultsPath, later: null } : await ownPlace(run, ledger);
    const notices = await noticesOf(run, copy, own.later);
    const batch = options.batch ?? recorded.batch;
    const sending = { ...reading, file: copy.sourcePath, resultsPath: own.path, again, batch, limit };
    return withStaging(copy, sending, async (source, staging) => {
      const planning = { again, limit, trustResults, allOrNothing: false, resumes: run.id };
      const deciding = { service: run.service, ledger, planning, onProgress: events.onProgress };
      const decided = withNotices(await decideSource({ source, copy, staging }, sending, deciding), notices);
      const begin = () => ledger.resume(run.id);
      return askAndSend({ connect, ledger, events, began, ...decided, begin, isResumed: true }, true);
    });
  });
}

/** What a person knows before the rows are sent. */
async function noticesOf(run: RunRecord, { sourcePath, digest }: SourceCopy, later: string | null) {
  const isAsItWas = sourcePath === standardInput || (await placeOfSource(sourcePath, digest)) !== null;
  return [
    ...(isAsItWas ? [] : [messageOf('source-changed', { name: basename(sourcePath) })]),
    ...(later === null ? [] : [messageOf('name-of-later-run', { name: basename(run.resultsPath), run: later })]),
  ];
}

/**
 * The newest run that has not ended, and is running or has open rows; else `null`.
 *
 * @param service  the identity of the service, or `null` for any
 */
export async function runToGoOnWith(ledger: Ledger, service: string | null): Promise<RunRecord | null> {
  for (const run of await ledger.runs()) {
    if (run.state === 'ended' || (service !== null && run.service !== service)) continue;
    if (run.state === 'running' || (await isUnsettled(ledger, run))) return run;
  }
  return null;
}
