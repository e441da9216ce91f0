/** `dealsheet resolve RUN`: settle rows in doubt by what a person found in the service. */
import { DealsheetError } from '../../errors.ts';
import type { Ledger, RowPosition, RunRecord } from '../../ledger/ledger.ts';
import type { Resolution } from '../../pipeline/resolve-doubt.ts';
import { silentEvents } from '../../service/events.ts';
import { command } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { ledgerPath, withLedgerFlag } from '../ledger-choice.ts';
import { needRun } from '../run-choice.ts';
import { serviceOfRun } from '../run-service.ts';
import type { ServiceFlags } from '../service-choice.ts';
import { withAddressFlags, withPaceFlags } from '../service-flags.ts';
import { openTerminal, type Terminal } from '../terminal.ts';

export const resolveCommand = command({
  command: 'resolve <run>',
  describe: 'Settle a row in doubt: it was created, or it was not',
  examples: [
    ['dealsheet resolve RUN --row "Deals!12" --created deal_000123', 'the service has it, under this id'],
    ['dealsheet resolve RUN --row "Deals!12" --not-created', 'the service does not have it: it may be sent again'],
  ],
  builder: (yargs) =>
    withLedgerFlag(withPaceFlags(withAddressFlags(yargs)))
      .positional('run', { type: 'string', demandOption: true, describe: 'The run' })
      .options({
        row: { type: 'string', requiresArg: true, describe: 'The row, as SHEET!N' },
        created: { type: 'string', requiresArg: true, describe: 'The id that the service has it under' },
        'not-created': { type: 'boolean', default: false, describe: 'The service does not have it' },
        'all-not-created': { type: 'boolean', default: false, describe: 'The service has none of the rows in doubt' },
      }),
  run: async (flags) => {
    const terminal = openTerminal({ quiet: false });
    const { openLedger } = await import('../../ledger/open-ledger.ts');
    const { resolveAllAsNotCreated } = await import('../../pipeline/resolve-doubt.ts');
    const ledger = openLedger(ledgerPath(flags));
    try {
      const run = needRun(ledger, flags.run);
      if (flags.allNotCreated) terminal.say(`${resolveAllAsNotCreated(ledger, run)} rows are settled as not created.`);
      else await resolveOne(ledger, run, rowPosition(flags.row), resolutionOf(flags), flags, terminal);
      terminal.say(`Write the results again with: dealsheet results ${run.id}`);
      return exitCodes.allIn;
    } finally {
      ledger.close();
    }
  },
});

async function resolveOne(
  ledger: Ledger,
  run: RunRecord,
  position: RowPosition,
  resolution: Resolution,
  flags: ServiceFlags,
  terminal: Terminal,
): Promise<void> {
  const { resolveDoubt } = await import('../../pipeline/resolve-doubt.ts');
  const closing: (() => Promise<void>)[] = [];
  const connect = async () => {
    const session = await serviceOfRun(run, flags).open();
    const client = session.connect(0, silentEvents);
    closing.push(
      () => client.close(),
      () => session.close(),
    );
    return client;
  };
  try {
    const unsure = await resolveDoubt(ledger, run, position, resolution, connect);
    if (unsure !== null) terminal.warn(unsure);
  } finally {
    for (const close of closing) await close();
  }
  const settled = resolution === 'not-created' ? 'not created' : resolution.created;
  terminal.say(`${position.sheet} row ${position.row} is settled as ${settled}.`);
}

function resolutionOf(flags: { readonly created: string | undefined; readonly notCreated: boolean }): Resolution {
  if (flags.created !== undefined && !flags.notCreated) return { created: flags.created };
  if (flags.created === undefined && flags.notCreated) return 'not-created';
  throw new DealsheetError(
    'usage',
    'Whether the row was created was not said.',
    'Give either --created ID or --not-created.',
  );
}

function rowPosition(text: string | undefined): RowPosition {
  const match = /^'?(.+?)'?!(\d+)$/.exec(text ?? '');
  if (match === null) {
    throw new DealsheetError(
      'usage',
      'Which row is meant was not said.',
      'Give --row SHEET!N, as in --row "Deals!12".',
    );
  }
  return { sheet: match[1] ?? '', row: Number(match[2]) };
}
