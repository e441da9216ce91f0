/**
 * Finds the earlier values of changed fields, if a file of that load still has them: the original, or its results. Its one rule: a
 * value counts only if it has the digest of what was sent.
 */
import { basename } from 'node:path';
import { fileAt, namesOfResults } from '../disk/new-file.ts';
import { entriesOf, type Ledger, type RunRecord } from '../ledger/ledger.ts';
import { type ChangedRow, earlierCells, pathsOf, RowFields, type ValuesBefore } from '../plan/changed-fields.ts';
import { digestsFor } from '../plan/parents.ts';
import type { PlanLedger } from '../plan/row-digests.ts';
import type { ReadSource } from '../report/report.ts';
import { placeOf } from '../staging/own-columns.ts';
import { digestOf } from '../staging/source/source-copy.ts';
import { type ReadAgainOptions, readAgain } from './run-source.ts';

/** Limits that keep this search shorter than the load. */
const [mostRows, mostRuns, mostFiles, largestFile] = [1_000, 3, 6, 16_000_000];

/** The earlier values of the rows that are changed since they were loaded in the results of a run. */
export async function earlierValuesIn(ledger: Ledger, run: string, options: ReadAgainOptions): Promise<ValuesBefore> {
  return earlierValuesOf(await changedIn(ledger, run), ledger, options);
}

/** @param changed  the rows by their ids */
export async function earlierValuesOf(
  changed: ReadonlyMap<number, ChangedRow>,
  ledger: PlanLedger,
  options: ReadAgainOptions,
): Promise<ValuesBefore> {
  const found: Map<string, Map<string, string>> = new Map();
  if (changed.size === 0) return found;
  const sent = await ledger.lookupRows([...changed.keys()]);
  const sentBy = new Set([...sent.values()].map(({ at }) => at.run));
  for (const run of (await ledger.runs()).filter(({ id }) => sentBy.has(id)).slice(0, mostRuns)) {
    const wanted = new Map([...changed].filter(([id]) => sent.get(id)?.at.run === run.id));
    const lookInFile = async (path: string): Promise<void> => {
      const file = { sourcePath: path, sourceName: basename(path), sourceDigest: await digestOf(path) };
      const asRun = { ...run, ...file };
      await readAgain(asRun, ledger, options, (source) => lookIn(source, asRun, wanted, ledger, found));
    };
    // Its results may have been given a number since.
    const files = [run.sourcePath, run.resultsPath, ...namesOfResults(run.resultsPath)].slice(0, mostFiles);
    for (const path of files) {
      const file = fileAt(path);
      const isAllFound = [...wanted.values()].every(({ place }) => found.has(place));
      if (isAllFound || file?.isFile() !== true || file.size > largestFile) continue;
      // A file that cannot be read proves nothing. The rows are reported without its values.
      await lookInFile(path).catch(() => null);
    }
  }
  return found;
}

async function changedIn(ledger: Ledger, run: string): Promise<ReadonlyMap<number, ChangedRow>> {
  const wanted = new Map<number, ChangedRow>();
  const counts = await ledger.counts(run);
  if (counts['changed-since-loaded'] === undefined) return wanted;
  for await (const { id, state, sheet, row, message } of entriesOf(ledger, run)) {
    if (state !== 'changed-since-loaded' || wanted.size === mostRows) continue;
    wanted.set(id, { place: placeOf({ sheet, row }), paths: pathsOf(message) });
  }
  return wanted;
}

async function lookIn(
  { staged, staging }: ReadSource,
  run: RunRecord,
  wanted: ReadonlyMap<number, ChangedRow>,
  ledger: PlanLedger,
  found: Map<string, Map<string, string>>,
): Promise<void> {
  const { service, sourceDigest } = run;
  const around = { staging, ledger, service, refScope: 'service' as const, sourceDigest };
  for (const { number, sheet } of staged.sheets) {
    for await (const batch of staging.batches(number)) {
      const places = batch.map(({ own, row }) => own ?? { run: run.id, sheet: sheet.name, row });
      const stood = await ledger.lookupPlaces(places);
      if (!stood.some((one) => one !== null && wanted.has(one.row.id))) continue;
      const { forms } = await digestsFor(sheet.kind.name, batch, around);
      for (const [at, row] of batch.entries()) {
        const known = stood[at]?.row;
        const want = wanted.get(known?.id ?? 0);
        if (known === undefined || want === undefined) continue;
        const other = new RowFields(ledger, row, staging.data(row), forms).changedSince(known, want.paths);
        const source = staging.cellsOf(row);
        if (other === null) continue;
        const values = found.get(want.place) ?? new Map<string, string>();
        for (const path of want.paths)
          for (const { key, text } of earlierCells(sheet, source, path, other)) values.set(key, text);
        if (values.size > 0) found.set(want.place, values);
      }
    }
  }
}
