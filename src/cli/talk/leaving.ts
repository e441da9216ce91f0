/** What a load says on the way out when a person leaves it at once. Its one rule: it waits for nothing, and never fails. */

import type { Ledger } from '../../ledger/ledger.ts';
import { commandText } from '../../messages/commands.ts';
import { rows } from '../terminal/figures.ts';
import type { Failure } from './json-answer.ts';

/** @param run  the run that is under way, or `null` before the first row */
export function leftLoad(ledger: Pick<Ledger, 'countsOf'>, run: string | null): Failure {
  if (run === null) {
    const remedy = 'Run the same command again.';
    return { code: 'interrupted', message: 'Left at once. Nothing was sent.', remedy };
  }
  return {
    code: 'interrupted',
    message: `Left at once: the run ${run}. ${underWay(ledger, run)} The results sheet, where there is one, is older than that.`,
    remedy: `Go on with: ${commandText('resume', run)}`,
  };
}

/** What has left and has no answer in the ledger: a resume finds just these in doubt. */
function underWay(ledger: Pick<Ledger, 'countsOf'>, run: string): string {
  const count = rowsUnderWay(ledger, run);
  if (count === null) return 'What was on its way may be in or not.';
  if (count === 0) return 'No row was on its way.';
  const were = count === 1 ? 'was on its way and' : 'were on their way and';
  return `${rows(count)} ${were} may be in or not: ${count === 1 ? 'it is' : 'they are'} in doubt.`;
}

function rowsUnderWay(ledger: Pick<Ledger, 'countsOf'>, run: string): number | null {
  try {
    return ledger.countsOf(run).sending ?? 0;
  } catch {
    return null;
  }
}
