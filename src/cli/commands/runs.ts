/** `dealsheet runs [RUN]`: what the ledger remembers; with a run, its rows in doubt. */

import { rowStates } from '../../contract/row-state.ts';
import { DealsheetError } from '../../errors.ts';
import type { Ledger, RunCounts, RunRecord } from '../../ledger/ledger.ts';
import { minuteOf } from '../../ledger/moments.ts';
import { commandText } from '../../messages/commands.ts';
import { textOf } from '../../messages/text.ts';
import { placeOf } from '../../staging/row-place.ts';
import { command } from '../command.ts';
import { needRun } from '../flags/run-choice.ts';
import { openChosenLedger, tidyLedger, withLedgerFlag } from '../settings/ledger-choice.ts';
import type { JsonAnswer } from '../talk/json-answer.ts';
import { runsTable } from '../talk/runs-table.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { counted } from '../terminal/figures.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { columnsOf } from '../terminal/wrapped-lines.ts';

export const runsCommand = command({
  examples: [
    ['dealsheet runs', 'every run, the newest first'],
    ['dealsheet runs 2026-11-20-01', 'one run, with its rows in doubt'],
    ['dealsheet runs --prune-before 2024-01-01', 'forget what ended before then'],
  ],
  builder: (yargs) =>
    withLedgerFlag(yargs)
      .positional('run', { type: 'string', describe: 'The run to show' })
      .options({
        'prune-before': {
          type: 'string',
          requiresArg: true,
          describe:
            'Forget runs that began before this day (YYYY-MM-DD) and are settled: their rows are no longer known',
        },
        yes: { type: 'boolean', alias: 'y', default: false, describe: 'Forget without asking' },
        json: { type: 'boolean', default: false, describe: 'Print one JSON object' },
      }),
  run: async (flags, answer) => {
    const terminal = openTerminal({ quiet: false });
    const ledger = await openChosenLedger(flags);
    try {
      if (flags.pruneBefore !== undefined)
        return await prune(ledger, { day: flags.pruneBefore, yes: flags.yes }, terminal, answer);
      if (flags.run === undefined) {
        const runs = await ledger.runs();
        if (flags.json) answer.give(JSON.stringify({ runs: await Promise.all(runs.map((run) => told(ledger, run))) }));
        else terminal.tell(await listText(ledger, runs));
      } else {
        const run = await needRun(ledger, flags.run);
        if (flags.json)
          answer.give(JSON.stringify({ ...(await told(ledger, run)), inDoubt: await doubtsOf(ledger, run) }));
        else terminal.tell(await runText(ledger, run));
      }
      return exitCodes.allIn;
    } finally {
      await ledger.close();
    }
  },
});

async function prune(
  ledger: Ledger,
  { day, yes }: { readonly day: string; readonly yes: boolean },
  terminal: Terminal,
  answer: JsonAnswer,
): Promise<number> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day))) {
    throw new DealsheetError('usage', `"${day}" is no day.`, 'Give --prune-before a day such as 2024-01-01.');
  }
  const old = (await ledger.runs()).filter(({ startedAt }) => startedAt < day).length;
  if (old === 0) {
    terminal.say(`No run began before ${day}: there is nothing to forget.`);
    answer.give(JSON.stringify({ forgotten: { runs: 0, rows: 0 }, kept: 0 }));
    return exitCodes.allIn;
  }
  terminal.say(
    `${counted(old, 'run')} began before ${day}. A row of a forgotten run would be sent again if its file came back.`,
  );
  if (!yes && !terminal.isInteractive) {
    throw new DealsheetError(
      'usage',
      'Nobody can be asked here, and nothing was forgotten.',
      'Add --yes to forget them.',
    );
  }
  if (!yes && !(await terminal.ask('Forget those that are settled?'))) {
    answer.giveFailure({
      code: 'usage',
      message: 'Nothing was forgotten.',
      remedy: 'Say yes, or add --yes, to forget.',
    });
    return exitCodes.usage;
  }
  const forgotten = await ledger.prune(day);
  await tidyLedger(ledger);
  const kept = old - forgotten.runs;
  terminal.say(
    `Forgotten: ${counted(forgotten.runs, 'run')} with ${counted(forgotten.rows, 'row')}.${whatStays(kept)}`,
  );
  answer.give(JSON.stringify({ forgotten, kept }));
  return exitCodes.allIn;
}

function whatStays(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? ' 1 stays: it is not ended, or has rows in doubt, or rows of such a run.'
    : ` ${count} stay: they are not ended, or have rows in doubt, or rows of such a run.`;
}

async function told(ledger: Ledger, run: RunRecord) {
  const { id, state, serviceUrl, sourcePath, startedAt, endedAt, person } = run;
  const counts = Object.fromEntries((await countsOf(ledger, run)).map(([one, count]) => [countName(one), count]));
  return { run: id, state, service: serviceUrl, file: sourcePath, startedAt, endedAt, person, counts };
}

async function countsOf(ledger: Ledger, { id }: RunRecord): Promise<readonly (readonly [keyof RunCounts, number])[]> {
  return Object.entries(await ledger.counts(id)) as [keyof RunCounts, number][];
}

/** The names are those of the counts of a load, beside which a run may have rows that are under way. */
function countName(state: keyof RunCounts): string {
  return state === 'sending' ? state : rowStates[state].count;
}

async function doubtsOf(ledger: Ledger, run: RunRecord) {
  const { doubtsIn } = await import('../../load/resolve-doubt.ts');
  return (await doubtsIn(ledger, run)).map(({ sheet, place, kind, message }) => ({
    row: placeOf({ sheet, row: place }),
    kind,
    code: message?.code ?? null,
    message: message === null ? null : textOf(message),
  }));
}

async function listText(ledger: Ledger, runs: readonly RunRecord[]): Promise<string> {
  if (runs.length === 0) return 'There are no runs yet.';
  const listed = [];
  for (const run of runs) {
    listed.push({
      id: run.id,
      began: minuteOf(run.startedAt),
      state: run.state,
      file: run.sourceName,
      service: run.serviceUrl,
      rows: await countsText(ledger, run),
    });
  }
  return runsTable(listed, columnsOf(process.stdout));
}

async function countsText(ledger: Ledger, run: RunRecord): Promise<string> {
  return (await countsOf(ledger, run))
    .map(([state, count]) => `${count} ${state === 'sending' ? state : rowStates[state].status.toLowerCase()}`)
    .join('\n');
}

async function runText(ledger: Ledger, run: RunRecord): Promise<string> {
  const doubts = await doubtsOf(ledger, run);
  const counts = await countsText(ledger, run);
  const head = [
    `Run ${run.id} (${run.state})`,
    `  File     ${run.sourcePath}`,
    `  Service  ${run.serviceUrl}`,
    `  Began    ${minuteOf(run.startedAt)} UTC, by ${run.person} on ${run.host}`,
    `  Ended    ${run.endedAt === null ? 'not yet' : `${minuteOf(run.endedAt)} UTC`}`,
    `  Rows     ${counts.replaceAll('\n', ', ')}`,
  ];
  if (doubts.length === 0) return [...head, 'No row is in doubt.'].join('\n');
  const rows = doubts.map(({ row, kind, message }) => `  ${row}  ${kind}  ${message ?? ''}`);
  const settle = `${commandText('resolve', run.id, '--row', doubts[0]?.row ?? '')} --created ID, or --not-created`;
  return [...head, 'In doubt:', ...rows, `Look each up in the service, then: ${settle}`].join('\n');
}
