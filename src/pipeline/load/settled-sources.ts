/**
 * Takes away the kept copies of sources once every row of their runs is settled, by whatever run or answer that came.
 * Its one rule: a copy that a resume could still need stays.
 */
import { readdir } from 'node:fs/promises';
import { isIn, isOpen, isUnknown, openStates } from '../../ledger/entry-state.ts';
import type { EntryCounts, EntryState, Ledger, RunRecord } from '../../ledger/ledger.ts';
import { recordedOptionsOf } from '../options/run-options.ts';
import { removeLeftCopies } from '../source/locked-copy.ts';
import { forgetSource, runsOfKeptSources } from './kept-source.ts';

/**
 * Tidies a folder that belongs to one ledger alone: nothing stays of processes that are gone, of runs that the ledger has
 * forgotten, and of runs that are settled. What a failing disk does not give away stays for the next time.
 */
export async function tidySources(folder: string, ledger: Ledger): Promise<void> {
  await removeLeftCopies(folder);
  const kept = await keptIn(folder);
  if (kept.length === 0) return;
  const known = new Set(ledger.runs().map(({ id }) => id));
  for (const run of kept) if (!known.has(run)) await forgetSource(folder, run).catch(() => {});
  await forgetSettledSources(folder, ledger);
}

/** Takes away the copies of the ledger's own settled runs; a folder may hold those of other ledgers too. */
export async function forgetSettledSources(folder: string, ledger: Ledger): Promise<void> {
  const kept = new Set(await keptIn(folder));
  if (kept.size === 0) return;
  const runs = ledger.runs();
  for (const run of runs) {
    if (kept.has(run.id) && isSettled(ledger, loadsOf(run, runs, ledger)))
      await forgetSource(folder, run.id).catch(() => {});
  }
}

async function keptIn(folder: string): Promise<readonly string[]> {
  return runsOfKeptSources(await readdir(folder).catch(() => []));
}

interface CountedRun extends RunRecord {
  readonly counts: EntryCounts;
}

/** All loads of the same rows into the same service: what one of them leaves open another may have brought in. */
function loadsOf(run: RunRecord, runs: readonly RunRecord[], ledger: Ledger): readonly CountedRun[] {
  const rows = rowsRead(run);
  const loads = runs.filter(
    (other) =>
      other.id === run.id ||
      (other.service === run.service && other.sourceDigest === run.sourceDigest && rowsRead(other) === rows),
  );
  return loads.map((load) => ({ ...load, counts: ledger.countsOf(load.id) }));
}

/** Which rows a run reads, as a text to compare; `null` when that was recorded in a way that cannot be read any more. */
function rowsRead(run: RunRecord): string | null {
  const recorded = recordedOptionsOf(run);
  if (recorded === null) return null;
  const { kind, sheet, ignoredSheets } = recorded;
  return JSON.stringify({ kind, sheet, ignoredSheets });
}

function isSettled(ledger: Ledger, loads: readonly CountedRun[]): boolean {
  const isUnderWay = loads.some(({ state, counts }) => state === 'running' || hasUnknown(counts));
  return !isUnderWay && loads.some(cameToTheLastRow) && loads.every((load) => leavesNothingOpen(ledger, load, loads));
}

function hasUnknown(counts: EntryCounts): boolean {
  return (Object.keys(counts) as EntryState[]).some(isUnknown);
}

/** Rows without an entry failed the checks then; in a load that stopped, or of the first rows alone, they may be open. */
function cameToTheLastRow(run: RunRecord): boolean {
  return run.state === 'ended' && recordedOptionsOf(run)?.limit === null;
}

function leavesNothingOpen(ledger: Ledger, load: CountedRun, loads: readonly RunRecord[]): boolean {
  for (const state of openStates) {
    if ((load.counts[state] ?? 0) === 0) continue;
    for (const { sheet, row, kind, fingerprint } of ledger.entriesInState(load.id, state)) {
      const isSettledElsewhere = loads.some(({ id }) => {
        const entry = ledger.entry(id, { sheet, row });
        return entry !== null && entry.kind === kind && !isOpen(entry.state);
      });
      const wentOn = ledger.latest({ run: load.id, sheet, row });
      const isSettledLater = wentOn.run !== load.id && isRecordIn(ledger.entry(wentOn.run, wentOn));
      const isInByItself = isRecordIn(ledger.liveEntry(load.service, fingerprint));
      if (!isSettledElsewhere && !isSettledLater && !isInByItself) return false;
    }
  }
  return true;
}

function isRecordIn(entry: { readonly state: EntryState } | null): boolean {
  return entry !== null && isIn(entry.state);
}
