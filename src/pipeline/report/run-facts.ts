/** What the Summary of a results workbook says of a run. */
import type { RunRecord } from '../../ledger/ledger.ts';
import { minuteOf } from '../../ledger/moments.ts';
import type { OutputCell } from '../../sheets/sheet-writer.ts';
import { serviceFact } from '../../workbooks/results-summary.ts';
import type { WholeText } from '../rows/shell-word.ts';

export function runFacts(run: RunRecord, whole: WholeText): readonly (readonly [string, OutputCell])[] {
  return [
    ['Run', run.id],
    [serviceFact, run.serviceUrl],
    ['File', run.sourcePath],
    ['Began', `${minuteOf(run.startedAt)} UTC`],
    ['Ended', run.endedAt === null ? 'not yet' : `${minuteOf(run.endedAt)} UTC`],
    ...(run.state === 'stopped' ? [stopped(run, whole)] : []),
  ];
}

/** Whoever opens the workbook may have seen nothing of the load. */
function stopped({ id }: RunRecord, whole: WholeText): readonly [string, OutputCell] {
  return ['Stopped', whole(`before its end. Go on with: dealsheet resume ${id}`)];
}

/** The same when nothing was sent. */
export function nothingSentFacts(serviceUrl: string, sourcePath: string): readonly (readonly [string, OutputCell])[] {
  return [
    ['Run', 'none: nothing was sent'],
    [serviceFact, serviceUrl],
    ['File', sourcePath],
  ];
}
