/** What the Summary of a results workbook says of a run. */
import type { RunRecord } from '../ledger/ledger.ts';
import type { OutputCell } from '../sheets/sheet-writer.ts';

/** What the Summary says of a run. */
export function runFacts(run: RunRecord): readonly (readonly [string, OutputCell])[] {
  return [
    ['Run', run.id],
    ['Service', run.serviceUrl],
    ['File', run.sourcePath],
    ['Began', minuteOf(run.startedAt)],
    ['Ended', run.endedAt === null ? 'not yet' : minuteOf(run.endedAt)],
  ];
}

/** `2026-11-21T22:46:46.409Z` to `2026-11-21 22:46 UTC` */
function minuteOf(moment: string): string {
  return `${moment.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ')} UTC`;
}

/** The same when nothing was sent. */
export function nothingSentFacts(serviceUrl: string, sourcePath: string): readonly (readonly [string, OutputCell])[] {
  return [
    ['Run', 'none: nothing was sent'],
    ['Service', serviceUrl],
    ['File', sourcePath],
  ];
}
