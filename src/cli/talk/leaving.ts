/** What a load says on the way out when a person leaves it at once. Its one rule: it hardly waits, and never fails. */

import type { Ledger } from '../../ledger/ledger.ts';
import { commandText } from '../../messages/commands.ts';
import { rows } from '../terminal/figures.ts';
import type { Failure } from './json-answer.ts';

/** A ledger that does not answer at once is not waited for. */
const longestMs = 1000;

/** @param run  the run that is under way, or `null` before the first row */
export async function leftLoad(ledger: Pick<Ledger, 'counts'>, run: string | null): Promise<Failure> {
  if (run === null) {
    const remedy = 'Run the same command again.';
    return { code: 'interrupted', message: 'Left at once. Nothing was sent.', remedy };
  }
  return {
    code: 'interrupted',
    message: `Left at once: the run ${run}. ${underWayText(await rowsUnderWay(ledger, run))} The results sheet, where there is one, is older than that.`,
    remedy: `Go on with: ${commandText('resume', run)}`,
  };
}

/** What has left and has no answer in the ledger: a resume finds just these in doubt. */
function underWayText(count: number | null): string {
  if (count === null) return 'What was on its way may be in or not.';
  if (count === 0) return 'No row was on its way.';
  const were = count === 1 ? 'was on its way and' : 'were on their way and';
  return `${rows(count)} ${were} may be in or not: ${count === 1 ? 'it is' : 'they are'} in doubt.`;
}

async function rowsUnderWay(ledger: Pick<Ledger, 'counts'>, run: string): Promise<number | null> {
  const counted = ledger.counts(run).then(
    ({ sending = 0 }) => sending,
    () => null,
  );
  const tooLate = new Promise<null>((resolve) => setTimeout(resolve, longestMs, null));
  return Promise.race([counted, tooLate]);
}
