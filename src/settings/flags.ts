/** Every flag with its type, its help group and its help text. */
import type { InferredOptionType } from 'yargs';
import { dateOrders } from '../contract/date-order.ts';
import { recordKindNames } from '../contract/record-kind.ts';
import { errorOf } from '../messages/text.ts';

const text = (describe: string) => ({ type: 'string', requiresArg: true, describe }) as const;
const list = (describe: string) => ({ ...text(describe), array: true }) as const;
const toggle = (describe: string) => ({ type: 'boolean', default: false, describe }) as const;

const only = (is: (value: number) => boolean, value: number) => (is(value) ? value : Number.NaN);
const aboveZero = (typed: string) => only((value) => value > 0, Number(typed));
const numbers = {
  positive: aboveZero,
  whole: (typed: string) => only(Number.isSafeInteger, aboveZero(typed)),
  share: (typed: string) => aboveZero(/^(.*)%$/.exec(typed)?.[1] ?? '') / 100,
  port: (typed: string) => only((port) => port < 65536, Number(/^\d+$/.exec(typed)?.[0])),
} as const;

/** @param by  the flag or variable that gives the number */
export function numberSaid(by: string, typed: string, sort: keyof typeof numbers): number {
  const value = numbers[sort](typed);
  if (Number.isFinite(value)) return value;
  throw errorOf(`not-${sort}`, { by, typed });
}

/** Of the numbers that the environment may give, too. */
export const numberSorts = { concurrency: 'whole', rate: 'positive', timeout: 'positive', batch: 'whole' } as const;

/** Text for yargs, because it counts a repeated number flag with a `1` as one more. */
function number(flag: string, sort: keyof typeof numbers, describe: string) {
  const coerce = (given: string | readonly string[]) =>
    numberSaid(`--${flag}`, String([given].flat().at(-1) ?? ''), sort);
  return { ...text(describe), coerce } as const;
}

const mostUsed = {
  profile: text('The service, by the name of its profile'),
  sandbox: toggle('Rehearse: use the sandbox on this computer, not the service'),
  yes: { ...toggle('Do not ask for confirmation'), alias: 'y' },
  results: text('Where the results go (.xlsx or .csv)'),
  as: { choices: recordKindNames, describe: 'What the rows are, if sheet name and headers do not show it' },
  output: { ...text('Where to write it (.xlsx or .csv)'), alias: 'o' },
  limit: number('limit', 'whole', 'A trial: send only the first N rows'),
  row: text('The row, as SHEET!N'),
} as const;

const ofFile = {
  sheet: text('Read only this sheet'),
  mapping: text('The mapping for a file with other headers (see dealsheet map), or none'),
  remember: toggle('Use this mapping from now on for files with the same headers'),
  'date-order': { choices: dateOrders, describe: 'How to read dates like 03/04/2026' },
  'ignore-columns': text('Headers to leave out, with commas between ("City, State" in quotes), or all'),
  'ignore-sheets': text('Sheets to leave out, separated by commas, or all'),
  attachments: text('The folder with the files that attachments name'),
  encoding: text('Character set of a CSV file, such as windows-1252'),
  delimiter: text('What separates the cells of a CSV file: , ; | or tab'),
  ids: text('deals, companies: a file with ids, FILE or FILE:COLUMN; a results sheet works too'),
  id: list('deals, companies: an id'),
  from: text('A results sheet with ids typed into it, or a list with the columns Row and ID'),
  data: text('The file of the records; :memory: keeps them in memory'),
  'sandbox-data': text('The records of the sandbox'),
} as const;

const ofService = {
  url: text('The service, by its address'),
  'token-file': text('A file with the token, which only you can read'),
  config: text('Use this configuration file and no other'),
  timeout: number('timeout', numberSorts.timeout, 'Seconds to wait for an answer'),
  concurrency: number('concurrency', numberSorts.concurrency, 'Requests at a time at most; the pace adjusts below it'),
  rate: number('rate', numberSorts.rate, 'Requests a second at most'),
  batch: number('batch', numberSorts.batch, 'Transactions in one request'),
  query: list('balances: ask with this parameter, name=value'),
  port: number('port', 'port', 'The port; 0 takes any free one'),
  faults: text('Shares of faults: 500=2%,429=1%,reset-after=1%,stall=1%'),
  latency: text('Milliseconds before each answer, or a spread: 20-80'),
  'token-ttl': number('token-ttl', 'positive', 'Seconds that a token is valid'),
  rest: number('rest', 'positive', 'Seconds that a file must stay unchanged before it is loaded; 10 by default'),
  name: { ...text('Which profile of that file, where it has several'), implies: 'profile' },
} as const;

