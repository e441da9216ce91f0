/** `dealsheet ledger backup DIR` and `dealsheet ledger accept`: a copy of the ledger, and a person's word that one is meant as it is. */
import { resolve } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import { keyPathOf } from '../../ledger/ledger-key.ts';
import { command } from '../command.ts';
import { ledgerPath, openChosenLedger, withLedgerFlag } from '../settings/ledger-choice.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { openTerminal } from '../terminal/terminal.ts';

export const ledgerCommand = command({
  examples: [
    ['dealsheet ledger backup /backups/2026-11-20', 'copy the ledger and its key, also while a load goes on'],
    ['dealsheet ledger accept', 'go on with a ledger that is refused because entries are missing, or begin a new one'],
  ],
  builder: (yargs) =>
    withLedgerFlag(yargs)
      .positional('action', { choices: ['backup', 'accept'] as const, demandOption: true, describe: 'What to do' })
      .positional('folder', { type: 'string', describe: 'Where the backup goes' })
      .options({
        yes: { type: 'boolean', alias: 'y', default: false, describe: 'Accept without asking' },
        json: { type: 'boolean', default: false, describe: 'Print one JSON object' },
      }),
  run: async (flags, answer) => {
    const terminal = openTerminal({ quiet: false });
    if (flags.action === 'backup') {
      if (flags.folder === undefined) {
        throw new DealsheetError('usage', 'The folder for the backup is not named.', 'dealsheet ledger backup DIR');
      }
      const ledger = await openChosenLedger(flags);
      try {
        const copy = await ledger.backUp(resolve(flags.folder));
        terminal.say(`The ledger is copied to ${copy}, with its key ${keyPathOf(copy)}. Keep both together.`);
        answer.give(JSON.stringify({ backup: { ledger: copy, key: keyPathOf(copy) } }));
        return exitCodes.allIn;
      } finally {
        await ledger.close();
      }
    }
    if (flags.folder !== undefined) {
      throw new DealsheetError('usage', 'dealsheet ledger accept takes no folder.', 'Name a ledger with --ledger.');
    }
    const path = ledgerPath(flags);
    const question = `Rows that went in and that ${path} does not know will be sent again when their file is loaded. Go on with it as it is?`;
    if (!flags.yes && !(terminal.isInteractive && (await terminal.ask(question)))) {
      throw new DealsheetError(
        'usage',
        'Nothing was changed.',
        'Say yes, or add --yes, to go on with the ledger as it is.',
      );
    }
    const { openLedger } = await import('../../ledger/open-ledger.ts');
    const ledger = openLedger(path, { isMeant: true });
    await ledger.close();
    terminal.say(ledger.isNew ? `A new ledger begins in ${path}.` : `The ledger ${path} is used as it is.`);
    answer.give(JSON.stringify({ ledger: path, isNew: ledger.isNew }));
    return exitCodes.allIn;
  },
});
