/** `dealsheet resolve RUN`: settle rows in doubt by what a person found in the service. */
import { assumedContract } from '../../contract/contract-settings.ts';
import { DealsheetError } from '../../errors.ts';
import type { Ledger, RunRecord } from '../../ledger/ledger.ts';
import type { AnsweredRow, SaidOfDoubt } from '../../load/doubt-list.ts';
import type { ReadAgainOptions } from '../../load/read-again.ts';
import type { DoubtsOfRun } from '../../load/resolve-doubt.ts';
import { commandText, shellWord } from '../../messages/commands.ts';
import { silentEvents } from '../../service/events.ts';
import { placeOf, positionOf } from '../../staging/row-place.ts';
import { command } from '../command.ts';
import { needRun } from '../flags/run-choice.ts';
import { withAddressFlags, withPaceFlags } from '../flags/service-flags.ts';
import { openChosenLedger, sourcesFolderOf, tidyLedger, withLedgerFlag } from '../settings/ledger-choice.ts';
import { contractOfRun, serviceOfRun } from '../settings/run-service.ts';
import type { ServiceFlags } from '../settings/service-choice.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { rows } from '../terminal/figures.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';

export const resolveCommand = command({
  examples: [
    ["dealsheet resolve RUN --row 'Deals!12' --created deal_000123", 'the service has it, under this id'],
    ["dealsheet resolve RUN --row 'Deals!12' --not-created", 'the service does not have it: it may be sent again'],
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
        'changed-since': {
          type: 'boolean',
          default: false,
          describe: 'The record says something else than the row because it was changed in the service',
        },
        'all-not-created': { type: 'boolean', default: false, describe: 'The service has none of the rows in doubt' },
        yes: { type: 'boolean', alias: 'y', default: false, describe: 'Settle all of them without asking' },
      }),
  run: async (flags) => {
    const terminal = openTerminal({ quiet: false });
    const ledger = await openChosenLedger(flags);
    try {
      const run = await needRun(ledger, flags.run);
      refuseMixed(flags);
      const goingOut = flags.allNotCreated
        ? await settleAll(ledger, run, flags, terminal)
        : await settle(ledger, run, await answersOf(flags, ledger, run), flags, terminal);
      if (goingOut === null) return exitCodes.usage;
      await tidyLedger(ledger);
      if (goingOut > 0) {
        const how = 'goes out when the file is imported again, or with';
        terminal.say(`What the service does not have ${how}: ${commandText('resume', run.id)}`);
      }
      terminal.say(`Write the results again with: ${commandText('results', run.id)}`);
      return exitCodes.allIn;
    } finally {
      await ledger.close();
    }
  },
});

/** @returns how many rows were settled as not created, or `null` when the person did not agree */
async function settleAll(
  ledger: Ledger,
  run: RunRecord,
  flags: Pick<ServiceFlags, 'config'> & { readonly yes: boolean },
  terminal: Terminal,
): Promise<number | null> {
  const { doubtsOfRun, resolveAllAsNotCreated } = await import('../../load/resolve-doubt.ts');
  if (terminal.isInteractive && !flags.yes) {
    const doubts = await doubtsOfRun(ledger, run, readingOf(ledger, run, flags));
    if (doubts.rows > 0 && !(await terminal.ask(allQuestion(doubts)))) {
      terminal.warn('No row was settled.');
      return null;
    }
  }
  const settled = await resolveAllAsNotCreated(ledger, run);
  terminal.say(
    settled === 0 ? `No row of the run ${run.id} is in doubt.` : `${rowsAre(settled)} settled as not created.`,
  );
  return settled;
}

function allQuestion({ rows, amount }: DoubtsOfRun): string {
  const sum = amount === null || amount === '0' ? '' : `, with amounts of ${amount} together`;
  return `${rowsAre(rows)} in doubt${sum}. One that the service has all the same would be made twice. Say that it has none of them?`;
}

