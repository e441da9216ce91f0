/** `dealsheet import FILE`: load a file, and write what became of every row. */
import { resolve } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import type { ImportEvents, ImportResult } from '../../pipeline/import-file.ts';
import type { Survey } from '../../pipeline/survey.ts';
import { silentEvents } from '../../service/events.ts';
import { command } from '../command.ts';
import { fromEnvironment } from '../environment.ts';
import { exitCodeOfRun, exitCodes } from '../exit-code.ts';
import { defaultLedgerPath } from '../folders.ts';
import { interruption } from '../interruption.ts';
import { planText } from '../plan-text.ts';
import { loadProgress } from '../progress.ts';
import { readingOptions, withReadingFlags } from '../reading-flags.ts';
import { resultJson, resultText } from '../result-text.ts';
import { chooseService } from '../service-choice.ts';
import { withAddressFlags, withPaceFlags } from '../service-flags.ts';
import { openService } from '../service-session.ts';
import { openTerminal, type Terminal } from '../terminal.ts';

export const importCommand = command({
  command: 'import <file>',
  describe: 'Load a file into the service and write what became of every row',
  builder: (yargs) =>
    withPaceFlags(withAddressFlags(withReadingFlags(yargs)))
      .example('$0 import month.xlsx --sandbox', 'rehearse it on this computer')
      .example('$0 import month.xlsx --profile live', 'load it; results in month.results.xlsx')
      .example('$0 import deals.csv --url https://service.example --limit 5', 'a trial of the first five rows')
      .options({
        yes: { type: 'boolean', alias: 'y', default: false, describe: 'Send without asking' },
        limit: { type: 'number', requiresArg: true, describe: 'A trial: send the first N rows alone' },
        'all-or-nothing': { type: 'boolean', default: false, describe: 'Send nothing when a row fails the checks' },
        again: { type: 'boolean', default: false, describe: 'Send rows although equal ones were loaded before' },
        ledger: { type: 'string', requiresArg: true, describe: 'The ledger to use' },
        'sandbox-data': { type: 'string', requiresArg: true, describe: 'The records of the sandbox' },
        json: { type: 'boolean', default: false, describe: 'Print one JSON object with the counts' },
        quiet: { type: 'boolean', default: false, describe: 'Say nothing when all is well' },
      }),
  run: async (flags) => {
    const terminal = openTerminal(flags);
    const choice = chooseService(flags);
    if (!flags.yes && !terminal.isInteractive) throw unconfirmed();
    const [{ importFile }, { openLedger }] = await Promise.all([
      import('../../pipeline/import-file.ts'),
      import('../../ledger/open-ledger.ts'),
    ]);
    const ledger = openLedger(resolve(flags.ledger ?? fromEnvironment('LEDGER') ?? defaultLedgerPath));
    const interrupted = interruption(terminal);
    const session = await openService(choice, {
      sandboxData: flags.sandboxData === undefined ? null : resolve(flags.sandboxData),
    });
    try {
      const result = await importFile(
        {
          ...readingOptions(flags, choice.contract),
          service: session.identity,
          serviceUrl: session.url.href,
          again: flags.again,
          allOrNothing: flags.allOrNothing,
          idempotencyKeys: choice.idempotencyKeys,
          limit: flags.limit ?? null,
          batch: choice.batch,
          signal: interrupted.signal,
        },
        (rows) => session.connect(retryBudgetFor(rows), silentEvents),
        ledger,
        importEvents(terminal, flags, { service: session.url.href, ledgerIsNew: ledger.isNew }),
      );
      return ended(result, flags, terminal);
    } finally {
      interrupted.stop();
      await session.close();
      ledger.close();
    }
  },
});

/** Ten in a hundred rows may need a second request, and fifty in any run. */
const retryShare = 0.1;
const leastRetryBudget = 50;

function retryBudgetFor(rows: number): number {
  return Math.max(leastRetryBudget, Math.ceil(rows * retryShare));
}

function unconfirmed(): DealsheetError {
  return new DealsheetError(
    'usage',
    'Nobody is at the terminal to say yes: nothing was sent.',
    'Add --yes to send without asking.',
  );
}

interface ImportFlags {
  readonly yes: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly limit: number | undefined;
}

function importEvents(
  terminal: Terminal,
  flags: ImportFlags,
  about: { service: string; ledgerIsNew: boolean },
): ImportEvents {
  const progress = loadProgress(terminal, flags);
  return {
    onProgress: () => {},
    confirm: async (survey) => {
      terminal.say(planText(survey));
      if (about.ledgerIsNew) terminal.say('This ledger is new: it knows nothing of earlier loads.');
      if (flags.yes) return true;
      return terminal.ask(`Send ${toSend(survey)} rows to ${about.service}?`);
    },
    onHealth: (health) => {
      if (health.state === 'warning') terminal.warn(health.message);
    },
    onBegin: (run, survey) => {
      terminal.say(`Run ${run} into ${about.service}`);
      progress.begin(Math.min(toSend(survey), flags.limit ?? Number.POSITIVE_INFINITY));
    },
    onRow: ({ state }) => progress.row(state),
    onReport: () => {
      progress.end();
      terminal.say('Writing the results …');
    },
  };
}

function toSend(survey: Survey): number {
  return survey.sheets.reduce((rows, sheet) => rows + sheet.rows - sheet.invalidRows, 0);
}

function ended(result: ImportResult | null, flags: ImportFlags, terminal: Terminal): number {
  if (result === null) {
    terminal.warn('Nothing was sent.');
    return exitCodes.usage;
  }
  const leftOut = flags.limit === undefined ? 0 : Math.max(0, result.counts.rows - flags.limit);
  const code = exitCodeOfRun({ ...result, leftOut });
  const text = resultText(result);
  if (code === exitCodes.allIn) terminal.say(text);
  else terminal.warn(text);
  if (flags.json) terminal.print(resultJson(result));
  return code;
}
