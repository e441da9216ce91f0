/** Every flag with its type, its help group and its help text. */
import type { InferredOptionType } from 'yargs';
import { dateOrders } from '../contract/date-order.ts';
import { recordKindNames } from '../contract/record-kind.ts';
import { usageError } from '../errors.ts';

const text = { type: 'string', requiresArg: true } as const;
const list = { ...text, array: true } as const;
const toggle = { type: 'boolean', default: false } as const;
const wholeNumber = (flag: string) => numberFlag(flag, 'a whole number above zero');
const positiveNumber = (flag: string) => numberFlag(flag, 'a number above zero');
const percentage = (flag: string) => numberFlag(flag, 'a percentage such as 20%');

const numberIn = (typed: string) => (Number(typed) > 0 ? Number(typed) : Number.NaN);
const numbers = {
  'a number above zero': numberIn,
  'a whole number above zero': (typed: string) =>
    Number.isSafeInteger(numberIn(typed)) ? numberIn(typed) : Number.NaN,
  'a percentage such as 20%': (typed: string) =>
    typed.endsWith('%') ? numberIn(typed.slice(0, -1)) / 100 : Number.NaN,
  'a port from 0 to 65535': (typed: string) =>
    /^\d{1,5}$/.test(typed) && Number(typed) < 65536 ? Number(typed) : Number.NaN,
};

/** @param by  the flag or variable that gives the number */
export function numberSaid(by: string, typed: string, wanted: keyof typeof numbers = 'a number above zero'): number {
  const value = numbers[wanted](typed);
  if (Number.isFinite(value)) return value;
  throw usageError(`${by} is "${typed}", not ${wanted}. Nothing was sent.`, 'Correct it, or leave it out.');
}

/** Text for yargs, because it counts a repeated number flag with a `1` as one more. */
function numberFlag(flag: string, wanted: keyof typeof numbers) {
  const coerce = (given: string | readonly string[]) =>
    numberSaid(`--${flag}`, String([given].flat().at(-1) ?? ''), wanted);
  return { ...text, coerce } as const;
}

const mostUsed = {
  profile: { ...text, describe: 'The service, by the name of its profile' },
  sandbox: { ...toggle, describe: 'Rehearse: send to a sandbox on this computer' },
  fresh: { ...toggle, describe: 'With --sandbox: a clean sandbox and a clean ledger, apart from yours' },
  yes: { ...toggle, alias: 'y', describe: 'Do not ask for confirmation' },
  results: { ...text, describe: 'Where the results go (.xlsx or .csv)' },
  as: { choices: recordKindNames, describe: 'What the rows are, if sheet name and headers do not show it' },
  output: { ...text, alias: 'o', describe: 'Where to write it (.xlsx or .csv)' },
  limit: { ...wholeNumber('limit'), describe: 'A trial: send only the first N rows' },
  row: { ...text, describe: 'The row, as SHEET!N' },
} as const;

const ofFile = {
  sheet: { ...text, describe: 'Read only this sheet' },
  mapping: { ...text, describe: 'The mapping for a file with other headers (see dealsheet map), or none' },
  remember: { ...toggle, describe: 'Use this mapping from now on for files with the same headers' },
  'date-order': { choices: dateOrders, describe: 'How to read dates like 03/04/2026' },
  'ignore-columns': {
    ...text,
    describe: 'Headers to leave out, with commas between ("City, State" in quotes), or all',
  },
  'ignore-sheets': { ...text, describe: 'Sheets to leave out, separated by commas, or all' },
  attachments: { ...text, describe: 'The folder with the files that attachments name' },
  encoding: { ...text, describe: 'Character set of a CSV file, such as windows-1252' },
  delimiter: { ...text, describe: 'What separates the cells of a CSV file: , ; | or tab' },
  ids: { ...text, describe: 'deals, companies: a file with ids, FILE or FILE:COLUMN; a results sheet works too' },
  id: { ...list, describe: 'deals, companies: an id' },
  from: { ...text, describe: 'A results sheet with ids typed into it, or a list with the columns Row and ID' },
  data: { ...text, describe: 'The file of the records; :memory: keeps them in memory' },
  'sandbox-data': { ...text, describe: 'The records of the sandbox' },
} as const;

const ofService = {
  url: { ...text, describe: 'The service, by its address' },
  'token-file': { ...text, describe: 'A file with the token, which only you can read' },
  config: { ...text, describe: 'Use this configuration file and no other' },
  timeout: { ...positiveNumber('timeout'), describe: 'Seconds to wait for an answer' },
  concurrency: { ...wholeNumber('concurrency'), describe: 'Requests at a time at most; the pace adjusts below it' },
  rate: { ...positiveNumber('rate'), describe: 'Requests a second at most' },
  batch: { ...wholeNumber('batch'), describe: 'Transactions in one request' },
  query: { ...list, describe: 'balances: ask with this parameter, name=value' },
  port: { ...numberFlag('port', 'a port from 0 to 65535'), describe: 'The port; 0 takes any free one' },
  faults: { ...text, describe: 'Shares of faults: 500=2%,429=1%,reset-after=1%,stall=1%' },
  latency: { ...text, describe: 'Milliseconds before each answer, or a spread: 20-80' },
  'token-ttl': { ...positiveNumber('token-ttl'), describe: 'Seconds that a token is valid' },
  rest: {
    ...positiveNumber('rest'),
    describe: 'Seconds that a file must stay unchanged before it is loaded; 10 by default',
  },
  name: { ...text, implies: 'profile', describe: 'Which profile of that file, where it has several' },
} as const;

