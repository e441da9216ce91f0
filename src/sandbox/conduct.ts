/** How the sandbox behaves at the moment: faults, rate and latency. All of it can be changed while it runs. */
import type { EndpointName } from '../contract/endpoints.ts';
import { DealsheetError } from '../errors.ts';
import { type ChosenFaults, type FaultName, openFaults, randomNumbers } from './faults.ts';
import { openRateLimit } from './rate-limit.ts';

/** Milliseconds that every request waits: a fixed time when both are equal. */
export interface Latency {
  readonly from: number;
  readonly to: number;
}

export interface ConductSettings {
  readonly faults: ChosenFaults;
  readonly ratePerSecond: number | null;
  readonly latency: Latency;
}

export interface Conduct {
  readonly settings: ConductSettings;
  change(changes: Partial<ConductSettings>): void;
  /** The fault of the next request, if any. */
  nextFault(endpoint: EndpointName): FaultName | null;
  /** Seconds for which the next request is sent away, or 0. */
  secondsToWait(): number;
  /** Milliseconds that the next request takes longer. */
  nextDelay(): number;
}

export const noLatency: Latency = { from: 0, to: 0 };

/** @param clock  milliseconds since 1970 */
export function openConduct(initial: ConductSettings, clock: () => number): Conduct {
  let settings = initial;
  let nextFault = openFaults(initial.faults);
  let secondsToWait = openRateLimit(initial.ratePerSecond, clock);
  let draw = randomNumbers(initial.faults.seed);
  return {
    get settings() {
      return settings;
    },
    change(changes) {
      settings = { ...settings, ...changes };
      if (changes.faults !== undefined) nextFault = openFaults(changes.faults);
      if (changes.faults !== undefined) draw = randomNumbers(changes.faults.seed);
      if (changes.ratePerSecond !== undefined) secondsToWait = openRateLimit(changes.ratePerSecond, clock);
    },
    nextFault: (endpoint) => nextFault(endpoint),
    secondsToWait: () => secondsToWait(),
    nextDelay() {
      const { from, to } = settings.latency;
      return from === to ? from : from + draw() * (to - from);
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
