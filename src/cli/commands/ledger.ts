/** `dealsheet ledger backup DIR` and `dealsheet ledger accept`: a copy of the ledger, and a person's word that one is meant as it is. */
import { resolve } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import { keyPathOf } from '../../ledger/ledger-key.ts';
import { command } from '../command.ts';
import { withFlags } from '../flags.ts';
import { ledgerPath, withLedger } from '../settings/ledger-choice.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { openTerminal } from '../terminal/terminal.ts';

export const ledgerCommand = command({
  command: 'ledger <action> [folder]',
  describe: 'Back up the ledger while it is in use, or accept one that lacks entries',
  examples: [
    ['dealsheet ledger backup /backups/2026-11-20', 'copy the ledger and its key, also while a load goes on'],
    ['dealsheet ledger accept', 'go on with a ledger that is refused because entries are missing, or begin a new one'],
  ],
  builder: (yargs) =>
    withFlags(
      yargs
        .positional('action', { choices: ['backup', 'accept'] as const, demandOption: true, describe: 'What to do' })
        .positional('folder', { type: 'string', describe: 'Where the backup goes' }),
      ...(['ledger', 'yes', 'json'] as const),
    ),
  run: async (flags, answer) => {
    const terminal = openTerminal({ quiet: false });
    const { action, folder } = flags;
    if ((action === 'backup') !== (folder !== undefined)) {
      const message = action === 'backup' ? 'The folder for the backup is not named.' : 'accept takes no folder.';
      throw new DealsheetError('usage', message, 'dealsheet ledger backup DIR, or dealsheet ledger accept');
    }
    if (folder !== undefined) {
      const copy = await withLedger(flags, (ledger) => ledger.backUp(resolve(folder)));
      terminal.say(`The ledger is copied to ${copy}, with its key ${keyPathOf(copy)}. Keep both together.`);
      answer.give(JSON.stringify({ backup: { ledger: copy, key: keyPathOf(copy) } }));
      return exitCodes.allIn;
    }
    const path = ledgerPath(flags);
    const question = `Rows that went in and that ${path} does not know will be sent again when their file is loaded. Go on with it as it is?`;
    if (!flags.yes && !(terminal.isInteractive && (await terminal.ask(question))))
      throw new DealsheetError('usage', 'Nothing was changed.', 'Say yes, or add --yes, to go on with it as it is.');
    const { openLedger } = await import('../../ledger/open-ledger.ts');
    const ledger = openLedger(path, { isMeant: true });
    await ledger.close();
    terminal.say(ledger.isNew ? `A new ledger begins in ${path}.` : `The ledger ${path} is used as it is.`);
    answer.give(JSON.stringify({ ledger: path, isNew: ledger.isNew }));
    return exitCodes.allIn;
  },
});
