/** A load as the page shows it: on its way, a few times a second, and what came of it. Faults and counts are shown alike elsewhere. */
import { allStates, type RowState, rowStates } from '../contract/row-state.ts';
import { type ErrorCode, isDealsheetError } from '../errors.ts';
import { silentImport } from '../load/defaults.ts';
import type { SendingEvents, SendingResult } from '../load/sending.ts';
import { serviceMessage } from '../messages/service.ts';
import { textOf } from '../messages/text.ts';
import { millisecondsOfSecond } from '../seconds.ts';
import type { ServiceEvents } from '../service/outcome.ts';
import type { Fault, LoadShown, StateCount } from './protocol.ts';

/** What helps on the page, where a command would not. */
const remedies: Readonly<Partial<Record<ErrorCode, string>>> = {
  'unmatched-columns':
    'Say under “How it is read” what the rows and the columns are, or leave out what no field takes.',
};

/** What a person is told of an error: never where it stands in the program. */
export function faultOf(error: unknown): Fault {
  if (isDealsheetError(error)) return { message: error.message, remedy: remedies[error.code] ?? error.remedy };
  return { message: 'Something went wrong inside dealsheet.', remedy: 'What was sent is in the ledger. Try again.' };
}

export function stateCounts(rows: Readonly<Partial<Record<RowState, number>>>): readonly StateCount[] {
  return allStates.flatMap((state): StateCount[] => {
    const count = rows[state] ?? 0;
    return count === 0 ? [] : [[state, rowStates[state].status, count]];
  });
}

/** A person sees no more than a few figures a second. */
export const betweenMs = 200;

export const nothingSent: LoadShown = {
  ...{ run: null, toSend: 0, states: [], waiting: null },
  ...{ isStopping: false, faults: [], canResume: false },
};

interface LoadListeners {
  onRun(run: string): void;
  onChange(changes: Partial<LoadShown>): void;
}

export type Sending = (events: SendingEvents, of: ServiceEvents, signal: AbortSignal) => Promise<SendingResult | null>;

export class RunningLoad {
  readonly ended: Promise<Partial<LoadShown>>;
  readonly #listeners: LoadListeners;
  readonly #controller = new AbortController();
  readonly #counts: Partial<Record<RowState, number>> = {};
  readonly #faults: Fault[] = [];
  #run: string | null = null;
  #shownAt = 0;

  constructor(send: Sending, listeners: LoadListeners) {
    this.#listeners = listeners;
    this.ended = send(this.#events, this.#ofService, this.#controller.signal).then(
      (result) => this.#came(result),
      (error: unknown) => this.#end([faultOf(error)], true),
    );
  }

  /** Nothing new is sent; what is under way may finish. */
  stop(): void {
    this.#controller.abort();
    this.#listeners.onChange({ isStopping: true });
  }

  get #events(): SendingEvents {
    return {
      ...silentImport,
      onHealth: (health) => {
        if (health.state === 'warning') this.#faults.push({ message: textOf(health.message), remedy: '' });
      },
      onBegin: (run, preview) => {
        this.#run = run;
        this.#listeners.onRun(run);
        this.#listeners.onChange({ run, toSend: preview.sheets.reduce((sum, sheet) => sum + sheet.toSend, 0) });
      },
      onRow: ({ state }) => {
        this.#counts[state] = (this.#counts[state] ?? 0) + 1;
        if (performance.now() - this.#shownAt > betweenMs) this.#showCounts(null);
      },
      onReport: () => this.#showCounts('Writing the results.'),
    };
  }

  get #ofService(): ServiceEvents {
    return {
      onWait: ({ code, status, milliseconds }) =>
        this.#showCounts(`${textOf(serviceMessage(`pause-${code}`, { status }))} ${goesOnIn(milliseconds)}`),
      onLost: ({ fault, milliseconds }) =>
        this.#showCounts(`${textOf(fault)} It is tried again. ${goesOnIn(milliseconds)}`),
    };
  }

  #came(result: SendingResult | null): Partial<LoadShown> {
    if (result === null) return this.#end([{ message: 'Nothing was sent.', remedy: '' }], false);
    const { counts, stopReason, interrupted, sourceChanged } = result;
    const faults = [...this.#faults];
    if (stopReason !== null) faults.push({ message: textOf(stopReason.message), remedy: textOf(stopReason.remedy) });
    if (interrupted) faults.push({ message: 'You stopped the load.', remedy: 'Go on to send the rows that are left.' });
    if (sourceChanged) faults.push({ message: 'The file was changed while it was loaded.', remedy: 'Open it again.' });
    const states = stateCounts(Object.fromEntries(allStates.map((state) => [state, counts[rowStates[state].count]])));
    return { ...this.#end(faults, stopReason !== null || interrupted), run: result.run, states };
  }

  #end(faults: readonly Fault[], isStopped: boolean): Partial<LoadShown> {
    return { states: stateCounts(this.#counts), waiting: null, faults, canResume: isStopped && this.#run !== null };
  }

  #showCounts(waiting: string | null): void {
    this.#shownAt = performance.now();
    this.#listeners.onChange({ states: stateCounts(this.#counts), waiting });
  }
}

function goesOnIn(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / millisecondsOfSecond);
  return `Sending goes on by itself in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`;
}
