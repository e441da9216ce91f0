/** `dealsheet resolve RUN`: settle rows in doubt by what a person found in the service. */
import { DealsheetError } from '../../errors.ts';
import type { RowPosition } from '../../ledger/ledger.ts';
import { readRecordedOptions } from '../../pipeline/run-options.ts';
import { silentEvents } from '../../service/events.ts';
import { command } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { ledgerPath, withLedgerFlag } from '../ledger-choice.ts';
import { chooseService } from '../service-choice.ts';
import { withAddressFlags } from '../service-flags.ts';
import { openService } from '../service-session.ts';
import { openTerminal } from '../terminal.ts';

export const resolveCommand = command({
  command: 'resolve <run>',
  describe: 'Settle a row in doubt: it was created, or it was not',
  builder: (yargs) =>
    withLedgerFlag(withAddressFlags(yargs))
      .positional('run', { type: 'string', demandOption: true, describe: 'The run' })
      .example('$0 resolve RUN --row "Deals!12" --created deal_000123', 'the service has it, under this id')
      .example('$0 resolve RUN --row "Deals!12" --not-created', 'the service does not have it: it may be sent again')
      .options({
        row: { type: 'string', requiresArg: true, describe: 'The row, as SHEET!N' },
        created: { type: 'string', requiresArg: true, describe: 'The id that the service has it under' },
        'not-created': { type: 'boolean', default: false, describe: 'The service does not have it' },
        'all-not-created': { type: 'boolean', default: false, describe: 'The service has none of the rows in doubt' },
      })
      .conflicts('created', 'not-created')
      .conflicts('row', 'all-not-created'),
  run: async (flags) => {
    const terminal = openTerminal({ quiet: false });
    const { openLedger } = await import('../../ledger/open-ledger.ts');
    const ledger = openLedger(ledgerPath(flags));
    try {
      const run = ledger.run(flags.run);
      if (run === null)
        throw new DealsheetError(
          'usage',
          `There is no run ${flags.run} in this ledger.`,
          'dealsheet runs lists the runs.',
        );
      if (flags.allNotCreated) {
        const doubts = [...ledger.entriesInState(run.id, 'in-doubt')];
        for (const doubt of doubts) ledger.resolveDoubt(run.id, doubt, 'not-created');
        terminal.say(`${doubts.length} rows are settled as not created.`);
      } else {
        const position = rowPosition(flags.row);
        if (flags.created === undefined && !flags.notCreated) throw noAnswer();
        if (flags.created !== undefined) await needRecord(flags.created);
        ledger.resolveDoubt(run.id, position, flags.created === undefined ? 'not-created' : { created: flags.created });
        terminal.say(
          `${position.sheet} row ${position.row} is settled as ${flags.created === undefined ? 'not created' : flags.created}.`,
        );
      }
      terminal.say(`Write the results again with: dealsheet results ${run.id}`);
      return exitCodes.allIn;
    } finally {
      ledger.close();
    }

    /** Deals and companies can be read: an id that the service does not know is refused. */
    async function needRecord(id: string): Promise<void> {
      const kind = run0()?.kind;
      const endpoint = kind === 'deals' ? 'getDeal' : kind === 'companies' ? 'getCompany' : null;
      if (endpoint === null) {
        terminal.say('Records of this kind cannot be read from the service: the id is taken as it is.');
        return;
      }
      const recorded = readRecordedOptions(ledger.run(flags.run)?.options ?? '{}').serviceName;
      const choice = chooseService({
        ...flags,
        sandbox:
          flags.sandbox ||
          (flags.profile === undefined && flags.url === undefined && recorded.sandboxData !== undefined),
        profile: flags.profile ?? (flags.url === undefined ? recorded.profile : undefined),
        url: flags.url ?? (flags.profile === undefined ? recorded.url : undefined),
        concurrency: undefined,
        rate: undefined,
        batch: undefined,
      });
      const session = await openService(choice, recorded.sandboxData ?? null);
      const client = session.connect(0, silentEvents);
      try {
        const found = await client.read(endpoint, { id, query: [] });
        if (found.state === 'not-found') {
          throw new DealsheetError(
            'usage',
            `The service has no record ${id}.`,
            'Look the row up once more, and correct the id.',
          );
        }
        if (found.state === 'failed')
          terminal.warn(`The record ${id} could not be read: ${found.message} The id is taken as it is.`);
      } finally {
        await client.close();
        await session.close();
      }
    }

    function run0() {
      return ledger.entry(flags.run, rowPosition(flags.row));
    }
  },
});

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

function noAnswer(): DealsheetError {
  return new DealsheetError(
    'usage',
    'Whether the row was created was not said.',
    'Give --created ID, or --not-created.',
  );
}
