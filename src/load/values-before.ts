/**
 * What changed fields said when their rows went in, where a file of the earlier load still has it: the original, or its results.
 * Its one rule: a cell is believed only where it has the digest of what went out.
 */
import { basename } from 'node:path';
import { fileAt } from '../disk/same-file.ts';
import type { Ledger, LogicalRow, RunRecord } from '../ledger/ledger.ts';
import type { ValuesBefore } from '../plan/changed-cells.ts';
import { cellOf } from '../plan/changed-cells.ts';
import { changedFields } from '../plan/changed-fields.ts';
import { decisionOf } from '../plan/decision.ts';
import { formsOf, parentsOf } from '../plan/parents.ts';
import { digestOf } from '../staging/source/snapshot.ts';
import type { Staging } from '../staging/staging.ts';
import { type ReadAgainOptions, type ReadSource, readAgain } from './read-again.ts';

/** A look at more would take longer than the load. */
const [mostRows, mostRuns, largestFile] = [1_000, 3, 16_000_000];
const rowsOfBatch = 64;

interface Wanted {
  /** Its number in the staging of the load. */
  readonly number: number;
  readonly paths: readonly string[];
}

export async function valuesBefore(staging: Staging, ledger: Ledger, options: ReadAgainOptions): Promise<ValuesBefore> {
  const found: Map<number, Map<string, string>> = new Map();
  for (const [id, wanted] of await changedByRun(staging)) {
    const run = await ledger.run(id);
    if (run === null) continue;
    const lookInFile = async (path: string): Promise<void> => {
      const file = { sourcePath: path, sourceName: basename(path), sourceDigest: await digestOf(path) };
      const asRun = { ...run, ...file };
      await readAgain(asRun, ledger, options, (source) => lookIn(source, asRun, wanted, ledger, found));
    };
    for (const path of [run.sourcePath, run.resultsPath]) {
      const file = fileAt(path);
      if (file?.isFile() !== true || file.size > largestFile) continue;
      // What cannot be read tells nothing: the rows are told without it.
      await lookInFile(path).catch(() => null);
    }
  }
  return found;
}

/** The rows that have changed, by the runs in which they went in and by their ids. */
async function changedByRun(staging: Staging): Promise<ReadonlyMap<string, ReadonlyMap<number, Wanted>>> {
  const runs = new Map<string, Map<number, Wanted>>();
  let rows = 0;
  for (const { number } of staging.sheets) {
    const changed = "r.decision ->> '$.why' = 'changed-since-loaded'";
    for await (const batch of staging.lightBatches(number, rowsOfBatch, changed)) {
      for (const row of batch) {
        const decision = decisionOf(row);
        if (decision === null || !('changed' in decision) || decision.other === null) continue;
        const { at, id } = decision.other;
        const ofRun = runs.get(at.run) ?? new Map<number, Wanted>();
        if (rows === mostRows || (runs.size === mostRuns && !runs.has(at.run))) continue;
        rows += 1;
        runs.set(at.run, ofRun.set(id, { number: row.number, paths: decision.changed ?? [] }));
      }
    }
  }
  return runs;
}

async function lookIn(
  { staged, staging }: ReadSource,
  run: RunRecord,
  wanted: ReadonlyMap<number, Wanted>,
  ledger: Ledger,
  found: Map<number, Map<string, string>>,
): Promise<void> {
  const { service, sourceDigest } = run;
  const around = { staging, ledger, service, refScope: 'service' as const, sourceDigest };
  for (const { number, sheet } of staged.sheets) {
    for await (const batch of staging.lightBatches(number, rowsOfBatch)) {
      const places = batch.map(({ own, row }) => own ?? { run: run.id, sheet: sheet.name, row });
      const stood = await ledger.lookupPlaces(places);
      const rows = batch.flatMap((row, at) => {
        const known: LogicalRow | undefined = stood[at]?.row;
        const want = known === undefined ? undefined : wanted.get(known.id);
        return known === undefined || want === undefined ? [] : [{ row, known, want }];
      });
      if (rows.length === 0) continue;
      const earlier = rows.map(({ row }) => row);
      const forms = formsOf(await parentsOf(earlier, around), around);
      const cells = staging.cellsOfRows(earlier);
      for (const [at, { row, known, want }] of rows.entries()) {
        const other = changedFields(ledger, known, row, forms, () => want.paths);
        const source = cells[at];
        if (other === null || source === undefined) continue;
        const values = found.get(want.number) ?? new Map<string, string>();
        for (const path of want.paths) {
          const { text, isSensitive } = cellOf(sheet, source, path);
          // A part of a list may have had another place then.
          if (!path.includes('[') && !other.includes(path) && !isSensitive) values.set(path, text);
        }
        found.set(want.number, values);
      }
    }
  }
}
