/** What the Summary of a results workbook says of a run. */

import type { RunRecord } from '../ledger/ledger.ts';
import { minuteOf } from '../ledger/moments.ts';
import { isSandbox } from '../ledger/sandbox-identity.ts';
import { commandText } from '../messages/commands.ts';
import type { OutputCell } from '../sheets/sheet-writer.ts';
import { serviceFact } from '../workbooks/results-summary.ts';

export function runFacts(run: RunRecord): readonly (readonly [string, OutputCell])[] {
  return [
    ['Run', run.id],
    [serviceFact, run.serviceUrl],
    ...(isSandbox(run.service) ? [rehearsed] : []),
    ['File', run.sourcePath],
    ['Began', `${minuteOf(run.startedAt)} UTC`],
    ['Ended', run.endedAt === null ? 'not yet' : `${minuteOf(run.endedAt)} UTC`],
    ...(run.state === 'stopped' ? [stopped(run)] : []),
  ];
}

const rehearsed: readonly [string, OutputCell] = [
  'Rehearsal',
  'The rows went into the sandbox on this computer. Nothing was sent to a real service.',
];

/** Whoever opens the workbook may have seen nothing of the load. */
function stopped({ id }: RunRecord): readonly [string, OutputCell] {
  return ['Stopped', `before its end. Continue with: ${commandText('resume', id)}`];
}

/** The same when nothing was sent. */
export function nothingSentFacts(serviceUrl: string, sourcePath: string): readonly (readonly [string, OutputCell])[] {
  return [
    ['Run', 'none: nothing was sent'],
    [serviceFact, serviceUrl],
    ['File', sourcePath],
  ];
}