const ofSafety = {
  ledger: text('The ledger to use: a file, or postgres://USER@HOST/DATABASE for a team'),
  fresh: toggle('With --sandbox: a clean sandbox and a clean ledger, apart from yours'),
  to: text('Where the ledger moves: postgres://USER@HOST/DATABASE'),
  'take-over': toggle('End the load of this run on another computer: it sends nothing more'),
  plan: text('Send nothing: write to this file what would be done with each row'),
  apply: { ...text('Load only what this plan says, and only once'), conflicts: 'plan' },
  'all-or-nothing': toggle('Send nothing when a row fails the checks'),
  'expect-count': list('The rows that the file must hold: N, or deals=N for a kind or sheet'),
  'expect-total': list('The exact sum of its amounts: 1234.56, or deals=1234.56'),
  'expect-like-last': number(
    'expect-like-last',
    'share',
    'How far rows and amounts may differ from the last load of such a file: 20%',
  ),
  allow: list('Treat what this check finds as a warning (docs/checks.md has the codes)'),
  strict: list('Treat what this check finds as an error'),
  again: toggle('Send every row again, even those that were loaded before'),
  'skip-loaded': toggle('Skip rows that were loaded before and could be meant twice, without asking'),
  'trust-results': toggle('Trust a results sheet whose run this ledger does not know'),
  created: text('The id of its record in the service'),
  'not-created': toggle('The service does not have it'),
  'all-not-created': toggle('The service has none of the rows that are in doubt'),
  'changed-since': toggle('The record differs from the row because it was changed in the service'),
  'prune-before': text('Forget settled runs that began before this date (YYYY-MM-DD), and their rows'),
} as const;

const ofOutput = {
  mask: {
    choices: ['default', 'all', 'none'],
    default: 'default',
    describe: 'Whether SSN and dates of birth are masked: on rows that are in, on all rows, or on none',
  },
  format: { choices: ['xlsx', 'csv', 'json', 'ndjson'], describe: 'The format, if the file name does not show it' },
  columns: list('These columns and the required ones, by their names with commas between'),
  lists: { choices: ['count', 'columns'], describe: 'Lists in a record: their length, or their items side by side' },
  'group-by': list('balances: count and sum by this column in the Summary'),
  key: text('balances: the column by which months are compared'),
  previous: text("balances: last month's workbook: what is new, gone and changed"),
  'as-template': toggle('companies: a filled template, to correct and import as company-updates'),
  minimal: toggle('Only the columns that the service expects'),
  every: toggle('Also the columns that few people need'),
  examples: { ...toggle('Add a row of examples; delete it before you load'), alias: 'with-examples' },
  only: {
    choices: ['wrong', 'changed'],
    describe: 'Only the rows that need something done, or companies that changed as updates (NAME.updates.xlsx)',
  },
  by: text('A workbook for each value of this column; with --only wrong'),
  write: toggle('Declare in the profile what the answer proposes'),
  json: toggle('Print the result as one JSON object'),
  once: toggle('End when the folder is empty, for a schedule'),
  log: text('Append what happens to this file, one event a line (NDJSON)'),
  notify: text('Notify this program or web address (https://…) if something is wrong with the load'),
  quiet: toggle('Say nothing when all is well'),
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

/** The flags of any command: which it takes stands in its file. */
export type Flags = Partial<FlagsNamed<readonly FlagName[]>>;

export const addressFlags = ['sandbox', 'profile', 'url', 'token-file', 'config', 'timeout'] as const;
export const paceFlags = ['concurrency', 'rate', 'batch'] as const;
