/** `dealsheet import FILE`: load a file, and write what became of every row. */
import { type Counts, emptyCounts } from '../../contract/row-state.ts';
import { DealsheetError, obstacleText } from '../../errors.ts';
import { shellWord } from '../../messages/commands.ts';
import { type LoadPlan, plannedWords, readPlan } from '../../plan/written-plan.ts';
import { type KeptFile, needWritable } from '../../report/output-guard.ts';
import { writeWhole } from '../../report/write-whole.ts';
import { command } from '../command.ts';
import { addressFlags, paceFlags, standardInputWord, withFlags } from '../flags.ts';
import { duringLoad, logged, sendingOptions } from '../loading.ts';
import { expectationsOf, fileOf, filePlace, readingFlags, rememberNamed } from '../reading.ts';
import { filesOfLedger, ledgerPath, withLedger } from '../settings/ledger-choice.ts';
import { chooseService } from '../settings/service-choice.ts';
import { openService } from '../settings/service-session.ts';
import { EventLog } from '../talk/event-log.ts';
import { sendingEvents, tellEnd, tellPreview } from '../talk/sending-talk.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { rows } from '../terminal/figures.ts';
import { needConfirmation, openTerminal, type Terminal } from '../terminal/terminal.ts';

export const importCommand = command({
  command: 'import <file>',
  describe: 'Load a file into the service and write what became of every row',
  examples: [
    ['dealsheet import month.xlsx --sandbox', 'rehearse it on this computer'],
    ['dealsheet import month.xlsx --profile live', 'load it; results in month.results.xlsx'],
    ['dealsheet import deals.csv --url https://service.example --limit 5', 'a trial of the first five rows'],
  ],
  builder: (yargs) =>
    withFlags(
      yargs.positional('file', filePlace),
      ...[...readingFlags, ...addressFlags, ...paceFlags],
      ...(['yes', 'limit', 'sandbox-data', 'expect-count', 'expect-total', 'plan', 'apply'] as const),
      ...(['all-or-nothing', 'again', 'skip-loaded', 'trust-results', 'log', 'json', 'quiet'] as const),
    ),
  takesDashAt: ['file'],
  run: async (flags, answer) => {
    const terminal = openTerminal(flags);
    answer.about({ file: fileOf(flags.file) });
    const { importFile, planImport } = await import('../../load/import-file.ts');
    const source = flags.file === standardInputWord ? undefined : flags.file;
    // What the load reads and remembers in: nothing else is written there.
    const kept = [...named(source, 'the source'), ...filesOfLedger(ledgerPath(flags))];
    if (flags.plan !== undefined) await needPlanPlace(flags.plan, [...kept, ...named(flags.log, 'the log')]);
    const results = named(flags.results, 'the place of the results');
    const log = await EventLog.open(flags.log, [...kept, ...results], terminal);
    return logged(log, answer, async () => {
      const choice = chooseService(flags);
      if (flags.plan === undefined) needConfirmation(flags, terminal);
      const open = () => openService(choice, flags.sandboxData);
      return withLedger(flags, (ledger) =>
        duringLoad({ terminal, answer, ledger, log, open }, async (underWay) => {
          const service = underWay.session.url.href;
          answer.about({ service });
          rememberNamed(flags, terminal);
          const options = {
            ...sendingOptions(flags, choice, underWay),
            again: flags.again,
            allOrNothing: flags.allOrNothing,
            trustResults: flags.trustResults,
            expectations: expectationsOf(flags),
            plan: flags.apply === undefined ? null : readPlan(flags.apply),
            limit: flags.limit ?? null,
          };
          // A ledger that another command has made, or from which all was forgotten, knows as little as a new one.
          const ledgerIsNew = ledger.isNew || (await ledger.runs()).length === 0;
          const talk = { ...underWay, terminal, answer, flags, service, ledgerIsNew };
          const events = log.watch(sendingEvents(talk));
          if (flags.plan !== undefined) {
            const { plan, preview } = await planImport(options, ledger, events);
            tellPreview(talk, preview);
            const code = tellPlan(plan, flags.plan, terminal);
            answer.about({ service: plan.address });
            answer.giveUnsent(plannedCounts(plan));
            return code;
          }
          const result = await importFile(options, underWay.connect, ledger, events);
          const code = tellEnd(talk, result);
          log.end(result, code);
          return code;
        }),
      );
    });
  },
});

function named(path: string | undefined, what: string): readonly KeptFile[] {
  return path === undefined ? [] : [{ path, what }];
}

/**
 * Tells before the work whether a plan can be written: one of earlier is replaced, and nothing else.
 *
 * @throws DealsheetError `usage`
 */
function needPlanPlace(path: string, kept: readonly KeptFile[]): Promise<void> {
  const isEarlier = (there: string) => {
    try {
      readPlan(there);
      return true;
    } catch {
      return false;
    }
  };
  return needWritable({ path, flag: '--plan', kept, what: 'plan', isEarlier });
}

/** The rows of a plan by what they are before the load: those to send are not sent yet. */
function plannedCounts({ sheets }: LoadPlan): Counts {
  const counts = emptyCounts();
  const staying = ['leftOut', 'alreadyLoaded', 'changedSinceLoaded', 'unchanged', 'inDoubt', 'waiting'] as const;
  for (const sheet of sheets) {
    counts.rows += sheet.rows;
    counts.invalid += sheet.withErrors;
    for (const name of staying) counts[name] += sheet[name];
    counts.ready += staying.reduce((open, name) => open - sheet[name], sheet.rows - sheet.withErrors);
  }
  return counts;
}

/** What is not sent though its checks find no error. */
const notSent = ['alreadyLoaded', 'changedSinceLoaded', 'unchanged', 'inDoubt', 'waiting', 'heldBack'] as const;

/** Writes the plan and says what to do with it; gives the exit code of a check. */
function tellPlan(plan: LoadPlan, path: string, terminal: Terminal): number {
  try {
    writeWhole(path, `${JSON.stringify(plan, null, 2)}\n`);
  } catch (cause) {
    const message = `The plan cannot be written to ${path}${obstacleText(cause)}.`;
    throw new DealsheetError('usage', message, 'Name another place.', { cause });
  }
  const sum = (name: 'toSend' | 'onceMore' | 'withErrors' | (typeof notSent)[number]) =>
    plan.sheets.reduce((total, sheet) => total + sheet[name], 0);
  const repeated =
    sum('onceMore') === 0 ? '' : ` ${rows(sum('onceMore'))} of them would go out once more: equal ones are in.`;
  terminal.say(`${rows(sum('toSend'))} would be sent to ${plan.address}.${repeated}`);
  const others = notSent.filter((name) => sum(name) > 0).map((name) => `${rows(sum(name))} ${plannedWords[name]}`);
  if (others.length > 0) terminal.say(`Not sent: ${others.join('; ')}.`);
  if (sum('withErrors') > 0) terminal.warn(`Not sent for their errors: ${rows(sum('withErrors'))}.`);
  terminal.say(`Nothing was sent. The plan is in ${path}: load it with --apply ${shellWord(path)}.`);
  return sum('withErrors') > 0 ? exitCodes.failedChecks : exitCodes.allIn;
}
