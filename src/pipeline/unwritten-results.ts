/** Whether the results of a run are where they belong: its process may have been killed while they were written. */
import { statSync } from 'node:fs';
import type { RunRecord } from '../ledger/ledger.ts';

/** A file system may keep the even seconds of a time alone. */
const coarsestTimeMs = 2000;

/** An older file in their place is that of an earlier run. What cannot be looked at is taken to be there. */
export function areResultsThere({ resultsPath, endedAt }: RunRecord): boolean {
  try {
    const found = statSync(resultsPath, { throwIfNoEntry: false });
    if (found === undefined) return false;
    return endedAt === null || found.mtimeMs >= Date.parse(endedAt) - coarsestTimeMs;
  } catch {
    return true;
  }
}