const ofSafety = {
  ledger: { ...text, describe: 'The ledger to use: a file, or postgres://USER@HOST/DATABASE for a team' },
  to: { ...text, describe: 'Where the ledger moves: postgres://USER@HOST/DATABASE' },
  'take-over': { ...toggle, describe: 'End the load of this run on another computer: it sends nothing more' },
  plan: { ...text, describe: 'Send nothing: write to this file what would be done with each row' },
  apply: { ...text, describe: 'Load only what this plan says, and only once' },
  'all-or-nothing': { ...toggle, describe: 'Send nothing when a row fails the checks' },
  'expect-count': { ...list, describe: 'The rows that the file must hold: N, or deals=N for a kind or sheet' },
  'expect-total': { ...list, describe: 'The exact sum of its amounts: 1234.56, or deals=1234.56' },
  'expect-like-last': {
    ...percentage('expect-like-last'),
    describe: 'How far rows and amounts may differ from the last load of such a file: 20%',
  },
  allow: { ...list, describe: 'Treat what this check finds as a warning (docs/checks.md has the codes)' },
  strict: { ...list, describe: 'Treat what this check finds as an error' },
  again: { ...toggle, describe: 'Send every row again, even those that were loaded before' },
  'skip-loaded': { ...toggle, describe: 'Skip notes and transactions that were loaded before, without asking' },
  'trust-results': { ...toggle, describe: 'Trust a results sheet whose run this ledger does not know' },
  created: { ...text, describe: 'The id of its record in the service' },
  'not-created': { ...toggle, describe: 'The service does not have it' },
  'all-not-created': { ...toggle, describe: 'The service has none of the rows that are in doubt' },
  'changed-since': { ...toggle, describe: 'The record differs from the row because it was changed in the service' },
  'prune-before': {
    ...text,
    describe: 'Forget settled runs that began before this date (YYYY-MM-DD), and their rows',
  },
} as const;

const ofOutput = {
  mask: {
    choices: ['default', 'all', 'none'],
    default: 'default',
    describe: 'Whether SSN and dates of birth are masked: on rows that are in, on all rows, or on none',
  },
  format: { choices: ['xlsx', 'csv', 'json', 'ndjson'], describe: 'The format, if the file name does not show it' },
  columns: { ...list, describe: 'These columns and the required ones, by their names with commas between' },
  lists: { choices: ['count', 'columns'], describe: 'Lists in a record: their length, or their items side by side' },
  'group-by': { ...list, describe: 'balances: count and sum by this column in the Summary' },
  key: { ...text, describe: 'balances: the column by which months are compared' },
  previous: { ...text, describe: "balances: last month's workbook: what is new, gone and changed" },
  'as-template': { ...toggle, describe: 'companies: a filled template, to correct and import as company-updates' },
  minimal: { ...toggle, describe: 'Only the columns that the service expects' },
  every: { ...toggle, describe: 'Also the columns that few people need' },
  examples: { ...toggle, alias: 'with-examples', describe: 'Add a row of examples; delete it before you load' },
  only: {
    choices: ['wrong', 'changed'],
    describe: 'Only the rows that need something done, or companies that changed as updates (NAME.updates.xlsx)',
  },
  by: { ...text, describe: 'A workbook for each value of this column; with --only wrong' },
  write: { ...toggle, describe: 'Declare in the profile what the answer proposes' },
  json: { ...toggle, describe: 'Print the result as one JSON object' },
  once: { ...toggle, describe: 'End when the folder is empty, for a schedule' },
  log: { ...text, describe: 'Append what happens to this file, one event a line (NDJSON)' },
  notify: { ...text, describe: 'Notify this program or web address (https://…) if something is wrong with the load' },
  quiet: { ...toggle, describe: 'Say nothing when all is well' },
} as const;

export const flagGroups = {
  'Most used:': mostUsed,
  'The file:': ofFile,
  'The service:': ofService,
  'Safety:': ofSafety,
  'Output:': ofOutput,
};
const allFlags = { ...mostUsed, ...ofFile, ...ofService, ...ofSafety, ...ofOutput } as const;

export type FlagName = keyof typeof allFlags;
type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The flags of these names, with their types, as a command's run gets them. */
export type FlagsNamed<Names extends readonly FlagName[]> = {
  readonly [Name in Names[number] as CamelCase<Name>]: InferredOptionType<(typeof allFlags)[Name]>;
};

export const addressFlags = ['sandbox', 'profile', 'url', 'token-file', 'config', 'timeout'] as const;
export const paceFlags = ['concurrency', 'rate', 'batch'] as const;
