/** The story of `import`: read, check, ask, send, remember, report. */
import type { Counts } from '../contract/row-state.ts';
import { DealsheetError } from '../errors.ts';
import type { Ledger, Run } from '../ledger/ledger.ts';
import type { HealthResult, ServiceClient } from '../service/client.ts';
import type { StopReason } from '../service/outcome.ts';
import { type LoadEnd, load, type RowEvent } from './load.ts';
import { attachmentsFolderOf, openCopy, type ReadingOptions, surveySource } from './reading.ts';
import { type EarlierRefs, refText } from './reference-index.ts';
import { report } from './report.ts';
import { openResults, type ResultsFile } from './results-file.ts';
import { digestOf, removeSnapshot, type Snapshot, standardInput, takeSnapshot } from './snapshot.ts';
import type { Survey } from './survey.ts';

export interface ImportOptions extends ReadingOptions {
  /** The identity of the service in the ledger: its origin and base path, or the data file of a sandbox. */
  readonly service: string;
  readonly serviceUrl: string;
  readonly again: boolean;
  readonly allOrNothing: boolean;
  readonly idempotencyKeys: boolean;
  readonly limit: number | null;
  readonly batch: number;
  readonly signal: AbortSignal;
}

export interface ImportEvents {
  /** Every thousand rows of the first reading. */
  readonly onProgress: (rows: number) => void;
  /** After the checks, before anything is sent. `false` ends the import. */
  readonly confirm: (survey: Survey) => Promise<boolean>;
  readonly onHealth: (health: HealthResult) => void;
  readonly onBegin: (run: string, survey: Survey) => void;
  readonly onRow: (event: RowEvent) => void;
  readonly onReport: () => void;
}

export interface ImportResult {
  readonly run: string | null;
  readonly service: string;
  readonly file: string;
  readonly results: string;
  readonly seconds: number;
  readonly counts: Counts;
  readonly survey: Survey;
  readonly stopReason: StopReason | null;
  readonly interrupted: boolean;
  /** Rows were left unsent because others failed the checks. */
  readonly heldBack: boolean;
  /** The source is no longer what it was when the load began. */
  readonly sourceChanged: boolean;
}

/**
 * Loads a file.
 *
 * @param connect  makes the client once the number of rows is known: the budget of retries hangs on it
 * @returns what became of every row, or `null` when the person said no
 * @throws DealsheetError when nothing was sent (exit 2), or when the ledger or the results failed on the way
 */
export async function importFile(
  options: ImportOptions,
  connect: (rows: number) => ServiceClient,
  ledger: Ledger,
  events: ImportEvents,
): Promise<ImportResult | null> {
  const began = performance.now();
  const snapshot = await takeSnapshot(options.file, options.snapshotFolder, options.standardInput);
  try {
    const source = await openCopy(snapshot, options);
    try {
      const surveyed = await surveySource(source, snapshot, options, {
        earlierRefs: earlierRefsOf(ledger, options.service),
        onProgress: events.onProgress,
      });
      const results = await openResults(options.resultsPath, snapshot, surveyed.plan.sheets.length);
      const loaded = await sendAndReport({ options, connect, ledger, events, snapshot, surveyed, results }).catch(
        async (error: unknown) => {
          await results.writer.abandon();
          throw error;
        },
      );
      return loaded === null ? null : { ...loaded, seconds: (performance.now() - began) / millisecondsOfSecond };
    } finally {
      await source.close();
    }
  } finally {
    await removeSnapshot(snapshot);
  }
}

const millisecondsOfSecond = 1000;

interface Import {
  readonly options: ImportOptions;
  readonly connect: (rows: number) => ServiceClient;
  readonly ledger: Ledger;
  readonly events: ImportEvents;
  readonly snapshot: Snapshot;
  readonly surveyed: Survey;
  readonly results: ResultsFile;
}

