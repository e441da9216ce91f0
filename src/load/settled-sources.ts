/**
 * Takes away the kept copies of sources once every row of their runs is settled, by whatever run or answer that came.
 * Its one rule: a copy that a resume could still need stays.
 */
import { readdir } from 'node:fs/promises';
import type { Ledger, RunCounts, RunRecord } from '../ledger/ledger.ts';
import { removeLeftCopies } from '../staging/source/locked-copy.ts';
import { forgetSource, runsOfKeptSources } from './kept-source.ts';

/**
 * Tidies a folder that belongs to one ledger alone: nothing stays of processes that are gone, of runs that the ledger has
 * forgotten, and of runs that are settled. What a failing disk does not give away stays for the next time.
 */
export async function tidySources(folder: string, ledger: Ledger): Promise<void> {
  await removeLeftCopies(folder);
  const kept = await keptIn(folder);
  if (kept.length === 0) return;
  const known = new Set((await ledger.runs()).map(({ id }) => id));
  for (const run of kept) if (!known.has(run)) await forgetSource(folder, run).catch(() => {});
  await forgetSettledSources(folder, ledger);
}

/** Takes away the copies of the ledger's own settled runs; a folder may hold those of other ledgers too. */
export async function forgetSettledSources(folder: string, ledger: Ledger): Promise<void> {
  const kept = new Set(await keptIn(folder));
  if (kept.size === 0) return;
  for (const run of await ledger.runs()) {
    if (kept.has(run.id) && (await isSettled(ledger, run))) await forgetSource(folder, run.id).catch(() => {});
  }
}

async function keptIn(folder: string): Promise<readonly string[]> {
  return runsOfKeptSources(await readdir(folder).catch(() => []));
}

/** The states of rows for which the source may be wanted once more, by a resume or for their results. */
const open: readonly (keyof RunCounts)[] = ['sending', 'in-doubt', 'failed', 'not-sent', 'waiting', 'ready'];

async function isSettled(ledger: Ledger, { id, state }: RunRecord): Promise<boolean> {
  if (state === 'running') return false;
  const counts = await ledger.counts(id);
  // A load that was killed as it began has entered no row yet.
  const hasRows = Object.keys(counts).length > 0;
  return hasRows && open.every((one) => counts[one] === undefined);
}
