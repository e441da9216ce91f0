/** Reads the source of an earlier run again, as it was read then. */
import type { ContractSettings } from '../contract/contract-settings.ts';
import { isDealsheetError } from '../errors.ts';
import type { Ledger, RunRecord } from '../ledger/ledger.ts';
import { readRecordedOptions, recordedReading } from '../plan/options.ts';
import { earlierRefsIn } from '../plan/parents.ts';
import { placeOf, type RowPosition } from '../staging/own-columns.ts';
import { type MaskMode, stageSource, withStaging } from '../staging/reading.ts';
import { correctionsAt } from '../staging/source/corrections.ts';
import type { Snapshot } from '../staging/source/snapshot.ts';
import type { Staged } from '../staging/stage.ts';
import type { JudgedRow } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { SourceGone, withSourceOf } from './kept-source.ts';

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
 * @throws SourceGone when the source, or what a person corrected in it, is gone or was changed
 */
export async function readAgain<Result>(
  run: RunRecord,
  ledger: Ledger,
  options: ReadAgainOptions,
  use: (source: ReadSource) => Promise<Result>,
): Promise<Result> {
  const { corrections, ...recorded } = readRecordedOptions(run.options);
  if (corrections !== null && correctionsAt(corrections) === null) throw new SourceGone(run);
  const places = { file: run.sourcePath, resultsPath: null, privatePaths: [], standardInput: process.stdin };
  const reading = { ...options, ...recordedReading({ ...recorded, corrections }), ...places };
  return withSourceOf(run, options.snapshotFolder, (snapshot) =>
    withStaging(snapshot, reading, async (source, staging) => {
      const earlierRefs = earlierRefsIn(ledger, run.service);
      const further = { earlierRefs, service: run.service, onProgress: () => {} };
      const staged = await stageSource(source, snapshot, staging, reading, further);
      return use({ staged, staging, snapshot, mask: reading.mask });
    }),
  );
}

/** The rows that stand at these positions, by `SHEET!N`; none where the source cannot be read: what a person says of them counts all the same. */
export async function rowsReadAgain(
  run: RunRecord,
  ledger: Ledger,
  positions: readonly RowPosition[],
  options: ReadAgainOptions,
): Promise<ReadonlyMap<string, JudgedRow>> {
  const rows = new Map<string, JudgedRow>();
  if (positions.length === 0) return rows;
  await readAgain(run, ledger, options, async ({ staged, staging }) => {
    for (const position of positions) {
      const of = staged.sheets.find(({ sheet }) => sheet.name === position.sheet);
      const row = of === undefined ? null : staging.at(of.number, position.row);
      if (row !== null) rows.set(placeOf(position), staging.judged(row));
    }
  }).catch((error) => {
    if (!isDealsheetError(error) || error.code === 'ledger-refused') throw error;
  });
  return rows;
}
