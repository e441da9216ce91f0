/** What a person is told at the end of a load, and the one JSON object that a program gets. */

import { basename } from 'node:path';
import { type Counts, type RowState, rowStates } from '../../contract/row-state.ts';
import type { SendingResult } from '../../load/sending.ts';
import type { FindingCount } from '../../mapping/finding-groups.ts';
import { commandText } from '../../messages/commands.ts';
import { textOf } from '../../messages/text.ts';
import { rounded } from '../../seconds.ts';
import { standardInput } from '../../staging/source/snapshot.ts';
import type { SheetTotals } from '../../workbooks/results-summary.ts';
import { rows } from '../terminal/figures.ts';
import { duration } from '../terminal/progress.ts';

export interface ResultJson {
  readonly run: string | null;
  readonly service: string | null;
  readonly file: string;
  readonly results: string | null;
  readonly seconds: number;
  readonly counts: Counts;
  /** Of each sheet: rows and, where the kind has amounts, their exact sums as decimal digits. */
  readonly totals: readonly SheetTotals[];
  readonly findings: readonly FindingCount[];
}

export function resultJson(result: ResultJson): string {
  const { run, service, file, results, counts, findings } = result;
  const totals = result.totals.map(totalsJson);
  const seconds = rounded(result.seconds);
  return JSON.stringify({ run, service, file, results, seconds, counts, totals, findings });
}

/** The names of `counts`, for rows and for sums: a program adds them up to what was in the source. */
function totalsJson({ name, kind, rows, byState, amounts }: SheetTotals): unknown {
  const byCount = <Value>(values: Readonly<Partial<Record<RowState, Value>>>) =>
    Object.fromEntries(Object.entries(values).map(([state, value]) => [rowStates[state as RowState].count, value]));
  const sums =
    amounts === null
      ? null
      : {
          source: amounts.source,
          unreadable: amounts.unreadable,
          leftOut: amounts.leftOut,
          byStatus: byCount(amounts.byState),
        };
  return { sheet: name, kind, rows, byStatus: byCount(byState), amounts: sums };
}

/** What to do about each state that is not in, whatever the run. */
const remedies: Readonly<Partial<Record<RowState, string>>> = {
  invalid: 'Correct the marked cells in the results sheet and import it again.',
  rejected: 'The service said no. Correct the rows as the Problems column says and import the sheet again.',
  'left-out':
    'Total rows, example rows, or what a profile names so: in no sum. The note of each row says how to send it.',
  'changed-since-loaded':
    'Loaded earlier, and the row has other values now: the change was not sent. The Problems column says what to do.',
  failed: 'These were not taken, and the retries are used up. Import the file again later.',
};

/** Of a rehearsal: its results hide the SSN and the date of birth of each row that is in the sandbox. */
function correctTheSource(source: string): string {
  return `Correct them in ${nameOf(source)} and rehearse again: do not load this results file, whose hidden cells are stars.`;
}

function nameOf(source: string): string {
  return source === standardInput ? 'the source' : basename(source);
}

const reasonsToKeep: Readonly<Record<NonNullable<SendingResult['besides']>['why'], string>> = {
  changed: 'was changed since it was written (or was not written here)',
  'of another service': 'holds the results of a load into another service',
  'of a load': 'holds the results of a load, and nothing was sent this time',
  loaded: 'is the file that was loaded',
  'open elsewhere': 'cannot be replaced (perhaps it is open in another program)',
};

/** Where the file is that had the name of the results, or which name they have besides it; `null` when there was none. */
export function besidesText(besides: SendingResult['besides'], results: string | null): string | null {
  if (besides === null || results === null) return null;
  const { path, why, movedTo } = besides;
  const kept = `${basename(path)} ${reasonsToKeep[why]}, so it is kept`;
  return movedTo === null
    ? `${kept}. The new results are ${basename(results)}.`
    : `${kept} as ${basename(movedTo)}. ${basename(results)} has the new results.`;
}

