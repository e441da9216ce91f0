/** `dealsheet resolve RUN`: settle rows in doubt by what a person found in the service. */
import { assumedContract } from '../../contract/contract-settings.ts';
import { usageError } from '../../errors.ts';
import type { Ledger, RunRecord } from '../../ledger/ledger.ts';
import type { AnsweredRow } from '../../load/doubt-list.ts';
import type { ReadAgainOptions } from '../../load/run-source.ts';
import { commandText, shellWord } from '../../messages/commands.ts';
import { needRun, sourcesFolderOf, tidyLedger, withLedger } from '../../settings/ledger-choice.ts';
import { contractOfRun, serviceOfRun } from '../../settings/service-session.ts';
import { positionOf } from '../../staging/own-columns.ts';
import { addressFlags, command, type FlagsNamed, paceFlags, withFlags } from '../command.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { rows } from '../terminal/figures.ts';
import type { Terminal } from '../terminal/terminal.ts';

const resolveFlags = [
  ...[...addressFlags, ...paceFlags],
  ...(['ledger', 'row', 'created', 'not-created', 'from', 'changed-since', 'all-not-created', 'yes'] as const),
] as const;
type ResolveFlags = FlagsNamed<typeof resolveFlags>;

export const resolveCommand = command({
  command: 'resolve <run>',
  describe: 'Settle rows in doubt: they were created, or they were not',
  examples: [
    ["dealsheet resolve RUN --row 'Deals!12' --created deal_000123", 'the service has it, under this id'],
    ["dealsheet resolve RUN --row 'Deals!12' --not-created", 'the service does not have it: it may be sent again'],
    ['dealsheet resolve RUN --from deals.results.xlsx', 'ids, or not created, typed into the ID cells of the results'],
  ],
  builder: (yargs) =>
    withFlags(yargs.positional('run', { type: 'string', demandOption: true, describe: 'The run' }), ...resolveFlags),
  run: (flags, terminal) =>
    withLedger(flags, async (ledger) => {
      const run = await needRun(ledger, flags.run);
      refuseMixed(flags);
      // How the source of the run is read again, to compare its rows with what the service says.
      const contract = contractOfRun(run, flags.config) ?? assumedContract;
      const reading = { snapshotFolder: sourcesFolderOf(ledger.files), contract };
      const settle = flags.allNotCreated ? settleAll : settleSome;
      const goingOut = await settle(ledger, run, reading, flags, terminal);
      if (goingOut === null) return exitCodes.usage;
      await tidyLedger(ledger);
      if (goingOut > 0) {
        const how = 'goes out when the file is imported again, or with';
        terminal.say(`What the service does not have ${how}: ${commandText('resume', run.id)}`);
      }
      terminal.say(`Write the results again with: ${commandText('results', run.id)}`);
      return exitCodes.allIn;
    }),
});

/** One row, a list, or all of them: with two of these, one would silently be left out. */
function refuseMixed({ row, created, notCreated, from, allNotCreated }: ResolveFlags): void {
  const isOne = (row ?? created) !== undefined || notCreated;
  if ([isOne, from !== undefined, allNotCreated].filter(Boolean).length <= 1) return;
  throw usageError(
    'Rows are settled one by one, by a list or all at once, not in two of these ways. No row was settled.',
    'Give --row with --created or --not-created, or --from FILE, or --all-not-created, alone.',
  );
}

/** @returns how many rows were settled as not created, or `null` when the person did not agree */
type Settle = (
  ledger: Ledger,
  run: RunRecord,
  reading: ReadAgainOptions,
  flags: ResolveFlags,
  terminal: Terminal,
) => Promise<number | null>;

const settleAll: Settle = async (ledger, run, _reading, flags, terminal) => {
  const { doubtsIn, resolveAllAsNotCreated } = await import('../../load/resolve-doubt.ts');
  if (terminal.isInteractive && !flags.yes) {
    const { length: count } = await doubtsIn(ledger, run);
    const question = `${rowsAre(count)} in doubt. If the service has one of them after all, it would be created twice. Are you sure that it has none of them?`;
    if (count > 0 && !(await terminal.ask(question))) {
      terminal.warn('No row was settled.');
      return null;
    }
  }
  const settled = await resolveAllAsNotCreated(ledger, run);
  terminal.say(`${rowsAre(settled)} settled as not created.`);
  return settled;
};

function rowsAre(count: number): string {
  return `${rows(count)} ${count === 1 ? 'is' : 'are'}`;
}

const settleSome: Settle = async (ledger, run, reading, flags, terminal) => {
  const { resolveDoubts } = await import('../../load/resolve-doubt.ts');
  const answers = await answersOf(flags, run);
  let close = async () => {};
  const connect = async () => {
    const session = await serviceOfRun(run, flags).open();
    const client = session.connect({});
    close = () => client.close().then(session.close);
    return client;
  };
  const options = { ...reading, connect, changedSince: flags.changedSince };
  const { corrections, found, unsure, ...settled } = await resolveDoubts(ledger, run, answers, options).finally(() =>
    close(),
  );
  for (const sentence of found) terminal.say(sentence);
  for (const sentence of unsure) terminal.warn(sentence);
  for (const sentence of corrections) terminal.say(sentence);
  const before = answers.length - settled.rows;
  const others = before === 0 ? '' : ` ${before} had been settled before.`;
  if (corrections.length === 0 || answers.length > 1) terminal.say(`${rowsAre(settled.rows)} settled.${others}`);
  return answers.filter(({ said }) => said === 'not-created').length;
};

async function answersOf(flags: ResolveFlags, run: RunRecord): Promise<readonly AnsweredRow[]> {
  const { readDoubtList } = await import('../../load/doubt-list.ts');
  if (flags.from !== undefined) return readDoubtList(flags.from, run.id);
  const { withoutUnseen } = await import('../../mapping/reading.ts');
  const row = flags.row?.trim() ?? '';
  const position = positionOf(row);
  if (position === null)
    throw usageError(
      row === ''
        ? 'No row was named.'
        : `"${row}" does not name a row: give its sheet and its number, with ! between them.`,
      `Give --row SHEET!N, as in --row ${shellWord('Deals!12')}, or a list with --from FILE. The rows in doubt: ${commandText('runs', run.id)}`,
    );
  const created = flags.created === undefined ? null : withoutUnseen(flags.created).trim();
  if ((created !== null) === flags.notCreated || created === '')
    throw usageError('Say whether the row was created.', 'Give either --created ID or --not-created.');
  return [{ position, said: created === null ? 'not-created' : { created } }];
}
