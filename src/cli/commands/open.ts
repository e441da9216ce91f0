/** `dealsheet open [FILE]`: opens the page for people who type no commands. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { needFile } from '../../disk/file-pieces.ts';
import { ledgerFiles } from '../../settings/ledger-choice.ts';
import { command, optionalPositional } from '../command.ts';

export const openCommand = command({
  examples: [
    ['dealsheet open', 'then drop a file on the page'],
    ['dealsheet open month.xlsx', 'the same with this file'],
  ],
  positionals: { file: optionalPositional('The CSV or XLSX file to begin with') },
  flags: ['profile', 'ledger', 'config', 'sandbox-data'],
  run: async (flags, terminal) => {
    const { openPage } = await import('../../page/open-page.ts');
    const { ledger, config, sandboxData, profile = null } = flags;
    // A wrong ledger or configuration, or a missing file, is refused here, not on the page.
    ledgerFiles(flags);
    const file = flags.file === undefined ? null : resolve(flags.file);
    if (file !== null) await needFile(file);
    const page = await openPage({ ledger, config, sandboxData }, profile, file);
    terminal.say(`The page is open in your browser. If it is not, open ${page.door} in it.
If you close the tab, come back at ${page.url}. Ctrl-C ends the page, and stops a load that is under way without losing a row.`);
    await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));
    terminal.say('Ending.');
    await page.close();
  },
});
