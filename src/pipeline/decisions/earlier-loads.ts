/** What earlier loads of a source know of its rows. */
import { isIn, isKnownIn, isUnknown } from '../../ledger/entry-state.ts';
import type { Entry, Ledger, RowPosition, RunRow } from '../../ledger/ledger.ts';
import type { EarlierRun } from './earlier-runs.ts';

/** A row of the source in an earlier load. */
export interface EarlierLoad {
  readonly row: RunRow;
  /** The entry by which it is in, or may be; else `null`. */
  readonly standing: Entry | null;
}

/**
 * Where a row of a source went on: by the newest of its runs that came to the row, or as the oldest knows it.
 * @param runs  those of the source, the newest first
 */
export function rowOfSource(ledger: Ledger, runs: readonly EarlierRun[], position: RowPosition): RunRow | null {
  for (const { id, positionThen } of runs) {
    const latest = ledger.latest({ ...positionThen(position), run: id });
    if (latest.run !== id || ledger.entry(id, latest) !== null) return latest;
  }
  const oldest = runs.at(-1);
  return oldest === undefined ? null : { ...oldest.positionThen(position), run: oldest.id };
}

/** @param runs  those of the source, the newest first */
export function earlierLoadOf(ledger: Ledger, runs: readonly EarlierRun[], position: RowPosition): EarlierLoad | null {
  const row = rowOfSource(ledger, runs, position);
  if (row === null) return null;
  const entry = ledger.entry(row.run, row);
  if (entry === null || !(isIn(entry.state) || isUnknown(entry.state))) return { row, standing: null };
  const stoodForAnother =
    isKnownIn(entry.state) &&
    runs.every(({ id, positionThen }) => id !== row.run && !ledger.wasTaken({ ...positionThen(position), run: id }));
  return { row, standing: stoodForAnother ? null : entry };
}
