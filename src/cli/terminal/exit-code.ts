/** The exit code of a command that came to its end. Where several hold, the first of 130, 4, 5, 6, 3, 1 is given. */
import { rowStates } from '../../contract/row-state.ts';
import { exitCodeOf } from '../../errors.ts';
import type { SendingResult } from '../../load/sending.ts';

/** What a code says of a command; those of errors are named where the errors are. */
export const exitCodes = {
  allIn: 0,
  someNotIn: 1,
  usage: exitCodeOf.usage,
  failedChecks: 3,
  stopped: exitCodeOf['service-unusable'],
  inDoubt: 6,
  interrupted: exitCodeOf.interrupted,
} as const;

/** `heldBack`: rows failed the checks, and therefore nothing was sent. */
export function exitCodeOfRun(
  ending: Pick<SendingResult, 'counts' | 'stopReason' | 'interrupted' | 'heldBack'>,
): number {
  if (ending.interrupted) return exitCodes.interrupted;
  if (ending.stopReason !== null) return exitCodeOf[ending.stopReason.code];
  if (ending.counts.inDoubt > 0) return exitCodes.inDoubt;
  if (ending.heldBack) return exitCodes.failedChecks;
  const done = Object.values(rowStates).filter(({ isDone }) => isDone);
  const rowsDone = done.reduce((rows, { count }) => rows + ending.counts[count], 0);
  return rowsDone >= ending.counts.rows ? exitCodes.allIn : exitCodes.someNotIn;
}
