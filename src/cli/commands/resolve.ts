/** `dealsheet resolve RUN`: settle rows in doubt by what a person found in the service. */
import { DealsheetError } from '../../errors.ts';
import type { Ledger, Resolution, RunRecord } from '../../ledger/ledger.ts';
import type { SettledRow } from '../../pipeline/doubt-list.ts';
import { silentEvents } from '../../service/events.ts';
import { command } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { openChosenLedger, tidyLedger, withLedgerFlag } from '../ledger-choice.ts';
import { needRun } from '../run-choice.ts';
import { serviceOfRun } from '../run-service.ts';
import type { ServiceFlags } from '../service-choice.ts';
import { withAddressFlags, withPaceFlags } from '../service-flags.ts';
import { openTerminal, type Terminal } from '../terminal.ts';

export const resolveCommand = command({
  examples: [
    ['dealsheet resolve RUN --row "Deals!12" --created deal_000123', 'the service has it, under this id'],
    ['dealsheet resolve RUN --row "Deals!12" --not-created', 'the service does not have it: it may be sent again'],
    ['dealsheet resolve RUN --from deals.results.xlsx', 'ids, or not created, typed into the ID cells of the results'],
  ],
  builder: (yargs) =>
    withLedgerFlag(withPaceFlags(withAddressFlags(yargs)))
      .positional('run', { type: 'string', demandOption: true, describe: 'The run' })
      .options({
        row: { type: 'string', requiresArg: true, describe: 'The row, as SHEET!N' },
        created: { type: 'string', requiresArg: true, describe: 'The id that the service has it under' },
        'not-created': { type: 'boolean', default: false, describe: 'The service does not have it' },
        from: {
          type: 'string',
          requiresArg: true,
          describe: 'A results sheet with ids typed into it, or a list with the columns Row and ID',
        },
        'all-not-created': { type: 'boolean', default: false, describe: 'The service has none of the rows in doubt' },
      }),
  run: async (flags) => {
    const terminal = openTerminal({ quiet: false });
    const { resolveAllAsNotCreated } = await import('../../pipeline/resolve-doubt.ts');
    const ledger = await openChosenLedger(flags);
    try {
      const run = needRun(ledger, flags.run);
      refuseMixed(flags);
      if (flags.allNotCreated) terminal.say(`${resolveAllAsNotCreated(ledger, run)} rows are settled as not created.`);
      else await settle(ledger, run, await settledRowsOf(flags, run), flags, terminal);
      await tidyLedger(ledger);
      terminal.say(`Write the results again with: dealsheet results ${run.id}`);
      return exitCodes.allIn;
    } finally {
      ledger.close();
    }
  },
});

async function settle(
  ledger: Ledger,
  run: RunRecord,
  settledRows: readonly SettledRow[],
  flags: ServiceFlags,
  terminal: Terminal,
): Promise<void> {
  const { resolveDoubts } = await import('../../pipeline/resolve-doubt.ts');
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
    const { rows, unsure } = await resolveDoubts(ledger, run, settledRows, connect);
    for (const sentence of unsure) terminal.warn(sentence);
    terminal.say(settledText(rows, settledRows));
  } finally {
    for (const close of closing) await close();
  }
}

function settledText(rows: number, settledRows: readonly SettledRow[]): string {
  const [only] = settledRows;
  if (settledRows.length > 1 || only === undefined) {
    const before = settledRows.length - rows;
    return `${rows} rows are settled.${before === 0 ? '' : ` ${before} had been settled before.`}`;
  }
  const { position, resolution } = only;
  const settled = resolution === 'not-created' ? 'not created' : resolution.created;
  return `${position.sheet} row ${position.row} is settled as ${settled}.`;
}

async function settledRowsOf(flags: ResolveFlags, run: RunRecord): Promise<readonly SettledRow[]> {
  const { readDoubtList, rowPositionOf } = await import('../../pipeline/doubt-list.ts');
  if (flags.from !== undefined) return readDoubtList(flags.from, run.id);
  const position = rowPositionOf(flags.row ?? '');
  if (position !== null) return [{ position, resolution: resolutionOf(flags) }];
  throw new DealsheetError(
    'usage',
    'Which row is meant was not said.',
    'Give --row SHEET!N, as in --row "Deals!12", or a list of rows with --from FILE.',
  );
}

/** One row, a list, or all of them: with two of these, one would silently be left out. */
function refuseMixed({ row, created, notCreated, from, allNotCreated }: ResolveFlags): void {
  const isOne = (row ?? created) !== undefined || notCreated;
  if ([isOne, from !== undefined, allNotCreated].filter(Boolean).length <= 1) return;
  throw new DealsheetError(
    'usage',
    'Rows are settled one by one, by a list or all at once, not in two of these ways. No row was settled.',
    'Give --row with --created or --not-created, or --from FILE, or --all-not-created, alone.',
  );
}

interface ResolveFlags {
  readonly row: string | undefined;
  readonly created: string | undefined;
  readonly notCreated: boolean;
  readonly from: string | undefined;
  readonly allNotCreated: boolean;
}

function resolutionOf({ created, notCreated }: ResolveFlags): Resolution {
  if (created !== undefined && !notCreated) return { created };
  if (created === undefined && notCreated) return 'not-created';
  throw new DealsheetError(
    'usage',
    'Whether the row was created was not said.',
    'Give either --created ID or --not-created.',
  );
}
