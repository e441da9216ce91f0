/** The steps of `import`: read, check, ask, send, record, report. */
import type { Ledger, Run, RunRecord } from '../ledger/ledger.ts';
import { errorOf } from '../messages/text.ts';
import { totalsOf } from '../plan/expectations.ts';
import { planOf, refuseOther } from '../plan/load-plan.ts';
import { type ImportOptions, recordedOptions, recordedOptionsOf } from '../plan/options.ts';
import { otherLoadNotices, refuseTrustElsewhere } from '../plan/other-loads.ts';
import type { LoadPlan } from '../plan/written-plan.ts';
import { resultsPlaces } from '../report/results-file.ts';
import { type SourceCopy, standardInput } from '../staging/source/source-copy.ts';
import {
  type Decided,
  decideFile,
  type Opened,
  type ReadingEvents,
  withNotices,
  withSource,
} from './decided-source.ts';
import { askAndSend, type Connect, decideAgain, type SendingEvents, type SendingResult } from './sending.ts';

/**
 * Loads a file. Once `options.signal` is aborted, no new request leaves, those in flight may take 30 s, and the results are
 * written with `interrupted: true`. A check of the file that is running is finished first.
 *
 * @param connect  makes the client of this load, which closes it
 * @param ledger  stays open, and can be used for many loads, one at a time in each service
 * @throws DealsheetError when nothing was sent (exit 2), or when the ledger or the results fail; and whatever a listener throws
 */
export async function importFile(
  options: ImportOptions,
  connect: Connect,
  ledger: Ledger,
  events: SendingEvents,
): Promise<SendingResult | null> {
  const began = performance.now();
  return withSource(options, async (opened) => {
    const decided = await decide(opened, options, ledger, events);
    const { plan } = options;
    if (plan !== null) refuseOther(plan, await planOf(decided, ledger, plan.made));
    // A sheet with unknown keys keeps its name, because it is the one to import again with --trust-results.
    const areNewest = opened.staging.countFoundBy('unknown-key') === 0;
    const begin = (place: string) => beginRun(decided, place, ledger);
    return askAndSend({ connect, ledger, events, began, ...decided, begin, isResumed: false }, areNewest);
  });
}

export interface Planned extends Decided<ImportOptions> {
  readonly plan: LoadPlan;
}

/**
 * Plans a load and sends nothing. The staged rows can be read until `use` resolves.
 *
 * @throws DealsheetError when the file cannot be loaded (exit 2)
 */
export async function withPlanned<Result>(
  given: ImportOptions,
  ledger: Ledger,
  events: ReadingEvents,
  use: (planned: Planned) => Promise<Result>,
): Promise<Result> {
  return withSource(given, async (opened) => {
    const decided = await decide(opened, given, ledger, events);
    return use({ ...decided, plan: await planOf(decided, ledger, new Date().toISOString()) });
  });
}

/** For callers that do not read the rows. */
export function planImport(
  ...given: [options: ImportOptions, ledger: Ledger, events: ReadingEvents]
): Promise<Pick<Planned, 'plan' | 'preview'>> {
  return withPlanned(...given, async ({ plan, preview }) => ({ plan, preview }));
}

/** Everything before the person is asked. */
async function decide(opened: Opened, given: ImportOptions, ledger: Ledger, events: ReadingEvents) {
  const { service, again, limit, allOrNothing, trustResults } = given;
  if (trustResults) await refuseTrustElsewhere(opened.source, given);
  const runs = await ledger.runs();
  const planning = { again, limit, allOrNothing, trustResults };
  const decided = await decideFile(opened, given, { ...events, service, ledger, runs, planning });
  const { copy, staging } = opened;
  if (again) refuseAgainOverUnfinished(service, runs, copy);
  const hasPlace = copy.sourcePath !== standardInput || given.resultsPath !== null;
  const places = hasPlace ? resultsPlaces(given.resultsPath, copy) : [];
  const others = await otherLoadNotices({
    service,
    serviceUrl: given.serviceUrl,
    sourceDigest: copy.digest,
    runs,
    ledger,
    runsOfSheet: staging.runsNamed(),
    resultsPlaces: again ? [] : places.filter((place) => place !== copy.sourcePath),
  });
  return withNotices(decided, others);
}

async function beginRun(decided: Decided<ImportOptions>, place: string, ledger: Ledger): Promise<Run> {
  const { options, copy, staged, preview, origin } = decided;
  const { service, serviceUrl, plan } = options;
  // While the person was asked, others may have applied the same plan, or changed what would be sent.
  if (plan !== null && (await decideAgain(decided, ledger)))
    refuseOther(plan, await planOf(decided, ledger, plan.made));
  const { sourcePath, sourceName, digest: sourceDigest } = copy;
  const source = { sourcePath, sourceName, sourceDigest, origin };
  const recorded = recordedOptions({ ...options, clues: staged.clues }, copy, totalsOf(preview));
  return ledger.begin({ service, serviceUrl, ...source, resultsPath: place, options: recorded, person: ledger.person });
}

/** With `--again` beside a run of the file that has not ended, or one that sends rows again, records would be made twice. */
function refuseAgainOverUnfinished(service: string, runs: readonly RunRecord[], { digest }: SourceCopy): void {
  const ofService = runs.filter((run) => run.service === service);
  const newest = ofService.find(({ sourceDigest }) => sourceDigest === digest);
  const open = ofService.filter(({ state }) => state !== 'ended');
  const other = open.find((run) => run === newest || recordedOptionsOf(run)?.again === true);
  if (other !== undefined)
    throw errorOf('earlier-run-unfinished', { run: other.id, name: other.sourceName, isOfFile: other === newest });
}
