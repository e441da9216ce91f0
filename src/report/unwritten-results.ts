/** Results of a run that are not where they belong: what is said when they cannot be written, and whether they ever were. */

import { statSync } from 'node:fs';
import { DealsheetError, isDealsheetError, isForRoom, obstacleText } from '../errors.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import { commandText } from '../messages/commands.ts';

export interface UnwrittenResults {
  readonly run: string;
  /** Where they were to go. */
  readonly path: string;
  /** The private copy from which the rows were read. */
  readonly copy: string;
}

/** What is said once the rows are sent, by what stood in the way. */
export function unwrittenResults({ run, path, copy }: UnwrittenResults, cause: unknown): DealsheetError {
  const { why, first } = obstacleOf(cause, copy);
  return new DealsheetError(
    'output-failed',
    `The results could not be written to ${path}${why} What became of each row is safe in the ledger.`,
    `${first === '' ? 'Write' : `${first} Then write`} them again with: ${commandText('results', run)}`,
    { cause },
  );
}

/**
 * What is said where nothing had been sent (a check, a load that held all of it back). What is no fault of a disk goes on as
 * it is.
 */
export function unwrittenUnsent({ path, copy }: Omit<UnwrittenResults, 'run'>, cause: unknown): unknown {
  if (!isFaultOfFiles(cause)) return cause;
  const { why, first } = obstacleOf(cause, copy);
  return new DealsheetError(
    'output-failed',
    `The results could not be written to ${path}${why} Nothing was sent.`,
    `${first === '' ? 'Run' : `${first} Then run`} the same command again.`,
    { cause },
  );
}

/** One of the disk or of a folder, and not of the program. */
export function isFaultOfFiles(cause: unknown): boolean {
  return !isDealsheetError(cause) && typeof (cause as NodeJS.ErrnoException | null)?.code === 'string';
}

/** Why, as the end of a sentence, and what is to be done first, if anything. */
function obstacleOf(cause: unknown, copy: string): { readonly why: string; readonly first: string } {
  // A copy that was changed is made anew from the source; what a file has no room for, it has none for the second time.
  if (isDealsheetError(cause))
    return { why: `: ${cause.message}`, first: cause.code === 'output-failed' ? cause.remedy : '' };
  const why = `${obstacleText(cause)}.`;
  if (isForRoom(cause)) return { why, first: 'Make room.' };
  const { code, path } = (cause ?? {}) as NodeJS.ErrnoException;
  if (path === copy && code === 'ENOENT')
    return { why: ': the private copy of the source was deleted by another program.', first: '' };
  return { why, first: code === undefined ? '' : 'Look at that folder.' };
}

/** A file system may keep the even seconds of a time alone. */
const coarsestTimeMs = 2000;

/** An older file in their place is that of an earlier run. What cannot be looked at is taken to be there. */
export function areResultsThere({ resultsPath, endedAt }: Pick<RunRecord, 'resultsPath' | 'endedAt'>): boolean {
  try {
    const found = statSync(resultsPath, { throwIfNoEntry: false });
    if (found === undefined) return false;
    return endedAt === null || found.mtimeMs >= Date.parse(endedAt) - coarsestTimeMs;
  } catch {
    return true;
  }
}
