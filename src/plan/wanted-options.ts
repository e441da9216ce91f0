/** What the options of a check and of a load may be, told before anything is read: a wrong one would be found in the midst of it. */
import { wantedContract } from '../contract/contract-settings.ts';
import type { WantedOption } from '../errors.ts';
import { dateOrders } from '../mapping/values/date-order.ts';
import { maskModes, type ReadingOptions } from '../staging/reading.ts';
import { type ImportOptions, limitSchema, type SendingOptions } from './options.ts';

export type Wanted<Options> = Readonly<Record<keyof Options, WantedOption>>;

const isText = (given: unknown): boolean => typeof given === 'string';
const isFunction = (given: unknown): boolean => typeof given === 'function';
const areTexts = (given: unknown): boolean => Array.isArray(given) && given.every(isText);

export function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null;
}

function option(wanted: string, isRight: WantedOption['isRight']): WantedOption {
  return { wanted, isRight };
}

export function oneOf(choices: readonly (string | null)[]): WantedOption {
  const shown = choices.map((choice) => JSON.stringify(choice));
  const wanted = `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
  return option(wanted, (given) => choices.some((choice) => choice === given));
}

const textAs = (wanted: string) => option(wanted, (given) => isText(given) && given !== '');
const path = textAs('a path as a text');
const names = option('a list of names, or "all"', (given) => given === 'all' || areTexts(given));
const signal = option(
  'an AbortSignal',
  (given) => isObject(given) && 'aborted' in given && 'addEventListener' in given,
);
export const textOrNull = option('a text, or null', (given) => given === null || isText(given));
export const texts = option('a list of texts, or []', areTexts);
/** Yes or no. */
export const choice = option('true or false', (given) => typeof given === 'boolean');

export const wantedReading: Wanted<ReadingOptions> = {
  file: textAs('the path of the source as a text, or "-" for standard input'),
  kind: option(
    'recordKind("deals") or another of the recordKinds, or null to know it by the headers',
    (given) => given === null || (isObject(given) && 'sending' in given && 'endpoint' in given),
  ),
  sheet: textOrNull,
  ignoredColumns: names,
  ignoredSheets: names,
  encoding: textOrNull,
  delimiter: textOrNull,
  mapping: option('an object, or null', (given) => given === null || isObject(given)),
  mappingsFolder: textOrNull,
  dateOrder: oneOf([...dateOrders, null]),
  contract: wantedContract,
  checks: option('an object of levels by codes, or {}', isObject),
  attachmentsFolder: textOrNull,
  privatePaths: texts,
  resultsPath: textOrNull,
  mask: oneOf(maskModes),
  snapshotFolder: path,
  standardInput: option('a stream, such as process.stdin', isObject),
};

export const wantedStream = option('a stream, such as process.stdout', isObject);

export const wantedSending: Wanted<SendingOptions> = {
  ...wantedReading,
  service: textAs('what identityOf makes of the address'),
  serviceUrl: textAs('the address as a text'),
  again: choice,
  idempotencyKeys: choice,
  limit: option(
    'a whole number of rows from 0 on, one row as { sheet, row }, or null for all',
    (given) => limitSchema.safeParse(given).success,
  ),
  batch: option('a whole number of rows from 1 on', (given) => Number.isSafeInteger(given) && Number(given) >= 1),
  signal,
};

export const wantedImport: Wanted<ImportOptions> = {
  ...wantedSending,
  allOrNothing: choice,
  trustResults: choice,
  serviceName: option('an object with the names by which a resume finds the service, or {}', isObject),
  plan: option('what readPlan gives, or null', (given) => given === null || isObject(given)),
  expectations: option('a list of what the file must hold, or []', Array.isArray),
};

/** Of a run that is taken up again: how its source is read is in the ledger. */
export const wantedResuming = {
  service: wantedSending.service,
  serviceUrl: wantedSending.serviceUrl,
  contract: wantedContract,
  idempotencyKeys: choice,
  resultsPath: textOrNull,
  snapshotFolder: path,
  signal,
};

/** What a load is given beside its options. */
export const wantedBeside: Readonly<Record<'connect' | 'ledger', WantedOption>> = {
  connect: option('a function', isFunction),
  ledger: option('what openLedger gives', (given) => isObject(given) && 'begin' in given),
};

/** @param listeners  the names of what is listened to */
export function wantedFunctions<Name extends string>(listeners: readonly Name[]): Readonly<Record<Name, WantedOption>> {
  const named = listeners.map((name) => [name, wantedBeside.connect]);
  return Object.fromEntries(named) as Record<Name, WantedOption>;
}
