/** The file that a person corrects after a rehearsal: results of one that are rehearsed again are none, for what they hide is lost in them. */
import type { RunRecord } from '../ledger/ledger.ts';
import { isSandbox } from '../ledger/sandbox-identity.ts';
import { plainName } from '../sheets/free-name.ts';

/**
 * @param runs  the newest first: each step leads to an earlier run
 * @returns the source that results of rehearsals came from, or the path itself
 */
export function originalSource(runs: readonly RunRecord[], path: string): string {
  let source = path;
  for (const run of runs) {
    // Older results have a number since.
    if (plainName(run.resultsPath) !== plainName(source)) continue;
    if (!isSandbox(run.service)) break;
    source = run.sourcePath;
  }
  return source;
}
