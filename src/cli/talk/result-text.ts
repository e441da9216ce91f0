/** What a person is told at the end of a load, and the one JSON object that a program gets. */
import { basename } from 'node:path';
import { type RowState, rowStates } from '../../contract/row-state.ts';
import type { CheckResult } from '../../load/check-file.ts';
import type { SendingResult } from '../../load/sending.ts';
import { commandText } from '../../messages/commands.ts';
import { textOf } from '../../messages/text.ts';
import { rounded } from '../../seconds.ts';
import { standardInput } from '../../staging/source/snapshot.ts';
import type { SheetTotals } from '../../workbooks/results-summary.ts';
import { duration, rows } from '../terminal/figures.ts';

interface ResultJson extends Omit<CheckResult, 'besides' | 'preview'> {
  readonly run: string | null;
  readonly service: string | null;
}

export function resultJson({ run, service, file, results, counts, findings, ...others }: ResultJson): object {
  const totals = others.totals.map(totalsJson);
  return { run, service, file, results, seconds: rounded(others.seconds), counts, totals, findings };
}

/** The names of `counts`, for rows and for sums: a program adds them up to what was in the source. */
function totalsJson({ name, kind, rows, byState, amounts }: SheetTotals): object {
  const byCount = <Value>(values: Readonly<Partial<Record<RowState, Value>>>) =>
    Object.fromEntries(Object.entries(values).map(([state, value]) => [rowStates[state as RowState].count, value]));
  const { byState: sums = {}, source, unreadable, leftOut } = amounts ?? {};
  const ofAmounts = amounts === null ? null : { source, unreadable, leftOut, byStatus: byCount(sums) };
  return { sheet: name, kind, rows, byStatus: byCount(byState), amounts: ofAmounts };
}

export interface LoadKind {
  /** The rows of a trial, or `null` when the whole file was meant. */
  readonly limit: number | null;
  /** Into the sandbox of a command. */
  readonly isRehearsal: boolean;
}

export function resultText(result: SendingResult, kind: LoadKind): string {
  const { run, counts, seconds, stopReason } = result;
  const lines = (Object.keys(rowStates) as RowState[]).flatMap((state) => {
    const { count: name, status } = rowStates[state];
    const count = counts[name];
    const remedy = remedyOf(state, result, kind).join(`\n${besideStatus}`);
    return count === 0 ? [] : [`  ${String(count).padStart(7)}  ${status}${remedy === '' ? '' : `. ${remedy}`}`];
  });
  return [
    run === null ? 'Nothing was sent.' : `Run ${run}: ${rows(counts.rows)} in ${duration(seconds)}.`,
    ...lines,
    ...(result.heldBack ? ['Some rows failed the checks, and --all-or-nothing holds the others back.'] : []),
    ...(stopReason === null ? [] : [`The run stopped: ${textOf(stopReason.message)}`, textOf(stopReason.remedy)]),
    ...(result.sourceChanged
      ? ['The file was changed while it was loaded. What was loaded is the file as it was at the start.']
      : []),
    `Results: ${result.results}`,
  ].join('\n');
}

/** Under the words beside a count. */
const besideStatus = ' '.repeat(11);

/** What to do about rows of a state that is not in, in lines. */
function remedyOf(state: RowState, result: SendingResult, { limit, isRehearsal }: LoadKind): readonly string[] {
  const { run, heldBack, file, original } = result;
  const source = file === standardInput ? 'the source' : basename(original);
  const isStopped = result.stopReason !== null || result.interrupted;
  switch (state) {
    case 'invalid':
    case 'rejected':
      // The results of a rehearsal hide the SSN and the date of birth of each row that is in the sandbox.
      if (isRehearsal)
        return [
          `Correct them in ${source} and rehearse again: do not load this results file, which may have stars in place of values.`,
        ];
      return [
        state === 'invalid'
          ? 'Correct the marked cells in the results sheet and import it again.'
          : 'The service said no. Correct the rows as the Problems column says and import the sheet again.',
      ];
    case 'left-out':
      return [
        'Total rows, example rows, or what a profile names so: in no sum. The note of each row says how to send it.',
      ];
    case 'changed-since-loaded': {
      const told =
        'Loaded earlier, and the row has other values now: the change was not sent. The Problems column says what to do.';
      const areCompanies = result.totals.some(({ kind, byState }) => kind === 'companies' && byState[state]);
      if (run === null || !areCompanies) return [told];
      return [told, `Write the changes of companies as updates with: ${commandText('results', run)} --only changed`];
    }
    case 'failed':
      return ['These were not taken, and the retries are used up. Import the file again later.'];
    case 'waiting':
      return ['What they belong to is not in, or has changed: the Problems column says which row, and what to do.'];
    case 'in-doubt': {
      const sent = 'Sent, but no clear answer came: they may or may not be in.';
      // A load that began no run met doubts of earlier ones: each row says of which.
      if (run === null) return [`${sent} Look them up in the service, then settle them as their Problems cells say`];
      const settle = commandText('resolve', run, '--row', 'SHEET!N');
      return [
        `${sent} List them with: ${commandText('runs', run)}`,
        `Look each up in the service, then settle it with: ${settle} --created ID, or --not-created`,
      ];
    }
    case 'not-sent':
    case 'ready':
      if (heldBack)
        return [`Correct the rows that failed${isRehearsal ? ` in ${source}` : ''}: these go in with them.`];
      if (isStopped) return [`Import the file again, or continue with: ${commandText('resume', run ?? 'RUN')}`];
      if (limit !== null) return ['Import the file again without --limit: what is in is not sent a second time.'];
      return ['The Problems column says why, and what to do.'];
    default:
      return [];
  }
}

const reasonsToKeep: Readonly<Record<NonNullable<SendingResult['besides']>['why'], string>> = {
  changed: 'was changed since it was written (or was not written here)',
  'of others': 'holds the results of another file, load or service',
  loaded: 'is the file that was loaded',
  'open elsewhere': 'cannot be replaced (perhaps it is open in another program)',
};

/** Where the file is that had the name of the results, or which name they have besides it; nothing when there was none. */
export function besidesText(besides: SendingResult['besides'], results: string | null): readonly string[] {
  if (besides === null || results === null) return [];
  const { path, why, movedTo } = besides;
  const kept = `${basename(path)} ${reasonsToKeep[why]}, so it is kept`;
  return [
    movedTo === null
      ? `${kept}. The new results are ${basename(results)}.`
      : `${kept} as ${basename(movedTo)}. ${basename(results)} has the new results.`,
  ];
}
