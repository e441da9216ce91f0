/** What the Summary of a results workbook says of a run. */
import type { RunRecord } from '../../ledger/ledger.ts';
import { minuteOf } from '../../ledger/moments.ts';
import type { OutputCell } from '../../sheets/sheet-writer.ts';
import { serviceFact } from '../../workbooks/results-summary.ts';

export function runFacts(run: RunRecord): readonly (readonly [string, OutputCell])[] {
  return [
    ['Run', run.id],
    [serviceFact, run.serviceUrl],
    ['File', run.sourcePath],
    ['Began', `${minuteOf(run.startedAt)} UTC`],
    ['Ended', run.endedAt === null ? 'not yet' : `${minuteOf(run.endedAt)} UTC`],
  ];
}

/** The same when nothing was sent. */
export function nothingSentFacts(serviceUrl: string, sourcePath: string): readonly (readonly [string, OutputCell])[] {
  return [
    ['Run', 'none: nothing was sent'],
    [serviceFact, serviceUrl],
    ['File', sourcePath],
  ];
}
