/** A load as the page shows it: its progress, a few times a second, and its end. Also formats faults and counts for other views. */
import { allStates, type RowState, rowStates } from '../contract/row-state.ts';
import { isDealsheetError } from '../errors.ts';
import type { RunCounts } from '../ledger/ledger.ts';
import { isUnfinished } from '../ledger/run-records.ts';
import { silentImport } from '../load/defaults.ts';
import type { SendingEvents, SendingResult } from '../load/sending.ts';
import { messageOf, textOf } from '../messages/text.ts';
import type { ServiceEvents } from '../service/outcome.ts';
import type { Fault, LoadShown, StateCount } from './protocol.ts';

/** What a person sees of an error, without a stack trace. */
export function faultOf(error: unknown): Fault {
  if (isDealsheetError(error)) return { message: error.message, remedy: error.remedy };
  return { message: 'Something went wrong inside dealsheet.', remedy: 'What was sent is in the ledger. Try again.' };
}

export function stateCounts(rows: Readonly<Partial<Record<RowState, number>>>): readonly StateCount[] {
  return allStates.flatMap((state): StateCount[] => {
    const count = rows[state] ?? 0;
    return count === 0 ? [] : [[state, rowStates[state].status, count]];
  });
}

/** A person cannot read more than a few updates a second. */
export const betweenMs = 200;

export const nothingSent: LoadShown = {
  ...{ run: null, address: null, toSend: 0, states: [], waiting: null },
  ...{ isStopping: false, faults: [], notices: [], canResume: false },
};

interface LoadListeners {
  onRun(run: string): void;
  onChange(changes: Partial<LoadShown>): void;
}

export type Sending = (events: SendingEvents, of: ServiceEvents, signal: AbortSignal) => Promise<SendingResult | null>;

export interface RunningLoad {
  readonly ended: Promise<Partial<LoadShown>>;
  /** Starts no new request; requests in flight may finish. */
  stop(): void;
}

export function runLoad(send: Sending, { onRun, onChange }: LoadListeners): RunningLoad {
  const controller = new AbortController();
  const counts: Partial<Record<RowState, number>> = {};
  const warnings: string[] = [];
  let began: string | null = null;
  let shownAt = 0;
  const showCounts = (waiting: string | null) => {
    shownAt = performance.now();
    onChange({ states: stateCounts(counts), waiting });
  };
  const events: SendingEvents = {
    ...silentImport,
    onHealth: (health) => {
      if (health.state === 'warning') warnings.push(textOf(health.message));
    },
    onBegin: (run, preview) => {
      began = run;
      onRun(run);
      onChange({ run, toSend: preview.sheets.reduce((sum, sheet) => sum + sheet.toSend, 0) });
    },
    onRow: ({ state }) => {
      counts[state] = (counts[state] ?? 0) + 1;
      if (performance.now() - shownAt > betweenMs) showCounts(null);
    },
    onReport: () => showCounts('Writing the results.'),
  };
  const ofService: ServiceEvents = {
    onWait: ({ code, status, milliseconds }) =>
      showCounts(`${textOf(messageOf(`pause-${code}`, { status }))} ${goesOnIn(milliseconds)}`),
    onLost: ({ fault, milliseconds }) => showCounts(`${textOf(fault)} It is tried again. ${goesOnIn(milliseconds)}`),
  };
  const endOf = (faults: readonly Fault[], isStopped: boolean): Partial<LoadShown> => ({
    states: stateCounts(counts),
    waiting: null,
    faults,
    canResume: isStopped && began !== null,
  });
  const cameOf = (result: SendingResult | null): Partial<LoadShown> => {
    if (result === null) return endOf([{ message: 'Nothing was sent.', remedy: '' }], false);
    const { stopReason, interrupted, unwritten, sourceChanged, notices } = result;
    const faults: Fault[] = [];
    if (stopReason !== null) faults.push({ message: textOf(stopReason.message), remedy: textOf(stopReason.remedy) });
    if (unwritten !== null) faults.push(faultOf(unwritten));
    const of = allStates.map((state) => [state, result.counts[rowStates[state].count] || undefined]);
    const rows: RunCounts = Object.fromEntries(of);
    const isStopped = (stopReason !== null || interrupted) && isUnfinished(rows);
    const remedy = isStopped ? 'Go on to send the rows that are left.' : '';
    if (interrupted) faults.push({ message: 'You stopped the load.', remedy });
    if (sourceChanged) faults.push({ message: 'The file was changed while it was loaded.', remedy: 'Open it again.' });
    const said = { run: result.run, states: stateCounts(rows), notices: [...warnings, ...notices] };
    return { ...endOf(faults, isStopped), ...said };
  };
  return {
    ended: send(events, ofService, controller.signal).then(cameOf, (error: unknown) => endOf([faultOf(error)], true)),
    stop: () => {
      controller.abort();
      onChange({ isStopping: true });
    },
  };
}

function goesOnIn(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `Sending goes on by itself in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`;
}