function rowsAre(count: number): string {
  return `${rows(count)} ${count === 1 ? 'is' : 'are'}`;
}

/** How the source of the run is read again, to compare its rows with what the service says. */
function readingOf(ledger: Ledger, run: RunRecord, { config }: Pick<ServiceFlags, 'config'>): ReadAgainOptions {
  return { snapshotFolder: sourcesFolderOf(ledger.path), contract: contractOfRun(run, config) ?? assumedContract };
}

/** @returns how many rows were settled as not created */
async function settle(
  ledger: Ledger,
  run: RunRecord,
  answers: readonly AnsweredRow[],
  flags: ServiceFlags & { readonly changedSince: boolean },
  terminal: Terminal,
): Promise<number> {
  const { resolveDoubts } = await import('../../load/resolve-doubt.ts');
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
    const { changedSince } = flags;
    const options = { ...readingOf(ledger, run, flags), connect, changedSince };
    const { rows: count, corrections, found, unsure } = await resolveDoubts(ledger, run, answers, options);
    for (const sentence of found) terminal.say(sentence);
    for (const sentence of unsure) terminal.warn(sentence);
    for (const sentence of corrections) terminal.say(sentence);
    if (corrections.length === 0 || answers.length > 1) terminal.say(settledText(count, answers));
    return answers.filter(({ said }) => said === 'not-created').length;
  } finally {
    for (const close of closing) await close();
  }
}

function settledText(count: number, answers: readonly AnsweredRow[]): string {
  const [only] = answers;
  if (answers.length > 1 || only === undefined) {
    const before = answers.length - count;
    return `${rowsAre(count)} settled.${before === 0 ? '' : ` ${before} had been settled before.`}`;
  }
  const { position, said } = only;
  return `${position.sheet} row ${position.row} is settled as ${said === 'not-created' ? 'not created' : said.created}.`;
}

async function answersOf(flags: ResolveFlags, ledger: Ledger, run: RunRecord): Promise<readonly AnsweredRow[]> {
  const { readDoubtList } = await import('../../load/doubt-list.ts');
  if (flags.from !== undefined) return readDoubtList(flags.from, run.id);
  const row = flags.row?.trim() ?? '';
  const position = positionOf(row);
  const { withoutUnseen } = await import('../../mapping/reading.ts');
  const created = flags.created === undefined ? undefined : withoutUnseen(flags.created).trim();
  if (position !== null) return [{ position, said: saidBy(flags, created) }];
  throw await noRowNamed(row, ledger, run);
}

async function noRowNamed(typed: string, ledger: Ledger, run: RunRecord): Promise<DealsheetError> {
  const message =
    typed === ''
      ? 'Which row is meant was not said.'
      : `"${typed}" names no row: a row is named by its sheet and its number, with ! between them.`;
  const { doubtsIn } = await import('../../load/resolve-doubt.ts');
  const doubts = (await doubtsIn(ledger, run)).map(({ sheet, place: row }) => ({ sheet, row }));
  const [first] = doubts;
  if (first === undefined) {
    const example = `Give --row SHEET!N, as in --row ${shellWord('Deals!12')}, or a list of rows with --from FILE.`;
    return new DealsheetError('usage', message, `${example} No row of the run ${run.id} is in doubt now.`);
  }
  const meant = doubts.find(({ row }) => String(row) === typed) ?? first;
  const others = doubts.length === 1 ? '' : ` List all of them with: ${commandText('runs', run.id)}`;
  return new DealsheetError(
    'usage',
    message,
    `Give --row ${shellWord(placeOf(meant))}, which is in doubt, or a list of rows with --from FILE.${others}`,
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

function saidBy({ notCreated }: ResolveFlags, created: string | undefined): SaidOfDoubt {
  if (created !== undefined && created !== '' && !notCreated) return { created };
  if (created === undefined && notCreated) return 'not-created';
  throw new DealsheetError(
    'usage',
    'Whether the row was created was not said.',
    'Give either --created ID or --not-created.',
  );
}
