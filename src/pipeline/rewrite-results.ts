/** The story of `results`: the results of a run again, from its source and the ledger; from the ledger alone if need be. */

import { ownerOnly } from '../file-modes.ts';
import { rowStateOf } from '../ledger/entry-state.ts';
import type { Entry, Ledger, RunRecord } from '../ledger/ledger.ts';
import { textOf } from '../messages/text.ts';
import { type ResultRow, writeResults } from '../workbooks/results.ts';
import { summaryTitles } from '../workbooks/results-summary.ts';
import { earlierLoadOf } from './decisions/earlier-loads.ts';
import { earlierRunsOf, inPlace } from './decisions/earlier-runs.ts';
import { refsInUseOf } from './foresight/refs-in-use.ts';
import { type ReadAgainOptions, readAgain } from './load/read-again.ts';
import { report } from './report/report.ts';
import { stateOfEarlier, withOtherLoads } from './report/reported-rows.ts';
import { knownOf } from './report/result-row.ts';
import { openResults, type ResultsFile } from './report/results-file.ts';
import { leftBy, runFacts } from './report/run-facts.ts';
import { isFaultOfFiles, type UnwrittenResults, unwrittenResults } from './report/unwritten-results.ts';
import { keyOf } from './rows/row-place.ts';
import type { Snapshot } from './source/snapshot.ts';

export interface RewriteOptions extends ReadAgainOptions {
  /** Where the results go, or `null` for the place of the run's own. */
  readonly resultsPath: string | null;
}

export interface RewrittenResults {
  readonly path: string;
  /** Whether the person's own columns are in it. */
  readonly withSource: boolean;
  /** See {@link ResultsFile.besides}. */
  readonly besides: ResultsFile['besides'];
}

export async function rewriteResults(
  run: RunRecord,
  ledger: Ledger,
  options: RewriteOptions,
): Promise<RewrittenResults> {
  const resultsPath = options.resultsPath ?? run.resultsPath;
  const written = await readAgain(run, ledger, options, async ({ surveyed, snapshot, choices, mask }) => {
    const runsOfSource = choices.again ? [] : earlierRunsOf(ledger, run.service, snapshot, surveyed);
    const results = await openResults(resultsPath, snapshot, surveyed.matched.sheets.length, run.service);
    await report(surveyed, results.writer, {
      run: run.id,
      entriesOf: (sheet) => ledger.entriesOf(run.id, sheet),
      cameFrom: (position) => earlierLoadOf(ledger, runsOfSource, position),
      refsInUse: refsInUseOf(ledger, run),
      left: leftBy(run),
      mask,
      withSummary: results.withSummary,
      title: summaryTitles.load,
      facts: runFacts(run),
    }).catch((cause) => {
      throw unwrittenAgain({ run: run.id, path: results.path, copy: snapshot.path }, cause);
    });
    return { path: results.path, withSource: true, besides: results.besides };
  });
  return written ?? writeLedgerAlone(run, ledger, resultsPath, options);
}

function unwrittenAgain(place: UnwrittenResults, cause: unknown): unknown {
  return isFaultOfFiles(cause) ? unwrittenResults(place, cause) : cause;
}

const missingSource: Omit<Snapshot, 'sourcePath' | 'sourceName' | 'folder'> = {
  sourceFolder: '',
  sourceMode: ownerOnly,
  path: '',
  digest: '',
};

async function writeLedgerAlone(
  run: RunRecord,
  ledger: Ledger,
  resultsPath: string,
  { snapshotFolder: folder }: Pick<RewriteOptions, 'snapshotFolder'>,
): Promise<RewrittenResults> {
  const snapshot = { ...missingSource, sourcePath: run.sourcePath, sourceName: run.sourceName, folder };
  const results = await openResults(resultsPath, snapshot, 1, run.service);
  const rows = async function* () {
    for (const entry of ledger.entriesOfRun(run.id)) yield resultRow(entry, ledger, run);
  };
  await writeResults(
    results.writer,
    [{ name: 'Rows', headers: [], mostCells: 0, widths: [], rows: rows() }],
    null,
  ).catch((cause) => {
    throw unwrittenAgain({ run: run.id, path: results.path, copy: snapshot.path }, cause);
  });
  return { path: results.path, withSource: false, besides: results.besides };
}

function resultRow(own: Entry, ledger: Ledger, run: RunRecord): ResultRow {
  const { entry, earlier } = withOtherLoads(own, () => earlierLoadOf(ledger, [{ ...run, ...inPlace }], own));
  const { id, companyId, url, message } = knownOf({ entry, standing: null, earlier });
  return {
    state: stateOfEarlier(earlier) ?? rowStateOf(own.state),
    id,
    companyId,
    url,
    problems: message === null ? [] : [textOf(message)],
    key: keyOf(entry ?? earlier?.row ?? own),
    cells: [],
    marks: [],
  };
}
