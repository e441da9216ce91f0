/** `dealsheet results RUN`: write the results of a run again, from its source and the ledger. */

import { assumedContract } from '../../contract/contract-settings.ts';
import { DealsheetError } from '../../errors.ts';
import { command } from '../command.ts';
import { needRun } from '../flags/run-choice.ts';
import { openChosenLedger, sourcesFolderOf, withLedgerFlag } from '../settings/ledger-choice.ts';
import { contractOfRun } from '../settings/run-service.ts';
import { besidesText } from '../talk/result-text.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { rows } from '../terminal/figures.ts';
import { openTerminal } from '../terminal/terminal.ts';

export const resultsCommand = command({
  examples: [
    ['dealsheet results 2026-11-20-01', 'the results of that run, at their place'],
    ['dealsheet results 2026-11-20-01 -o again.xlsx', 'the same under another name'],
    ['dealsheet results 2026-11-20-01 --only wrong --by Broker', 'the rows to correct, a workbook for each broker'],
  ],
  builder: (yargs) =>
    withLedgerFlag(yargs)
      .positional('run', { type: 'string', demandOption: true, describe: 'The run' })
      .options({
        output: { alias: 'o', type: 'string', requiresArg: true, describe: 'Where to write them (.xlsx or .csv)' },
        only: { choices: ['wrong'] as const, describe: 'Only the rows that need something done, in NAME.wrong.xlsx' },
        by: {
          type: 'string',
          requiresArg: true,
          describe: 'With --only: a workbook for each value of this column',
        },
        config: { type: 'string', requiresArg: true, describe: 'The configuration file with the profile of the run' },
      }),
  run: async (flags) => {
    if (flags.by !== undefined && flags.only === undefined)
      throw new DealsheetError('usage', '--by needs --only wrong.', 'Add --only wrong. Nothing was written.');
    const terminal = openTerminal({ quiet: false });
    const { rewriteResults } = await import('../../load/rewrite-results.ts');
    const ledger = await openChosenLedger(flags);
    try {
      const run = await needRun(ledger, flags.run);
      const contract = contractOfRun(run, flags.config);
      if (contract === null)
        terminal.warn(
          'The profile of the run is gone: its rows are told by what is assumed of the service. If it stands in another file, name that one with --config.',
        );
      const reading = { snapshotFolder: sourcesFolderOf(ledger.path), contract: contract ?? assumedContract };
      const path = flags.output ?? null;
      if (flags.only !== undefined) {
        const { writeWrongRows } = await import('../../load/wrong-rows.ts');
        const parts = await writeWrongRows(run, ledger, { ...reading, path, by: flags.by ?? null });
        for (const part of parts) terminal.say(`${rows(part.rows)}: ${part.path}`);
        if (parts.length === 0) terminal.say('No row needs anything done. Nothing was written.');
        return exitCodes.allIn;
      }
      const written = await rewriteResults(run, ledger, { ...reading, resultsPath: path });
      if (!written.withSource) {
        terminal.warn(
          'The source of the run is gone or was changed: the results hold what the ledger knows, without your own columns.',
        );
      }
      terminal.say(`Results: ${written.path}`);
      const besides = besidesText(written.besides, written.path);
      if (besides !== null) terminal.warn(besides);
      return exitCodes.allIn;
    } finally {
      await ledger.close();
    }
  },
});
