/** Reads the source of an earlier run again, as it was read then. */
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { Ledger, RunRecord } from '../ledger/ledger.ts';
import { earlierRefsIn } from '../plan/earlier-refs.ts';
import { readRecordedOptions, recordedReading } from '../plan/options.ts';
import { type MaskMode, stageSource, withStaging } from '../staging/reading.ts';
import { placeOf, type RowPosition } from '../staging/row-place.ts';
import { correctionsAt } from '../staging/source/corrections.ts';
import type { Snapshot } from '../staging/source/snapshot.ts';
import type { Staged } from '../staging/stage.ts';
import { type JudgedRow, rowOfData } from '../staging/staged-data.ts';
import type { Staging } from '../staging/staging.ts';
import { findSource } from './kept-source.ts';

export interface ReadAgainOptions {
  readonly snapshotFolder: string;
  readonly contract: ContractSettings;
}

export interface ReadSource {
  readonly staged: Staged;
  readonly staging: Staging;
  readonly snapshot: Snapshot;
  readonly mask: MaskMode;
}

/**
 * @param use  what is done with it; the source is closed afterwards
 * @returns what that gave, or `null` when the source, or what a person corrected in it, is gone or was changed
 */
export async function readAgain<Result>(
  run: RunRecord,
  ledger: Ledger,
  options: ReadAgainOptions,
  use: (source: ReadSource) => Promise<Result>,
): Promise<Result | null> {
  const snapshot = await findSource(options.snapshotFolder, run);
  if (snapshot === null) return null;
  const written = readRecordedOptions(run.options);
  if (written.corrections !== null && correctionsAt(written.corrections) === null) return null;
  const recorded = recordedReading(written);
  const places = { file: run.sourcePath, resultsPath: null, privatePaths: [], standardInput: process.stdin };
  const reading = { ...options, ...recorded, ...places };
  return withStaging(snapshot, reading, async (source, staging) => {
    const earlierRefs = earlierRefsIn(ledger, run.service);
    const further = { earlierRefs, service: run.service, onProgress: () => {} };
    const staged = await stageSource(source, snapshot, staging, reading, further);
    return use({ staged, staging, snapshot, mask: recorded.mask });
  });
}

/** @returns the rows that stand at these positions, by `SHEET!N`; `null` when the source is gone or was changed */
export function rowsReadAgain(
  run: RunRecord,
  ledger: Ledger,
  positions: readonly RowPosition[],
  options: ReadAgainOptions,
): Promise<ReadonlyMap<string, JudgedRow> | null> {
  return readAgain(run, ledger, options, async ({ staged, staging }) => {
    const rows = new Map<string, JudgedRow>();
    for (const position of positions) {
      const of = staged.sheets.find(({ sheet }) => sheet.name === position.sheet);
      const row = of === undefined ? null : staging.at(of.number, position.row);
      if (of !== undefined && row !== null)
        rows.set(placeOf(position), rowOfData(row.data, { kind: of.sheet.kind, ...position }));
    }
    return rows;
  });
}
