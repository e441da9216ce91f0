/** `dealsheet runs [RUN]`: lists the runs in the ledger; with a run, its rows in doubt. */
import { rowStates } from '../../contract/row-state.ts';
import type { Answered, Ledger, RunCounts, RunRecord } from '../../ledger/ledger.ts';
import { isSandbox, minuteOf, sandboxIdentity } from '../../ledger/run-records.ts';
import type { DescribedDoubt } from '../../load/resolve-doubt.ts';
import { commandText, shellWord } from '../../messages/commands.ts';
import { ofSeveral } from '../../messages/finding.ts';
import { errorOf, textOf } from '../../messages/text.ts';
import type { Flags } from '../../settings/flags.ts';
import { needRun, withLedger } from '../../settings/ledger-choice.ts';
import { placeOf } from '../../staging/own-columns.ts';
import { command, optionalPositional } from '../command.ts';
import { counted } from '../formats.ts';
import type { LoadDialog } from '../load-dialog.ts';
import { folded, needYes } from '../terminal.ts';

interface Asked extends Pick<LoadDialog, 'ledger' | 'terminal' | 'answer'> {
  readonly flags: Flags & { readonly run?: string | undefined };
}

export const runsCommand = command({
  examples: [
    ['dealsheet runs', 'the runs, the newest first'],
    ['dealsheet runs 2026-11-20-01', 'one run, with its rows in doubt'],
    ['dealsheet runs 2026-11-20-01 --take-over', 'end a load on a computer that is gone'],
    ['dealsheet runs --prune-before 2024-01-01', 'forget settled runs that began before then'],
  ],
  positionals: { run: optionalPositional('The run to show') },
  flags: ['ledger', 'prune-before', 'take-over', 'yes', 'json'],
  own: { 'prune-before': { conflicts: 'run' } },
  run: async (flags, terminal, answer) => {
    await withLedger(flags, async (ledger) => {
      const asked = { flags, ledger, terminal, answer };
      if (flags.pruneBefore !== undefined) await prune(flags.pruneBefore, asked);
      else if (flags.takeOver) await takeOver(asked);
      else if (flags.run !== undefined) await show(flags.run, asked);
      else await list(asked);
    });
  },
});

async function list({ flags, ledger, terminal, answer }: Asked): Promise<void> {
  const runs = await ledger.runs();
  if (flags.json) answer.give({ runs: await Promise.all(runs.map((run) => runJson(ledger, run))) });
  else terminal.print(folded(await listText(ledger, runs), process.stdout));
}

async function show(id: string, { flags, ledger, terminal, answer }: Asked): Promise<void> {
  const run = await needRun(ledger, id);
  const { describedDoubts } = await import('../../load/resolve-doubt.ts');
  const { readingOfRun } = await import('../../settings/service.ts');
  const doubts = await describedDoubts(ledger, run, readingOfRun(run, ledger, flags));
  const settled = await ledger.resolutionsOf(run.id);
  if (flags.json) {
    const answers = settled.map(({ created, person, at, ...place }) => ({ row: placeOf(place), created, person, at }));
    answer.give({ ...(await runJson(ledger, run)), inDoubt: doubts.map(doubtJson), settled: answers });
  } else terminal.print(folded(await runText(ledger, run, doubts, settled), process.stdout));
}

async function prune(day: string, { flags, ledger, terminal, answer }: Asked): Promise<void> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day))) throw errorOf('no-prune-date', { day });
  const old = (await ledger.runs()).filter(({ startedAt }) => startedAt < day).length;
  terminal.say(
    `${counted(old, 'run')} began before ${day}. A row of a forgotten run would be sent again if its file came back.`,
  );
  if (old > 0) await needYes(flags, terminal, 'Forget those that are settled?');
  const forgotten = await ledger.prune(day);
  const kept = old - forgotten.runs;
  const why = 'for rows that are in doubt, that a run which stays has as well, or that a running load has read';
  const stays = kept === 0 ? '' : ` Kept ${why}: ${counted(kept, 'run')}.`;
  terminal.say(`Forgotten: ${counted(forgotten.runs, 'run')} with ${counted(forgotten.rows, 'row')}.${stays}`);
  answer.give({ forgotten, kept });
}

async function takeOver({ flags, ledger, terminal, answer }: Asked): Promise<void> {
  if (flags.run === undefined) throw errorOf('run-not-named');
  const run = await needRun(ledger, flags.run);
  if (run.state !== 'running') throw errorOf('run-not-running', { run: run.id });
  terminal.say(
    `${run.id} is ${stateText(run)} since ${minuteOf(run.startedAt)} UTC: ${await countsText(ledger, run)}.`,
  );
  await needYes(flags, terminal, 'End that load? Rows that it is sending will be in doubt.');
  const seconds = Math.ceil((await ledger.takeOver(run.id)) / 1000);
  terminal.say(`The load is ended. The next one waits until it has surely stopped, for ${seconds} s at most.`);
  answer.give({ takenOver: run.id, seconds });
}

function stateText({ state, person, host }: RunRecord): string {
  return state === 'running' ? `running, by ${person} on ${host}` : state;
}

