/** The conditions of requests: faults (by share or at given requests, reproducible by seed), rate and latency. */
import { type EndpointName, endpoints } from '../contract/record-kind.ts';
import { errorOf } from '../messages/text.ts';

/** docs/service.md describes each of them. */
export const faultNames = [
  ...['429', '500', '502', '503', '504', 'busy', '500-after', '502-after', '503-after', '504-after'],
  ...['reset-before', 'reset-after', 'close-after', 'cut-status', 'cut-body', 'stall-before', 'stall', 'slow'],
  ...['success-false', 'no-id', 'html', 'redirect', '401', '403'],
] as const;

export type FaultName = (typeof faultNames)[number];

export interface ChosenFaults {
  /** Shares of the requests, each from 0 to 1, at most 1 in total. */
  readonly shares: Readonly<Partial<Record<FaultName, number>>>;
  /** Faults at given requests, counted from 1 among those on affected endpoints. */
  readonly at: readonly { readonly fault: FaultName; readonly from: number; readonly to: number }[];
  /** The affected endpoints; `null` for all but the health check. */
  readonly on: readonly EndpointName[] | null;
  readonly seed: number;
  /** `Retry-After` of `429` and `busy`, in seconds. */
  readonly retryAfterSeconds: number;
}

export const noFaults: ChosenFaults = { shares: {}, at: [], on: null, seed: 1, retryAfterSeconds: 1 };

/**
 * Parses `--faults SPEC`, comma-separated parts:
 * `NAME=2%` (a share), `NAME@3` or `NAME@3-5` (at these requests), `on=addDeal+addNote`, `seed=7`, `retry-after=2`.
 *
 * @throws DealsheetError `usage` for an unreadable part; the remedy lists all names
 */
export function parseFaults(spec: string): ChosenFaults {
  let faults: ChosenFaults = noFaults;
  for (const part of spec.split(',').map((text) => text.trim())) {
    if (part !== '') faults = withPart(faults, part);
  }
  const total = Object.values(faults.shares).reduce((sum, share) => sum + share, 0);
  if (total > 1 + Number.EPSILON) throw unreadable(spec);
  return faults;
}

export function openFaults(faults: ChosenFaults): (endpoint: EndpointName) => FaultName | null {
  const shares = Object.entries(faults.shares) as [FaultName, number][];
  const draw = randomNumbers(faults.seed);
  let count = 0;
  return (endpoint) => {
    if (faults.on === null ? endpoint === 'health' : !faults.on.includes(endpoint)) return null;
    count += 1;
    const scripted = faults.at.find(({ from, to }) => from <= count && count <= to);
    let remaining = shares.length === 0 ? 1 : draw();
    if (scripted !== undefined) return scripted.fault;
    for (const [fault, share] of shares) {
      if (remaining < share) return fault;
      remaining -= share;
    }
    return null;
  };
}

const percent = 100;

function withPart(faults: ChosenFaults, part: string): ChosenFaults {
  const [, fault, from, to = from] = /^([a-z0-9-]+)@(\d+)(?:-(\d+))?$/.exec(part) ?? [];
  if (fault !== undefined && isFaultName(fault)) {
    return { ...faults, at: [...faults.at, { fault, from: Number(from), to: Number(to) }] };
  }
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(part) ?? [];
  if (name === 'seed' && /^\d+$/.test(value)) return { ...faults, seed: Number(value) };
  if (name === 'retry-after' && /^\d+$/.test(value)) return { ...faults, retryAfterSeconds: Number(value) };
  if (name === 'on') return { ...faults, on: value.split('+').map(endpointNamed) };
  const share = /^(\d+(?:\.\d+)?)%$/.exec(value)?.[1];
  if (!isFaultName(name) || share === undefined) throw unreadable(part);
  return { ...faults, shares: { ...faults.shares, [name]: Number(share) / percent } };
}

function isFaultName(name: string): name is FaultName {
  return faultNames.some((one) => one === name);
}

function endpointNamed(name: string): EndpointName {
  if (Object.hasOwn(endpoints, name)) return name as EndpointName;
  throw unreadable(`on=${name}`);
}

function unreadable(faults: string) {
  return errorOf('faults-unreadable', { faults, names: faultNames, endpoints: Object.keys(endpoints) });
}

/** Random numbers from 0 up to 1, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The delay of every request in milliseconds, fixed when both are equal. */
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
    nextFault: (endpoint: EndpointName) => faults.next(endpoint),
    secondsToWait: () => secondsToWait(),
    nextDelay() {
      const { from, to } = settings.latency;
      return from === to ? from : from + faults.draw() * (to - from);
    },
  };
}

/**
 * Parses `--latency`: `50` for fifty milliseconds, `20-80` for a random value in between.
 *
 * @throws DealsheetError `usage`
 */
export function parseLatency(text: string): Latency {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text.trim());
  const from = Number(match?.[1]);
  const to = Number(match?.[2] ?? match?.[1]);
  if (match !== null && from <= to) return { from, to };
  throw errorOf('no-latency', { text });
}

/** Allows bursts of one second's worth of requests. Returns the seconds that a request has to wait, or 0. */
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
