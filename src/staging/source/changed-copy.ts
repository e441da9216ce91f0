/** What is said when a private file of ours does not hold what was written into it: nothing goes out from it any more. */

import { DealsheetError } from '../../errors.ts';
import { commandText } from '../../messages/commands.ts';

/** @param what  the file in words, as the beginning of a sentence */
export function changedCopy(what: string, cause?: unknown): DealsheetError {
  return new DealsheetError(
    'copy-changed',
    `${what} was changed by another program while it was in use.`,
    `What became of each row is safe in the ledger. If no row was being sent yet, run the command again; else go on with: ${commandText('resume')}`,
    { cause },
  );
}
