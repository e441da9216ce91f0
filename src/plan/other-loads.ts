/**
 * Detects rows that may be loaded although the ledger calls them new. Gives a notice if another service may be the same one under
 * another name; throws if results beside the file are of a run that this ledger does not know, or if results of another service
 * are to be trusted. Loads into a sandbox are exempt.
 */
import { basename } from 'node:path';
import { rowStates } from '../contract/row-state.ts';
import { fileAt } from '../disk/new-file.ts';
import type { Ledger, RunCounts, RunRecord } from '../ledger/ledger.ts';
import { dayOf, isSandbox } from '../ledger/run-records.ts';
import { headerText } from '../mapping/header-row.ts';
import type { Message } from '../messages/message.ts';
import { errorOf, messageOf } from '../messages/text.ts';
import { areResultHeaders, ownColumnsOf } from '../staging/own-columns.ts';
import { firstRowsOf, serviceInSummary } from '../staging/source/sheets-to-read.ts';
import { openSource } from '../tables/open-source.ts';
import type { SheetRow } from '../tables/row.ts';
import type { Source } from '../tables/source.ts';

export interface LoadAmongOthers extends Pick<RunRecord, 'service' | 'serviceUrl' | 'sourceDigest'> {
  readonly runs: readonly RunRecord[];
  /** The runs that a results sheet names, each with whether one of its rows is in. */
  readonly runsOfSheet: ReadonlyMap<string, boolean>;
  /** Where the results may go; without the source itself, and none with `--again`. */
  readonly resultsPlaces: readonly string[];
  readonly ledger: Pick<Ledger, 'counts' | 'runs'>;
}

/** @throws DealsheetError `usage` if results beside the file report rows of a run that this ledger does not know */
export async function otherLoadNotices(load: LoadAmongOthers): Promise<readonly Message[]> {
  if (isSandbox(load.service)) return [];
  await refuseResultsOfUnknownRun(load);
  return [...(await loadedElsewhere(load))];
}

/** For each other service, the newest load that has rows of the file. */
async function loadedElsewhere({ service, sourceDigest, runs, runsOfSheet, ledger }: LoadAmongOthers) {
  const notices = new Map<string, Message>();
  for (const run of runs) {
    if (run.service === service || notices.has(run.service)) continue;
    const isOfSheet = runsOfSheet.get(run.id) === true;
    if (isSandbox(run.service)) {
      if (isOfSheet) notices.set(run.service, messageOf('rows-of-rehearsal', { run: run.id }));
      continue;
    }
    if (!isOfSheet && !(run.sourceDigest === sourceDigest && areRowsIn(await ledger.counts(run.id)))) continue;
    const of = { other: run.service, day: dayOf(run.startedAt), run: run.id, service, isOfSheet };
    notices.set(run.service, messageOf('loaded-elsewhere', of));
  }
  return notices.values();
}

function areRowsIn(counts: RunCounts): boolean {
  return (Object.keys(counts) as (keyof RunCounts)[]).some((state) => state !== 'sending' && rowStates[state].isIn);
}

/** What is in another service is not in this one: trusted, its rows would never be sent. */
export async function refuseTrustElsewhere(
  { sheets }: Pick<Source, 'sheets'>,
  { service, serviceUrl }: Pick<RunRecord, 'service' | 'serviceUrl'>,
): Promise<void> {
  if (isSandbox(service)) return;
  for (const sheet of sheets) {
    const rows = await firstRowsOf(sheet, rowsToLookAt);
    const links = rows.map((row) => ownColumnsOf(row).earlier?.url ?? '');
    // A CSV file has no Summary. Its links lead to this computer, as only those of a sandbox do.
    const isOfSandbox = (link: string) => link.startsWith('http://127.0.0.1:') && serviceUrl.startsWith('https:');
    const named = serviceNamedIn(rows) ?? links.find(isOfSandbox) ?? service;
    if (named !== service) throw errorOf('trusted-elsewhere', { named, serviceUrl });
  }
}

/** The Summary has the address as it was typed, and the ledger without a slash at its end. */
function serviceNamedIn(rows: readonly SheetRow[]): string | null {
  return serviceInSummary(rows)?.replace(/\/+$/, '') ?? null;
}

/** How many rows of a sheet are searched for one that is in. */
const rowsToLookAt = 200;

/** The file was loaded with another ledger, or this ledger was restored from a backup. */
async function refuseResultsOfUnknownRun(load: LoadAmongOthers): Promise<void> {
  for (const path of load.resultsPlaces) {
    if (fileAt(path)?.isFile() !== true) continue;
    // A file that cannot be read proves nothing.
    const run = await unknownRunIn(path, load).catch(() => null);
    // A load that began meanwhile may have written them.
    if (run !== null && !(await load.ledger.runs()).some(({ id }) => id === run))
      throw errorOf('results-of-unknown-run', { name: basename(path), run, service: load.serviceUrl });
  }
}

async function unknownRunIn(path: string, { service, runs }: LoadAmongOthers): Promise<string | null> {
  const as = { name: basename(path), encoding: null, delimiter: null, verifiesLater: true };
  const source = await openSource(path, as);
  let unknown: string | null = null;
  try {
    for (const sheet of source.sheets) {
      const [first, ...rows] = await firstRowsOf(sheet, rowsToLookAt);
      if (first === undefined) continue;
      if ((serviceNamedIn([first, ...rows]) ?? service) !== service) return null;
      if (unknown !== null || !areResultHeaders(first.values.map(headerText))) continue;
      const [run] = rows.flatMap((row) => {
        const { earlier, saysSent } = ownColumnsOf(row);
        return earlier !== null && saysSent ? [earlier.run] : [];
      });
      if (run !== undefined && !runs.some(({ id }) => id === run)) unknown = run;
    }
  } finally {
    await source.close();
  }
  return unknown;
}
