/** `dealsheet import FILE`: load a file, and write what became of every row. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Counts, emptyCounts } from '../../contract/row-state.ts';
import { DealsheetError, obstacleText } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { shellWord } from '../../messages/commands.ts';
import { needOtherMaker } from '../../plan/load-plan.ts';
import { type LoadPlan, plannedWords, readPlan } from '../../plan/written-plan.ts';
import { type KeptFile, needWritable } from '../../report/output-guard.ts';
import { writeWhole } from '../../report/write-whole.ts';
import { filesOfLedger, ledgerFiles, tellFlagsOf, withLedger } from '../../settings/ledger-choice.ts';
import { chooseService, needsApproval, type ServiceChoice } from '../../settings/service-choice.ts';
import { openService } from '../../settings/service-session.ts';
import { command } from '../command.ts';
import { addressFlags, type FlagsNamed, paceFlags, standardInputWord, withFlags } from '../flags.ts';
import { concluded, duringLoad, type LoadCame, noticeFor, sendingOptions, unlikeOf } from '../loading.ts';
import { expectationsOf, fileOf, filePlace, readingFlags, rememberNamed } from '../reading.ts';
import { EventLog } from '../talk/event-log.ts';
import type { JsonAnswer } from '../talk/json-answer.ts';
import { sendingEvents, tellEnd, tellPreview } from '../talk/sending-talk.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { rows } from '../terminal/figures.ts';
import { needConfirmation, openTerminal, type Terminal } from '../terminal/terminal.ts';

const importFlags = [
  ...[...readingFlags, ...addressFlags, ...paceFlags],
  ...(['fresh', 'yes', 'limit', 'sandbox-data', 'expect-count', 'expect-total', 'expect-like-last'] as const),
  ...(['plan', 'apply', 'all-or-nothing', 'again', 'skip-loaded', 'trust-results'] as const),
  ...(['log', 'notify', 'json', 'quiet'] as const),
] as const;

export interface ImportFlags extends FlagsNamed<typeof importFlags> {
  readonly file: string;
}

export const importCommand = command({
  command: 'import <file>',
  describe: 'Load a file into the service and write what became of every row',
  examples: [
    ['dealsheet import month.xlsx --sandbox', 'rehearse it on this computer'],
    ['dealsheet import month.xlsx --profile live', 'load it; results in month.results.xlsx'],
    ['dealsheet import deals.csv --url https://service.example --limit 5', 'a trial of the first five rows'],
  ],
  builder: (yargs) => withFlags(yargs.positional('file', filePlace), ...importFlags),
  takesDashAt: ['file'],
  run: async (flags, answer) => (await loadFile(flags, answer)).code,
});

/** @throws DealsheetError when nothing was sent, or the load broke off */
export async function loadFile(given: ImportFlags, answer: JsonAnswer): Promise<LoadCame> {
  const terminal = openTerminal(given);
  const flags = given.fresh ? afresh(given, terminal) : given;
  answer.about({ file: fileOf(flags.file) });
  const { importFile, planImport } = await import('../../load/import-file.ts');
  const source = flags.file === standardInputWord ? undefined : flags.file;
  // What the load reads and remembers in: nothing else is written there.
  const own = [...kept(source, 'the source'), ...filesOfLedger(ledgerFiles(flags))];
  if (flags.plan !== undefined) await needPlanPlace(flags.plan, [...own, ...kept(flags.log, 'the log')]);
  const results = kept(flags.results, 'the place of the results');
  const log = await EventLog.open(flags.log, [...own, ...results], terminal);
  const notice = noticeFor(flags, flags.file, terminal);
  return concluded({ log, answer, terminal, notice }, async () => {
    const choice = chooseService(flags);
    if (flags.plan === undefined) needConfirmation(flags, terminal);
    const open = () => openService(choice, flags.sandboxData);
    return withLedger(flags, (ledger) =>
      duringLoad({ terminal, answer, ledger, log, flags, open }, async (underWay) => {
        const { talk } = underWay;
        rememberNamed(flags, terminal);
        const options = {
          ...sendingOptions(flags, choice, underWay),
          again: flags.again,
          allOrNothing: flags.allOrNothing,
          trustResults: flags.trustResults,
          expectations: expectationsOf(flags),
          likeLast: flags.expectLikeLast ?? null,
          plan: approvedPlan(flags, choice, ledger),
          limit: flags.limit ?? null,
        };
        const events = log.watch(sendingEvents(talk));
        if (flags.plan !== undefined) {
          const { plan, preview } = await planImport(options, ledger, events);
          tellPreview(talk, preview);
          const code = tellPlan(plan, flags.plan, terminal);
          answer.about({ service: plan.address });
          answer.giveUnsent(plannedCounts(plan));
          return { code, planned: plan };
        }
        const result = await importFile(options, underWay.connect, ledger, events);
        const unlike = await unlikeOf(notice, result?.run ?? null, ledger);
        return { code: tellEnd(talk, result), result, unlike };
      }),
    );
  });
}

interface FreshFlags {
  readonly sandbox: boolean;
  readonly ledger?: string | undefined;
  readonly sandboxData?: string | undefined;
}

/** The same, with a sandbox and a ledger that nothing has gone into, in a folder of their own. */
function afresh<Flags extends FreshFlags>(flags: Flags, terminal: Terminal): Flags {
  if (!flags.sandbox || (flags.ledger ?? flags.sandboxData) !== undefined)
    throw new DealsheetError(
      'usage',
      '--fresh makes a sandbox and a ledger of its own.',
      'Give it with --sandbox, and without --ledger and --sandbox-data. Nothing was sent.',
    );
  const folder = mkdtempSync(join(tmpdir(), 'dealsheet-fresh-'));
  const fresh = { ...flags, ledger: join(folder, 'ledger.db'), sandboxData: join(folder, 'sandbox.db') };
  tellFlagsOf(fresh);
  terminal.say(`A clean sandbox and a clean ledger are in ${folder}. Delete the folder when you are done with them.`);
  return fresh;
}

/** @throws DealsheetError `usage` where the profile wants somebody else to have planned the load, and nobody else has */
function approvedPlan(
  { plan, apply }: { readonly plan: string | undefined; readonly apply: string | undefined },
  { owner }: ServiceChoice,
  ledger: Ledger,
): LoadPlan | null {
  const applied = apply === undefined ? null : readPlan(apply);
  if (plan !== undefined || owner?.profile.approval !== 'other') return applied;
  if (applied === null) throw needsApproval(owner.name);
  needOtherMaker(applied, ledger);
  return applied;
}

function kept(path: string | undefined, what: string): readonly KeptFile[] {
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
    sum('onceMore') === 0 ? '' : ` ${sum('onceMore')} of them would be sent again: equal ones are already loaded.`;
  terminal.say(`${rows(sum('toSend'))} would be sent to ${plan.address}.${repeated}`);
  const others = notSent.filter((name) => sum(name) > 0).map((name) => `${rows(sum(name))} ${plannedWords[name]}`);
  if (others.length > 0) terminal.say(`Not sent: ${others.join('; ')}.`);
  if (sum('withErrors') > 0) terminal.warn(`Not sent for their errors: ${rows(sum('withErrors'))}.`);
  terminal.say(`Nothing was sent. The plan is in ${path}: load it with --apply ${shellWord(path)}.`);
  return sum('withErrors') > 0 ? exitCodes.failedChecks : exitCodes.allIn;
}
