/** The file that a person corrects after a rehearsal: results of one that are rehearsed again are none, for what they hide is lost in them. */
import type { Ledger } from '../../ledger/ledger.ts';
import { isSandbox } from './sandbox-identity.ts';

/** @returns the source that results of rehearsals came from, or the path itself */
export function originalSource(ledger: Pick<Ledger, 'runs'>, path: string): string {
  let source = path;
  for (const run of ledger.runs()) {
    // The newest comes first: each step leads to an earlier run.
    if (isSandbox(run.service) && run.resultsPath === source) source = run.sourcePath;
  }
  return source;
}