/** What to do about rows that were not sent hangs on why: only a run that stopped can be resumed. */
function remedyOfNotSent(
  { run, file, stopReason, interrupted, heldBack }: EndedLoad,
  { limit, isRehearsal }: LoadKind,
): string {
  if (heldBack) {
    const failed = isRehearsal ? `in ${nameOf(file)} and rehearse` : 'in the results sheet and import it';
    return `Correct the rows that failed ${failed} again: these go in with them.`;
  }
  if (stopReason !== null || interrupted)
    return `Import the file again, or go on with: ${commandText('resume', run ?? 'RUN')}`;
  if (limit === null) return 'The Problems column says of each row why, and what to do.';
  return 'Import the file again without --limit: what is in is not sent a second time.';
}

/** The old file says of the parent what it said before: it is corrected in the results, unless they are of a rehearsal. */
function remedyOfWaiting({ stopReason, interrupted }: EndedLoad, { isRehearsal }: LoadKind): string {
  return isRehearsal || interrupted || stopReason !== null
    ? 'What they belong to is not in, or has changed. These go in with it.'
    : 'What they belong to is not in, or has changed: the Problems column says which row, and what to do.';
}

/** Under the words beside a count. */
const besideStatus = ' '.repeat(11);

/** A load that began no run met doubts of earlier ones: each row says of which. */
function remedyOfDoubt({ run }: EndedLoad): string {
  const sent = 'Sent, and no clear answer came: nobody knows whether they are in.';
  if (run === null) return `${sent} Look them up in the service, then settle them as their Problems cells say`;
  return [
    `${sent} List them with: ${commandText('runs', run)}`,
    `Look each up in the service, then settle it with: ${commandText('resolve', run, '--row', 'SHEET!N')} --created ID, or --not-created`,
  ].join(`\n${besideStatus}`);
}

function remedyOf(state: RowState, result: EndedLoad, kind: LoadKind): string | undefined {
  if (state === 'not-sent' || state === 'ready') return remedyOfNotSent(result, kind);
  if (state === 'in-doubt') return remedyOfDoubt(result);
  if (state === 'waiting') return remedyOfWaiting(result, kind);
  const isCorrected = state === 'invalid' || state === 'rejected';
  return kind.isRehearsal && isCorrected ? correctTheSource(result.file) : remedies[state];
}

export interface LoadKind {
  /** The rows of a trial, or `null` when the whole file was meant. */
  readonly limit: number | null;
  /** Into the sandbox of a command. */
  readonly isRehearsal: boolean;
}

type EndedLoad = Pick<
  SendingResult,
  'file' | 'counts' | 'results' | 'run' | 'seconds' | 'stopReason' | 'interrupted' | 'sourceChanged' | 'heldBack'
>;

export function resultText(result: EndedLoad, kind: LoadKind): string {
  const states = Object.keys(rowStates) as RowState[];
  const lines = states.flatMap((state) => {
    const count = result.counts[rowStates[state].count];
    if (count === 0) return [];
    const remedy = remedyOf(state, result, kind);
    return [`  ${String(count).padStart(7)}  ${rowStates[state].status}${remedy === undefined ? '' : `. ${remedy}`}`];
  });
  const head =
    result.run === null
      ? 'Nothing was sent.'
      : `Run ${result.run}: ${rows(result.counts.rows)} in ${duration(result.seconds)}.`;
  const heldBack = result.heldBack ? ['Some rows failed the checks, and --all-or-nothing holds the others back.'] : [];
  const stop =
    result.stopReason === null
      ? []
      : [`The run stopped: ${textOf(result.stopReason.message)}`, textOf(result.stopReason.remedy)];
  const changed = result.sourceChanged
    ? ['The file was changed while it was loaded. What was loaded is the file as it was at the start.']
    : [];
  const place = result.results === null ? [] : [`Results: ${result.results}`];
  return [head, ...lines, ...heldBack, ...stop, ...changed, ...place].join('\n');
}
