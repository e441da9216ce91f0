/** Results of a run that are not where they belong: what is said when they cannot be written, and whether they ever were. */
import { statSync } from 'node:fs';
import { DealsheetError, isDealsheetError, isForRoom, obstacleText } from '../errors.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import { commandText } from '../messages/commands.ts';

/**
 * @param path  where they were to go
 * @param run  `null` where nothing was sent (a check, a load that held all of it back): what is no fault of a disk stays as it is then
 */
export function unwritten(path: string, run: string | null, cause: unknown): unknown {
  const isOfFiles = !isDealsheetError(cause) && typeof (cause as NodeJS.ErrnoException | null)?.code === 'string';
  if (run === null && !isOfFiles) return cause;
  const why = isDealsheetError(cause) ? `: ${cause.message}` : `${obstacleText(cause)}.`;
  const safe = run === null ? 'Nothing was sent.' : 'What became of each row is safe in the ledger.';
  const [begin, then] =
    run === null ? ['Run', 'the same command again.'] : ['Write', `them again with: ${commandText('results', run)}`];
  const first = firstRemedy(cause, isOfFiles);
  return new DealsheetError(
    'output-failed',
    `The results could not be written to ${path}${why} ${safe}`,
    first === '' ? `${begin} ${then}` : `${first} Then ${begin.toLowerCase()} ${then}`,
    { cause },
  );
}

/** What is to be done first: what a file has no room for, it has none for the second time. */
function firstRemedy(cause: unknown, isOfFiles: boolean): string {
  if (isDealsheetError(cause)) return cause.code === 'output-failed' ? cause.remedy : '';
  if (isForRoom(cause)) return 'Make room.';
  return isOfFiles ? 'Look at that folder.' : '';
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
