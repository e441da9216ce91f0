/** A plan as a file, and what is said of it. */
import { type Counts, emptyCounts } from '../../contract/row-state.ts';
import { DealsheetError, obstacleText } from '../../errors.ts';
import { shellWord } from '../../messages/commands.ts';
import { type LoadPlan, plannedWords, readPlan } from '../../plan/written-plan.ts';
import { type KeptFile, needWritable } from '../../report/output-guard.ts';
import { writeWhole } from '../../report/write-whole.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { rows } from '../terminal/figures.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Tells before the work whether a plan can be written: one of earlier is replaced, and nothing else.
 *
 * @throws DealsheetError `usage`
 */
export function needPlanPlace(path: string, kept: readonly KeptFile[]): Promise<void> {
  return needWritable({ path, flag: '--plan', kept, what: 'plan', isEarlier: isPlan });
}

function isPlan(path: string): boolean {
  try {
    readPlan(path);
    return true;
  } catch {
    return false;
  }
}

/** The rows of a plan by what they are before the load: those to send are not sent yet. */
export function plannedCounts({ sheets }: LoadPlan): Counts {
  const counts = emptyCounts();
  for (const sheet of sheets) {
    const { rows: all, withErrors: invalid, leftOut, alreadyLoaded, inDoubt, waiting } = sheet;
    const { changedSinceLoaded, unchanged } = sheet;
    counts.rows += all;
    counts.invalid += invalid;
    counts.leftOut += leftOut;
    counts.alreadyLoaded += alreadyLoaded;
    counts.inDoubt += inDoubt;
    counts.waiting += waiting;
    counts.changedSinceLoaded += changedSinceLoaded;
    counts.unchanged += unchanged;
    counts.ready += all - invalid - leftOut - alreadyLoaded - changedSinceLoaded - unchanged - inDoubt - waiting;
  }
  return counts;
}

/** Writes the plan and says what to do with it; gives the exit code of a check. */
export function tellPlan(plan: LoadPlan, path: string, terminal: Terminal): number {
  try {
    writeWhole(path, `${JSON.stringify(plan, null, 2)}\n`);
  } catch (cause) {
    throw new DealsheetError(
      'usage',
      `The plan cannot be written to ${path}${obstacleText(cause)}.`,
      'Name another place.',
      { cause },
    );
  }
  const sum = (name: 'toSend' | 'onceMore' | 'withErrors') =>
    plan.sheets.reduce((total, sheet) => total + sheet[name], 0);
  const [onceMore, withErrors] = [sum('onceMore'), sum('withErrors')];
  const repeated = onceMore === 0 ? '' : ` ${rows(onceMore)} of them would go out once more: equal ones are in.`;
  terminal.say(`${rows(sum('toSend'))} would be sent to ${plan.address}.${repeated}`);
  const notSent = notSentBy(plan);
  if (notSent.length > 0) terminal.say(`Not sent: ${notSent.join('; ')}.`);
  if (withErrors > 0) terminal.warn(`Not sent for their errors: ${rows(withErrors)}.`);
  terminal.say(`Nothing was sent. The plan is in ${path}: load it with --apply ${shellWord(path)}.`);
  return withErrors > 0 ? exitCodes.failedChecks : exitCodes.allIn;
}

const notSentCounts = ['alreadyLoaded', 'changedSinceLoaded', 'unchanged', 'inDoubt', 'waiting', 'heldBack'] as const;

/** What is not sent though its checks find no error. */
function notSentBy({ sheets }: LoadPlan): readonly string[] {
  const counted = notSentCounts.map((name) => [sheets.reduce((sum, sheet) => sum + sheet[name], 0), name] as const);
  return counted.filter(([count]) => count > 0).map(([count, name]) => `${rows(count)} ${plannedWords[name]}`);
}
