/** What the options of a check and of a load may be, told before anything is read: a wrong one would be found in the midst of it. */
import { wantedContract } from '../contract/contract-settings.ts';
import type { WantedOption } from '../errors.ts';
import { dateOrders } from '../mapping/values/date-order.ts';
import { maskModes, type ReadingOptions } from '../staging/reading.ts';
import type { SendingOptions } from './sending-options.ts';
import { limitSchema } from './turns.ts';

export type Wanted<Options> = Readonly<Record<keyof Options, WantedOption>>;

const text: WantedOption = { wanted: 'a text', isRight: (given) => typeof given === 'string' && given !== '' };
export const textOrNull: WantedOption = {
  wanted: 'a text, or null',
  isRight: (given) => given === null || isText(given),
};
const objectOrNull: WantedOption = {
  wanted: 'an object, or null',
  isRight: (given) => given === null || isObject(given),
};
export const texts: WantedOption = {
  wanted: 'a list of texts, or []',
  isRight: (given) => Array.isArray(given) && given.every(isText),
};
const names: WantedOption = {
  wanted: 'a list of names, or "all"',
  isRight: (given) => given === 'all' || (Array.isArray(given) && given.every(isText)),
};
/** Yes or no. */
export const choice: WantedOption = { wanted: 'true or false', isRight: (given) => typeof given === 'boolean' };
const path: WantedOption = { ...text, wanted: 'a path as a text' };

export const wantedReading: Wanted<ReadingOptions> = {
  file: { ...path, wanted: 'the path of the source as a text, or "-" for standard input' },
  kind: {
    wanted: 'recordKind("deals") or another of the recordKinds, or null to know it by the headers',
    isRight: (given) => given === null || (isObject(given) && 'sending' in given && 'endpoint' in given),
  },
  sheet: textOrNull,
  ignoredColumns: names,
  ignoredSheets: names,
  encoding: textOrNull,
  delimiter: textOrNull,
  mapping: objectOrNull,
  mappingsFolder: textOrNull,
  dateOrder: oneOf([...dateOrders, null]),
  contract: wantedContract,
  checks: { wanted: 'an object of levels by codes, or {}', isRight: isObject },
  attachmentsFolder: textOrNull,
  privatePaths: texts,
  resultsPath: textOrNull,
  mask: oneOf(maskModes),
  snapshotFolder: path,
  standardInput: { wanted: 'a stream, such as process.stdin', isRight: isObject },
};

export const wantedStream: WantedOption = { wanted: 'a stream, such as process.stdout', isRight: isObject };
const wantedSignal: WantedOption = {
  wanted: 'an AbortSignal',
  isRight: (given) => isObject(given) && 'aborted' in given && 'addEventListener' in given,
};

export const wantedSending: Wanted<SendingOptions> = {
  ...wantedReading,
  service: { ...text, wanted: 'what identityOf makes of the address' },
  serviceUrl: { ...text, wanted: 'the address as a text' },
  again: choice,
  idempotencyKeys: choice,
  limit: {
    wanted: 'a whole number of rows from 0 on, one row as { sheet, row }, or null for all',
    isRight: (given) => limitSchema.safeParse(given).success,
  },
  batch: { wanted: 'a whole number of rows from 1 on', isRight: (given) => isWhole(given, 1) },
  signal: wantedSignal,
};

/** Of a run that is taken up again: how its source is read is in the ledger. */
export const wantedResuming = {
  service: wantedSending.service,
  serviceUrl: wantedSending.serviceUrl,
  contract: wantedContract,
  idempotencyKeys: choice,
  resultsPath: textOrNull,
  snapshotFolder: path,
  signal: wantedSignal,
};

/** What a load is given beside its options. */
export const wantedBeside: Readonly<Record<'connect' | 'ledger', WantedOption>> = {
  connect: { wanted: 'a function', isRight: isFunction },
  ledger: { wanted: 'what openLedger gives', isRight: (given) => isObject(given) && 'begin' in given },
};

/** @param listeners  the names of what is listened to */
export function wantedFunctions<Name extends string>(listeners: readonly Name[]): Readonly<Record<Name, WantedOption>> {
  const named = listeners.map((name) => [name, { wanted: 'a function', isRight: isFunction }]);
  return Object.fromEntries(named) as Record<Name, WantedOption>;
}

export function oneOf(choices: readonly (string | null)[]): WantedOption {
  const shown = choices.map((choice) => JSON.stringify(choice));
  const wanted = `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
  return { wanted, isRight: (given) => choices.some((choice) => choice === given) };
}

function isText(given: unknown): boolean {
  return typeof given === 'string';
}

export function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null;
}

function isFunction(given: unknown): boolean {
  return typeof given === 'function';
}

function isWhole(given: unknown, least: number): boolean {
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= least;
}
