/** Reads the source of an earlier run again, as it was read then: its rows are judged as they were. */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import type { Ledger, RowPosition, RunRecord } from '../../ledger/ledger.ts';
import { type RecordedOptions, readRecordedOptions, recordedReading } from '../options/run-options.ts';
import { HeldRows } from '../rows/held-rows.ts';
import { placeOf } from '../rows/row-place.ts';
import { dataRows } from '../source/data-rows.ts';
import type { Snapshot } from '../source/snapshot.ts';
import { earlierRefsOf } from '../survey/earlier-refs.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import { type MaskMode, openCopy, surveySource } from '../survey/reading.ts';
import type { Survey } from '../survey/survey.ts';
import { findSource } from './kept-source.ts';

export interface ReadAgainOptions {
  readonly snapshotFolder: string;
  readonly contract: ContractSettings;
}

export interface ReadSource {
  readonly surveyed: Survey;
  readonly snapshot: Snapshot;
  /** What was chosen for the run. */
  readonly choices: RecordedOptions;
  readonly mask: MaskMode;
}

/**
 * @param use  what is done with it; the source is closed afterwards
 * @returns what that gave, or `null` when the source is gone or was changed
 */
export async function readAgain<Result>(
  run: RunRecord,
  ledger: Ledger,
  options: ReadAgainOptions,
  use: (source: ReadSource) => Promise<Result>,
): Promise<Result | null> {
  const snapshot = await findSource(options.snapshotFolder, run);
  if (snapshot === null) return null;
  const choices = readRecordedOptions(run.options);
  const recorded = recordedReading(choices);
  const places = { file: run.sourcePath, resultsPath: null, privatePaths: [], standardInput: process.stdin };
  const reading = { ...options, ...recorded, ...places };
  const source = await openCopy(snapshot, reading);
  try {
    const further = {
      earlierRefs: earlierRefsOf(ledger, run.service),
      // Nothing is sent here: a run that was forgotten since stops nothing.
      heldRows: new HeldRows(ledger, run.service, { trustResults: choices.trustResults, again: true }),
      service: run.service,
      keptRows: null,
      onProgress: () => {},
    };
    const surveyed = await surveySource(source, snapshot, reading, further);
    return await use({ surveyed, snapshot, choices, mask: recorded.mask });
  } finally {
    await source.close();
  }
}

/** @returns the rows that stand at these positions, by `SHEET!N`; `null` when the source is gone or was changed */
export function rowsReadAgain(
  run: RunRecord,
  ledger: Ledger,
  positions: readonly RowPosition[],
  options: ReadAgainOptions,
): Promise<ReadonlyMap<string, JudgedRow> | null> {
  return readAgain(run, ledger, options, async ({ surveyed }) => {
    const rows = new Map<string, JudgedRow>();
    for (const sheet of surveyed.sheets) {
      const wanted = new Set(positions.filter((position) => position.sheet === sheet.name).map(({ row }) => row));
      if (wanted.size === 0) continue;
      for await (const source of dataRows(sheet)) {
        if (!wanted.has(source.number)) continue;
        const row = sheet.judge(source);
        rows.set(placeOf(row), row);
      }
    }
    return rows;
  });
}
