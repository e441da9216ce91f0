/** `dealsheet export balances|deals|companies`: what the service has, as a workbook, CSV or JSON. */
import { resolve } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import { silentEvents } from '../../service/events.ts';
import { command } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { listOf, outputPath, queryOf, refuseForeign, refuseRepeated, withExportFlags } from '../export-flags.ts';
import { balancesText, exportProgress } from '../export-talk.ts';
import { interruption } from '../interruption.ts';
import { retryBudgetFor } from '../retry-budget.ts';
import { chooseService } from '../service-choice.ts';
import { withAddressFlags, withPaceFlags } from '../service-flags.ts';
import { openService } from '../service-session.ts';
import { openTerminal } from '../terminal.ts';

const usualRetries = 500;

export const exportCommand = command({
  command: 'export <what>',
  describe: 'Bring balances, deals or companies back as a workbook',
  examples: [
    ['dealsheet export balances -o balances.xlsx --profile live', "every loan's balance, with a Summary"],
    ['dealsheet export balances -o june.xlsx --previous may.xlsx --profile live', 'and what has changed since May'],
    ['dealsheet export deals --ids month.results.xlsx -o deals.xlsx --profile live', 'the deals of an import'],
    ['dealsheet export companies --ids c.csv --as-template -o c.xlsx --profile live', 'to correct and import again'],
  ],
  builder: (yargs) => withPaceFlags(withAddressFlags(withExportFlags(yargs))),
  run: async (flags) => {
    refuseRepeated(flags);
    refuseForeign(flags.what, flags);
    const terminal = openTerminal(flags);
    const output = outputPath(flags.output);
    if (flags.json && output === null) {
      throw new DealsheetError(
        'usage',
        'The records and the JSON object about them cannot both go to standard output.',
        'Leave --json out, or name a file with -o.',
      );
    }
    const choice = chooseService(flags);
    const progress = exportProgress(terminal, flags);
    const interrupted = interruption(terminal, 'Stopping: the file that was there before stays as it is.');
    const session = await openService(choice, flags.sandboxData === undefined ? null : resolve(flags.sandboxData));
    const client = session.connect(retryBudgetFor(usualRetries), silentEvents);
    interrupted.signal.addEventListener('abort', () => void client.close(), { once: true });
    const began = performance.now();
    try {
      const shared = {
        output,
        format: flags.format ?? null,
        columns: listOf(flags.columns),
        mask: flags.mask === 'default',
        contract: choice.contract,
        service: session.url.href,
        signal: interrupted.signal,
        standardOutput: process.stdout,
      };
      const { exportBalances } = await import('../../pipeline/export/export-balances.ts');
      const result = await exportBalances(
        {
          ...shared,
          query: queryOf(flags.query),
          lists: flags.lists ?? 'count',
          groupBy: listOf(flags.groupBy),
          previous: flags.previous === undefined ? null : resolve(flags.previous),
          key: flags.key ?? null,
          now: new Date(),
        },
        client,
        progress,
      );
      progress.end();
      const seconds = (performance.now() - began) / 1000;
      terminal.say(balancesText(result, seconds));
      if (flags.json) terminal.print(JSON.stringify({ service: session.url.href, ...result, seconds }));
      return exitCodes.allIn;
    } finally {
      progress.end();
      interrupted.stop();
      await client.close();
      await session.close();
    }
  },
});