async function sendAndReport(context: Import): Promise<Omit<ImportResult, 'seconds'> | null> {
  const { options, events, snapshot, surveyed, results } = context;
  const heldBack = options.allOrNothing && surveyed.sheets.some((sheet) => sheet.invalidRows > 0);
  if (!heldBack && !(await events.confirm(surveyed))) {
    await results.writer.abandon();
    return null;
  }
  const sent = heldBack ? null : await send(context);
  events.onReport();
  const counts = await reported(context, sent?.run ?? null);
  return {
    run: sent?.run.id ?? null,
    service: options.serviceUrl,
    file: snapshot.sourcePath,
    results: results.path,
    counts,
    survey: surveyed,
    stopReason: sent?.end.stopReason ?? null,
    interrupted: sent?.end.interrupted ?? false,
    heldBack,
    sourceChanged: await hasChanged(snapshot),
  };
}

async function send(context: Import): Promise<{ run: Run; end: LoadEnd }> {
  refuseAgainOverUnfinished(context);
  const client = context.connect(context.surveyed.sheets.reduce((rows, sheet) => rows + sheet.rows, 0));
  try {
    await askHealth(context, client);
    return await sendRows(context, client);
  } finally {
    await client.close();
  }
}

async function askHealth({ events }: Import, client: ServiceClient): Promise<void> {
  const health = await client.health();
  events.onHealth(health);
  if (health.state !== 'blocked') return;
  const { code, message, remedy } = health.reason;
  throw new DealsheetError(code, message, remedy);
}

async function sendRows(context: Import, client: ServiceClient): Promise<{ run: Run; end: LoadEnd }> {
  const { options, ledger, events, snapshot, surveyed, results } = context;
  const run = ledger.beginRun({
    service: options.service,
    serviceUrl: options.serviceUrl,
    sourcePath: snapshot.sourcePath,
    sourceName: snapshot.sourceName,
    sourceDigest: snapshot.digest,
    resultsPath: results.path,
    options: '{}',
  });
  events.onBegin(run.id, surveyed);
  let isEnded = false;
  try {
    const end = await load(surveyed, client, ledger, run, {
      ...options,
      attachmentsFolder: attachmentsFolderOf(options, snapshot),
      onRow: events.onRow,
    });
    isEnded = end.stopReason === null && !end.interrupted;
    return { run, end };
  } finally {
    await run.end(isEnded ? 'ended' : 'stopped');
  }
}

/** Loading a file a second time beside a load of it that is not ended would make records twice. */
function refuseAgainOverUnfinished({ options, ledger, snapshot }: Import): void {
  if (!options.again) return;
  const newest = ledger.newestRunOf(options.service, snapshot.digest);
  if (newest === null || newest.state === 'ended') return;
  throw new DealsheetError(
    'usage',
    `The run ${newest.id} of this file is not ended.`,
    `Go on with it first: dealsheet resume ${newest.id}`,
  );
}

async function reported(context: Import, run: Run | null): Promise<Counts> {
  const { options, ledger, snapshot, surveyed, results } = context;
  const facts = [
    ['Run', run?.id ?? 'none: nothing was sent'],
    ['Service', options.serviceUrl],
    ['File', snapshot.sourcePath],
    ['Began', run?.startedAt ?? null],
    ['Ended', run === null ? null : (ledger.run(run.id)?.endedAt ?? null)],
  ] as const;
  try {
    return await report(surveyed, results.writer, {
      run: run?.id ?? null,
      entriesOf: (sheet) => (run === null ? [] : ledger.entriesOf(run.id, sheet)),
      mask: options.mask,
      withSummary: results.withSummary,
      title: 'Results of a load',
      facts: facts.filter(([, value]) => value !== null),
    });
  } catch (cause) {
    if (run === null) throw cause;
    throw new DealsheetError(
      'output-failed',
      `The results could not be written to ${results.path}. What became of each row is safe in the ledger.`,
      `Make room, then write them again with: dealsheet results ${run.id}`,
      { cause },
    );
  }
}

function earlierRefsOf(ledger: Ledger, service: string): EarlierRefs {
  return (kind, ref) => {
    const known = ledger.idsOfRef(service, kind, ledger.fingerprint(refText(kind, ref)));
    return known.flatMap(({ id, startedAt, sourceName }) => (id === null ? [] : [{ id, startedAt, sourceName }]));
  };
}

async function hasChanged(snapshot: Snapshot): Promise<boolean> {
  if (snapshot.sourcePath === standardInput) return false;
  const digest = await digestOf(snapshot.sourcePath).catch(() => null);
  return digest !== snapshot.digest;
}
