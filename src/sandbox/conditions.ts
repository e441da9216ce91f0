/** The conditions under which requests are answered: faults, rate and latency. All can be changed while the sandbox runs. */
import type { EndpointName } from '../contract/endpoints.ts';
import { DealsheetError } from '../errors.ts';
import { type ChosenFaults, openFaults, randomNumbers } from './faults.ts';

/** Milliseconds that every request waits: a fixed time when both are equal. */
export interface Latency {
  readonly from: number;
  readonly to: number;
}

export interface ConditionSettings {
  readonly faults: ChosenFaults;
  readonly ratePerSecond: number | null;
  readonly latency: Latency;
}

export type Conditions = ReturnType<typeof openConditions>;

/** @param clock  milliseconds since 1970 */
export function openConditions(initial: ConditionSettings, clock: () => number) {
  let settings = initial;
  const opened = ({ faults }: ConditionSettings) => ({ next: openFaults(faults), draw: randomNumbers(faults.seed) });
  let faults = opened(initial);
  let secondsToWait = openRateLimit(initial.ratePerSecond, clock);
  return {
    settings: () => settings,
    change(changes: Partial<ConditionSettings>) {
      settings = { ...settings, ...changes };
      if (changes.faults !== undefined) faults = opened(settings);
      if (changes.ratePerSecond !== undefined) secondsToWait = openRateLimit(settings.ratePerSecond, clock);
    },
    /** The fault of the next request, if any. */
    nextFault: (endpoint: EndpointName) => faults.next(endpoint),
    /** Seconds for which the next request is sent away, or 0. */
    secondsToWait: () => secondsToWait(),
    /** Milliseconds that the next request takes longer. */
    nextDelay() {
      const { from, to } = settings.latency;
      return from === to ? from : from + faults.draw() * (to - from);
    },
  };
}

/**
 * Reads `--latency`: `50` for fifty milliseconds, `20-80` for something between.
 *
 * @throws DealsheetError `usage`
 */
export function parseLatency(text: string): Latency {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text.trim());
  const from = Number(match?.[1]);
  const to = Number(match?.[2] ?? match?.[1]);
  if (match !== null && from <= to) return { from, to };
  throw new DealsheetError(
    'usage',
    `The latency "${text}" cannot be read.`,
    'Write milliseconds, such as 50, or a spread, such as 20-80.',
  );
}

/** Lets one second's worth through at once: gives the seconds that a request has to wait, or 0 when it may pass. */
function openRateLimit(ratePerSecond: number | null, clock: () => number): () => number {
  if (ratePerSecond === null) return () => 0;
  const each = 1000 / ratePerSecond;
  let paidUntil = 0;
  return () => {
    const until = Math.max(clock(), paidUntil) + each;
    const waitMs = until - clock() - Math.max(1000, each);
    if (waitMs > 0) return Math.ceil(waitMs / 1000);
    paidUntil = until;
    return 0;
  };
}
