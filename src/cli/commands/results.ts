/** `dealsheet results RUN`: writes the results of a run again, from its source and the ledger. */
import { errorOf } from '../../messages/text.ts';
import { withRun } from '../../settings/ledger-choice.ts';
import { contractOfRun, readingOfRun } from '../../settings/service.ts';
import { command, positional } from '../command.ts';
import { rows } from '../formats.ts';
import { besidesText } from '../load-text.ts';

export const resultsCommand = command({
  examples: [
    ['dealsheet results 2026-11-20-01', 'the results of that run, where they usually are'],
    ['dealsheet results 2026-11-20-01 -o again.xlsx', 'the same under another name'],
    ['dealsheet results 2026-11-20-01 --only wrong --by Broker', 'the rows to correct, a workbook for each broker'],
    ['dealsheet results 2026-11-20-01 --only changed', 'companies that changed since they went in, as updates to load'],
  ],
  positionals: { run: positional('The run') },
  flags: ['ledger', 'config', 'output', 'only', 'by'],
  run: async (flags, terminal) => {
    const { only, by = null, output: path = null } = flags;
    if (by !== null && only !== 'wrong') throw errorOf('by-without-only');
    await withRun(flags, flags.run, async (run, ledger) => {
      if (contractOfRun(run, flags.config) === null)
        terminal.warn(
          'The profile of this run is gone, so its rows are read by the defaults. If it is in another file, name that file with --config.',
        );
      const reading = readingOfRun(run, ledger, flags);
      if (only !== undefined) {
        const { writeCompanyUpdates, writeWrongRows } = await import('../../load/rows-to-act-on.ts');
        const written =
          only === 'wrong'
            ? await writeWrongRows(run, ledger, { ...reading, path, by })
            : await writeCompanyUpdates(run, ledger, { ...reading, path });
        for (const part of written) terminal.say(`${rows(part.rows)}: ${part.path}`);
        const none = only === 'wrong' ? 'No row needs anything done.' : 'No company has changed since it went in.';
        if (written.length === 0) terminal.say(`${none} Nothing was written.`);
        return;
      }
      const { rewriteResults } = await import('../../load/rewrite-results.ts');
      const written = await rewriteResults(run, ledger, { ...reading, resultsPath: path });
      if (!written.withSource)
        terminal.warn(
          'The source of the run is gone or was changed: the results hold what the ledger knows, without your own columns.',
        );
      terminal.say(`Results: ${written.path}`);
      for (const line of besidesText(written.besides, written.path)) terminal.warn(line);
    });
  },
});