async function runJson(ledger: Ledger, run: RunRecord) {
  const { id, state, serviceUrl, sourcePath, startedAt, endedAt, person, host } = run;
  // Uses the names of a load's counts. A run may also have rows under way.
  const name = (one: keyof RunCounts) => (one === 'sending' ? one : rowStates[one].count);
  const counts = Object.fromEntries((await countsOf(ledger, run)).map(([one, count]) => [name(one), count]));
  return { run: id, state, service: serviceUrl, file: sourcePath, startedAt, endedAt, person, host, counts };
}

async function countsOf(ledger: Ledger, { id }: RunRecord): Promise<readonly (readonly [keyof RunCounts, number])[]> {
  return Object.entries(await ledger.counts(id)) as [keyof RunCounts, number][];
}

async function countsText(ledger: Ledger, run: RunRecord): Promise<string> {
  const counts = await countsOf(ledger, run);
  const texts = counts.map(
    ([state, count]) => `${count} ${state === 'sending' ? state : rowStates[state].status.toLowerCase()}`,
  );
  return texts.length === 0 ? 'none was sent' : texts.join(', ');
}

function doubtJson({ sheet, row, kind, message, says }: DescribedDoubt) {
  const code = message?.code ?? null;
  return { row: placeOf({ sheet, row }), kind, code, message: message && textOf(message), says };
}

/** A sandbox has another address each time, so its data file is shown. */
function serviceOf({ service, serviceUrl }: RunRecord): string {
  return isSandbox(service) ? `the sandbox ${dataOf({ service })}` : serviceUrl;
}

function dataOf({ service }: Pick<RunRecord, 'service'>): string {
  return service.slice(sandboxIdentity.length);
}

/** Counting the rows of each run takes long for thousands of runs. */
const mostListed = 100;

async function listText(ledger: Ledger, runs: readonly RunRecord[]): Promise<string> {
  if (runs.length === 0) return 'There are no runs yet.';
  const table = [['Run', 'Began (UTC)', 'State', 'File', 'Service']];
  const counts = ['\n  Rows, as they stand now'];
  const listed = runs.filter(({ state }, at) => at < mostListed || state !== 'ended');
  for (const run of listed) {
    const { id, startedAt, sourceName } = run;
    table.push([id, minuteOf(startedAt), stateText(run), sourceName, serviceOf(run)]);
    counts.push(`\n  ${await countsText(ledger, run)}`);
  }
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lineOf = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  const older = runs.length - listed.length;
  const rest = older === 0 ? [] : [`… and ${counted(older, 'older run')}: ${commandText('runs')} --json lists all`];
  return [...table.map((row, at) => `${lineOf(row).trimEnd()}${counts[at]}`), ...rest].join('\n');
}

/** Rows with the same message are listed below it. */
async function doubtLines(run: RunRecord, doubts: readonly DescribedDoubt[]): Promise<readonly string[]> {
  const [first] = doubts;
  if (first === undefined) return ['No row is in doubt.'];
  const groups = new Map<string, DescribedDoubt[]>();
  for (const doubt of doubts) {
    const textOfAll = doubt.message === null ? '' : textOf(ofSeveral(doubt.message));
    const group = groups.get(textOfAll) ?? [];
    groups.set(textOfAll, group);
    group.push(doubt);
  }
  const { areResultsThere } = await import('../../report/results-file.ts');
  const write = areResultsThere(run) ? '' : `write the results with ${commandText('results', run.id)}, `;
  return [
    `In doubt: ${counted(doubts.length, 'row')}`,
    ...[...groups].flatMap(([textOfAll, [only = first, ...others]]) => [
      `  ${others.length > 0 || only.message === null ? textOfAll : textOf(only.message)}`,
      ...[only, ...others].map((doubt) => `    ${placeOf(doubt)}  ${doubt.kind}  ${doubt.says}`),
    ]),
    `Look each up in ${isSandbox(run.service) ? `the sandbox: dealsheet sandbox --data ${shellWord(dataOf(run))}` : 'the service.'}`,
    `To settle many and send nothing, ${write}type what you found into the ID cells of the results, save them, and use: ${commandText('resolve', run.id, '--from', run.resultsPath)}`,
    `To settle one: ${commandText('resolve', run.id, '--row', placeOf(first))} --created ID, or --not-created`,
  ];
}

async function runText(
  ledger: Ledger,
  run: RunRecord,
  doubts: readonly DescribedDoubt[],
  settled: readonly Answered[],
): Promise<string> {
  const { canResume } = await import('../../load/run-source.ts');
  return [
    `Run ${run.id} (${run.state})`,
    `  File     ${run.sourcePath}`,
    `  Service  ${serviceOf(run)}`,
    `  Began    ${minuteOf(run.startedAt)} UTC, by ${run.person} on ${run.host}`,
    `  Ended    ${run.endedAt === null ? 'not yet' : `${minuteOf(run.endedAt)} UTC`}`,
    `  Rows     ${await countsText(ledger, run)} (as they stand now)`,
    ...(settled.length === 0 ? [] : ['Settled by hand:']),
    ...settled.map((one) => {
      const said = one.created === null ? 'not created' : `created ${one.created}`.trimEnd();
      return `    ${placeOf(one)}  ${said}, by ${one.person} on ${minuteOf(one.at)} UTC`;
    }),
    ...(await doubtLines(run, doubts)),
    ...(run.state === 'stopped' && (await canResume(ledger, run))
      ? [`The run was stopped. Continue it with: ${commandText('resume', run.id)}`]
      : []),
  ].join('\n');
}
