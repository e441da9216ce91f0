/** Off a terminal nothing prompts: what would be asked stops the command, unless it was answered on the command line. */
import { DealsheetError } from '../../errors.ts';
import type { Terminal } from './terminal.ts';

/** @throws DealsheetError `usage` when a question would have to be asked, and nobody could answer it */
export function needConfirmation(flags: { readonly yes: boolean }, terminal: Terminal): void {
  if (flags.yes || terminal.isInteractive) return;
  throw new DealsheetError(
    'usage',
    'Nobody is at the terminal to say yes: nothing was sent.',
    'Add --yes to send without asking.',
  );
}
