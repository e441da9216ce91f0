/** A load as the page shows it: its progress, a few times a second, and its end. Also formats faults and counts for other views. */
import { allStates, type RowState, rowStates } from '../contract/row-state.ts';
import { isDealsheetError } from '../errors.ts';
import type { RunCounts } from '../ledger/ledger.ts';
import { isUnfinished } from '../ledger/run-records.ts';
import { silentImport } from '../load/defaults.ts';
import type { SendingEvents, SendingResult } from '../load/sending.ts';
import type { Message } from '../messages/message.ts';
import { errorOf, messageOf, textOf } from '../messages/text.ts';
import type { ServiceEvents } from '../service/outcome.ts';
import type { Fault, LoadShown, StateCount } from './protocol.ts';

/** What a person sees of an error, without a stack trace. */
export function faultOf(error: unknown): Fault {
  const { message, remedy } = isDealsheetError(error) ? error : errorOf('unexpected');
  return { message, remedy };
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
  run: null,
  address: null,
  toSend: 0,
  states: [],
  waiting: null,
  isStopping: false,
  faults: [],
  notices: [],
  canResume: false,
};

interface LoadListeners {
  onRun(run: string): void;
  onChange(changes: Partial<LoadShown>): void;
}

export type Sending = (events: SendingEvents, of: ServiceEvents, signal: AbortSignal) => Promise<SendingResult | null>;

export type RunningLoad = ReturnType<typeof runLoad>;

export function runLoad(send: Sending, { onRun, onChange }: LoadListeners) {
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
    onReport: () => showCounts(textOf(messageOf('page-reporting'))),
  };
  const ofService: ServiceEvents = {
    onWait: ({ code, status, milliseconds }) =>
      showCounts(goesOnIn(messageOf(`pause-${code}`, { status }), milliseconds, false)),
    onLost: ({ fault, milliseconds }) => showCounts(goesOnIn(fault, milliseconds, true)),
  };
  const endOf = (faults: readonly Fault[], isStopped: boolean): Partial<LoadShown> => ({
    states: stateCounts(counts),
    waiting: null,
    faults,
    canResume: isStopped && began !== null,
  });
  const cameOf = (result: SendingResult | null): Partial<LoadShown> => {
    if (result === null) return endOf([faultOf(errorOf('page-load-none'))], false);
    const { stopReason, interrupted, unwritten, sourceChanged, notices } = result;
    const faults: Fault[] = [];
    if (stopReason !== null) faults.push({ message: textOf(stopReason.message), remedy: textOf(stopReason.remedy) });
    if (unwritten !== null) faults.push(faultOf(unwritten));
    const of = allStates.map((state) => [state, result.counts[rowStates[state].count] || undefined]);
    const rows: RunCounts = Object.fromEntries(of);
    const isStopped = (stopReason !== null || interrupted) && isUnfinished(rows);
    if (interrupted) faults.push(faultOf(errorOf('page-load-stopped', { canResume: isStopped })));
    if (sourceChanged) faults.push(faultOf(errorOf('page-source-changed')));
    const said = { run: result.run, states: stateCounts(rows), notices: [...warnings, ...notices] };
    return { ...endOf(faults, isStopped), ...said };
  };
  return {
    ended: send(events, ofService, controller.signal).then(cameOf, (error: unknown) => endOf([faultOf(error)], true)),
    /** Starts no new request; requests in flight may finish. */
    stop: () => {
      controller.abort();
      onChange({ isStopping: true });
    },
  };
}

function goesOnIn(why: Message, milliseconds: number, isLost: boolean): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return textOf(messageOf('page-goes-on', { why, isLost, seconds, isOne: seconds === 1 }));
}
