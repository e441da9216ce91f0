/** The steps of `results`: writes the results of a run again, from its source and the ledger, or from the ledger alone. */

import { ownerOnly } from '../disk/new-file.ts';
import { entriesOf, type Ledger, type RunRecord } from '../ledger/ledger.ts';
import { errorOf, messageOf, textOf } from '../messages/text.ts';
import { report } from '../report/report.ts';
import { resultByEntry } from '../report/reported-rows.ts';
import {
  areResultsThere,
  openResults,
  ownPlace,
  type ResultsFile,
  sizesOf,
  unwritten,
} from '../report/results-file.ts';
import type { ResultsOf } from '../report/results-place.ts';
import { keyOf } from '../staging/own-columns.ts';
import { type ResultRow, writeResults } from '../workbooks/results.ts';
import { isSourceGone, type ReadAgainOptions, readAgain } from './run-source.ts';
import { earlierValuesIn } from './values-before.ts';

export interface RewriteOptions extends ReadAgainOptions {
  /** Where the results go; `null` for the run's own path. */
  readonly resultsPath: string | null;
}

export interface RewrittenResults {
  readonly path: string;
  readonly withSource: boolean;
  readonly besides: ResultsFile['besides'];
}

export async function rewriteResults(
  run: RunRecord,
  ledger: Ledger,
  options: RewriteOptions,
): Promise<RewrittenResults> {
  refuseRunning(run);
  const wanted = options.resultsPath ?? (await ownPlace(run, ledger)).path;
  const stands = areResultsThere({ resultsPath: wanted ?? run.resultsPath, endedAt: run.endedAt });
  const of = { service: run.service, areNewest: !stands };
  return readAgain(run, ledger, options, async (source) => {
    const { sheets, notices } = source.staged;
    const results = await openResults(wanted, source.copy, sizesOf(sheets, source.staging), of);
    const before = await earlierValuesIn(ledger, run.id, options);
    await report(source, results, { run: { ledger, record: run }, valuesBefore: before, notices: notices.map(textOf) });
    return { path: results.path, withSource: true, besides: results.besides };
  }).catch((error) => {
    if (isSourceGone(error)) return writeLedgerAlone(run, ledger, { wanted, of, folder: options.sourcesFolder });
    throw error;
  });
}

/**
 * A row on its way would be told as in doubt, and what a person types about it would count for the doubt that it may become.
 *
 * @throws DealsheetError `usage` while the load of the run is running
 */
export function refuseRunning({ id, state, person, host }: RunRecord): void {
  if (state === 'running') throw errorOf('run-still-running', { run: id, person, host });
}

async function writeLedgerAlone(
  run: RunRecord,
  ledger: Ledger,
  { wanted, of, folder }: { readonly wanted: string | null; readonly of: ResultsOf; readonly folder: string },
): Promise<RewrittenResults> {
  const { sourcePath, sourceName } = run;
  const missing = { sourceFolder: '', sourceMode: ownerOnly, stamp: null, path: '', digest: '' };
  const results = await openResults(wanted, { ...missing, sourcePath, sourceName, folder }, [], of);
  const sheet = { name: 'Rows', headers: [], mostCells: 0, widths: [], rows: rowsOf(run, ledger, results) };
  await writeResults(results.writer, [sheet], null).catch((cause) => {
    throw unwritten(results.path, run.id, cause);
  });
  return { path: results.path, withSource: false, besides: results.besides };
}

async function* rowsOf({ id: run }: RunRecord, ledger: Ledger, { note }: ResultsFile): AsyncGenerator<ResultRow> {
  for await (const entry of entriesOf(ledger, run)) {
    const result = resultByEntry(entry);
    const { state, message } = result;
    const said = message ?? (state === 'invalid' ? messageOf('fault-not-known') : null);
    const problems = said === null ? [] : [textOf(said)];
    const key = keyOf({ ...entry, run }, state === 'in-doubt');
    note(state);
    yield { ...result, problems, key, cells: [], marks: [] };
  }
}
