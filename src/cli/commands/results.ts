/** `dealsheet results RUN`: write the results of a run again, from its source and the ledger. */
import { assumedContract } from '../../contract/contract-settings.ts';
import { usageError } from '../../errors.ts';
import { needRun, sourcesFolderOf, withLedger } from '../../settings/ledger-choice.ts';
import { contractOfRun } from '../../settings/service-session.ts';
import { command, withFlags } from '../command.ts';
import { besidesText } from '../talk/load-text.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { rows } from '../terminal/figures.ts';

export const resultsCommand = command({
  command: 'results <run>',
  describe: 'Write the results of a run again',
  examples: [
    ['dealsheet results 2026-11-20-01', 'the results of that run, at their place'],
    ['dealsheet results 2026-11-20-01 -o again.xlsx', 'the same under another name'],
    ['dealsheet results 2026-11-20-01 --only wrong --by Broker', 'the rows to correct, a workbook for each broker'],
    ['dealsheet results 2026-11-20-01 --only changed', 'companies that changed since they went in, as updates to load'],
  ],
  builder: (yargs) =>
    withFlags(
      yargs.positional('run', { type: 'string', demandOption: true, describe: 'The run' }),
      ...(['ledger', 'config', 'output', 'only', 'by'] as const),
    ),
  run: async (flags, terminal) => {
    if (flags.by !== undefined && flags.only !== 'wrong')
      throw usageError('--by needs --only wrong.', 'Add --only wrong. Nothing was written.');
    const { rewriteResults } = await import('../../load/rewrite-results.ts');
    return withLedger(flags, async (ledger) => {
      const run = await needRun(ledger, flags.run);
      const contract = contractOfRun(run, flags.config);
      if (contract === null)
        terminal.warn(
          'The profile of this run is gone, so its rows are read by the defaults. If it is in another file, name that file with --config.',
        );
      const reading = { snapshotFolder: sourcesFolderOf(ledger.files), contract: contract ?? assumedContract };
      const path = flags.output ?? null;
      if (flags.only !== undefined) {
        const where = { ...reading, path };
        const parts =
          flags.only === 'wrong'
            ? await (await import('../../load/rows-to-act-on.ts')).writeWrongRows(run, ledger, {
                ...where,
                by: flags.by ?? null,
              })
            : await (await import('../../load/rows-to-act-on.ts')).writeCompanyUpdates(run, ledger, where);
        for (const part of parts) terminal.say(`${rows(part.rows)}: ${part.path}`);
        if (parts.length === 0) terminal.say('No row needs anything done. Nothing was written.');
        return exitCodes.allIn;
      }
      const written = await rewriteResults(run, ledger, { ...reading, resultsPath: path });
      if (!written.withSource)
        terminal.warn(
          'The source of the run is gone or was changed: the results hold what the ledger knows, without your own columns.',
        );
      terminal.say(`Results: ${written.path}`);
      for (const line of besidesText(written.besides, written.path)) terminal.warn(line);
      return exitCodes.allIn;
    });
  },
});
