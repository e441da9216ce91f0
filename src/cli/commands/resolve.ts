/** `dealsheet resolve RUN`: settles rows in doubt by what a person found in the service. */
import type { Ledger, RunRecord } from '../../ledger/ledger.ts';
import type { AnsweredRow } from '../../load/doubt-list.ts';
import { commandText } from '../../messages/commands.ts';
import { errorOf, textOf } from '../../messages/text.ts';
import { readRecordedOptions } from '../../plan/options.ts';
import { addressFlags, type Flags, paceFlags } from '../../settings/flags.ts';
import { withRun } from '../../settings/ledger-choice.ts';
import { openService, readingOfRun, serviceOfRun } from '../../settings/service.ts';
import { notCreatedMark, positionOf, typedAnswerOf } from '../../staging/own-columns.ts';
import { command, positional } from '../command.ts';
import { rows } from '../formats.ts';
import { needYes } from '../terminal.ts';

const resolveFlags = [
  ...[...addressFlags, ...paceFlags],
  ...(['ledger', 'row', 'created', 'not-created', 'from', 'changed-since', 'all-not-created', 'yes'] as const),
] as const;

export const resolveCommand = command({
  examples: [
    ["dealsheet resolve RUN --row 'Deals!12' --created deal_000123", 'the service has it, under this id'],
    ["dealsheet resolve RUN --row 'Deals!12' --not-created", 'the service does not have it: it may be sent again'],
    ['dealsheet resolve RUN --from deals.results.xlsx', 'ids, or not created, typed into the ID cells of the results'],
  ],
  positionals: { run: positional('The run') },
  flags: resolveFlags,
  run: async (flags, terminal) => {
    await withRun(flags, flags.run, async (run, ledger) => {
      const { resolveDoubts } = await import('../../load/resolve-doubt.ts');
      const answers = await answersOf(flags, run, ledger);
      if (flags.allNotCreated && answers.length === 0) {
        terminal.say(`No row of the run ${run.id} is in doubt: there is nothing to settle.`);
        return;
      }
      if (flags.allNotCreated && terminal.isInteractive)
        await needYes(
          flags,
          terminal,
          `${rowsAre(answers.length)} in doubt. If the service has one of them after all, it would be created twice. Are you sure that it has none of them?`,
        );
      let close = async () => {};
      const connect = async () => {
        const session = await openService(serviceOfRun(run, flags));
        const client = session.connect({});
        close = () => client.close().then(session.close);
        return client;
      };
      const options = { ...readingOfRun(run, ledger, flags), connect, changedSince: flags.changedSince };
      const settled = await resolveDoubts(ledger, run, answers, options).finally(() => close());
      for (const one of settled.found) terminal.say(textOf(one));
      for (const one of settled.unsure) terminal.warn(textOf(one));
      for (const one of settled.corrections) terminal.say(textOf(one));
      const before = answers.length - settled.rows;
      const others = before === 0 ? '' : ` ${before} had been settled before.`;
      if (settled.corrections.length === 0 || answers.length > 1)
        terminal.say(`${rowsAre(settled.rows)} settled.${others}`);
      if (answers.some(({ said }) => said.kind === 'not-created')) {
        // A row that was sent again is one more record: without --again, its file has nothing to send.
        const how = readRecordedOptions(run.options).again ? 'with' : 'when you import the file again, or with';
        terminal.say(`A row that was not created is sent ${how}: ${commandText('resume', run.id)}`);
      }
      const { waiting = 0 } = await ledger.counts(run.id);
      if (waiting > 0 && answers.some(({ said }) => said.kind === 'created'))
        terminal.say(
          `Waiting in this run: ${rows(waiting)}. Send those whose record is in with: ${commandText('resume', run.id)}`,
        );
      terminal.say(`Write the results again with: ${commandText('results', run.id)}`);
    });
  },
});

function rowsAre(count: number): string {
  return `${rows(count)} ${count === 1 ? 'is' : 'are'}`;
}

/** One row, a list, or all. Combined, one of them would silently be ignored. */
async function answersOf(flags: Flags, run: RunRecord, ledger: Ledger): Promise<readonly AnsweredRow[]> {
  const isOne = (flags.row ?? flags.created) !== undefined || flags.notCreated;
  if ([isOne, flags.from !== undefined, flags.allNotCreated].filter(Boolean).length > 1)
    throw errorOf('settled-in-two-ways');
  if (flags.allNotCreated) {
    const { doubtsIn } = await import('../../load/resolve-doubt.ts');
    const said = { kind: 'not-created' } as const;
    const doubts = await doubtsIn(ledger, run);
    return doubts.map(({ sheet, row, attempt }) => ({ position: { sheet, row }, said, attempt, mayBeOld: true }));
  }
  const { readDoubtList, resolutionOf } = await import('../../load/doubt-list.ts');
  if (flags.from !== undefined) return readDoubtList(flags.from, run.id, ledger);
  const { withoutUnseen } = await import('../../mapping/reading.ts');
  const row = flags.row?.trim() ?? '';
  const position = positionOf(row);
  if (position === null) throw errorOf('row-not-named', { row, run: run.id });
  const created = flags.created === undefined ? null : withoutUnseen(flags.created).trim();
  if ((created !== null) === flags.notCreated || created === '') throw errorOf('created-or-not');
  const typed = created ?? notCreatedMark;
  const said = resolutionOf(typed, typedAnswerOf(typed), row);
  if ((said.kind === 'not-created') !== flags.notCreated) throw errorOf('created-or-not');
  return [{ position, said, attempt: position.attempt ?? 'last', mayBeOld: false }];
}
