/** The options of the library. Each has the name and the default of its flag, and one that is unknown or wrong is refused. */
import * as z from 'zod';
import { checkLevelsSchema } from './contract/check-codes.ts';
import { assumedContract, contractSettingsSchema } from './contract/contract-settings.ts';
import { dateOrders } from './contract/date-order.ts';
import { templateExtents } from './contract/fields.ts';
import { recordKindNames } from './contract/record-kind.ts';
import { listColumns } from './export/columns.ts';
import type { ExportEvents } from './export/export-balances.ts';
import { exportFormats } from './export/export-file.ts';
import type { RecordsEvents } from './export/export-records.ts';
import type { ReadingEvents } from './load/decided-source.ts';
import { defaultBatch, defaultConcurrency, defaultTimeoutSeconds, silentImport } from './load/defaults.ts';
import { limitSchema } from './plan/decision.ts';
import type { ServiceEvents } from './service/client.ts';
import { maskModes } from './staging/reading.ts';

export const text = z.string().min(1);
const texts = z.array(text);
const maybeText = text.nullable().default(null);
const names = z.union([z.literal('all'), texts]).default([]);
const wholeNumber = z.int().positive();
const stop = z
  .custom<AbortSignal>((given) => given instanceof EventTarget && 'aborted' in given, 'must be an AbortSignal')
  .default(() => new AbortController().signal);
const contract = contractSettingsSchema.default(() => assumedContract);
/** @param silent  the listener that is used by default */
const listener = <Listener>(silent: Listener) =>
  z
    .custom<Listener>((given) => typeof given === 'function', 'must be a function')
    .optional()
    .transform((given) => given ?? silent);
const ignore = () => {};

export const serviceSchema = z.strictObject({
  /** The base address, before `/v1`. */
  url: z.union([text, z.instanceof(URL).transform(({ href }) => href)]),
  /** The token itself, a file that holds it, or a program with its arguments that prints it (run in `folder`, without a shell). */
  token: z.union([
    text,
    z.strictObject({ file: text }),
    z.strictObject({ command: texts.min(1), folder: text.default('.') }),
  ]),
  /** The path of the ledger. If it is missing, it is created, with its key beside it. */
  ledger: text,
  /** The `contract` of a profile. */
  contract,
  concurrency: wholeNumber.default(defaultConcurrency),
  /** The maximum of requests per second. */
  rate: z.number().positive().nullable().default(null),
  /** Seconds to wait for an answer. */
  timeout: z.number().positive().default(defaultTimeoutSeconds),
  /** Transactions in one request. */
  batch: wholeNumber.default(defaultBatch),
  /** Whether the service takes an Idempotency-Key header. */
  idempotencyKey: z.boolean().default(false),
  /** Allows `NODE_TLS_REJECT_UNAUTHORIZED=0`, with which any server can pose as the service. */
  insecureTls: z.boolean().default(false),
  onPace: listener<NonNullable<ServiceEvents['onPace']>>(ignore),
  onRetry: listener<NonNullable<ServiceEvents['onRetry']>>(ignore),
  onWait: listener<NonNullable<ServiceEvents['onWait']>>(ignore),
  onLost: listener<NonNullable<ServiceEvents['onLost']>>(ignore),
  onStop: listener<NonNullable<ServiceEvents['onStop']>>(ignore),
});

const ofEveryReading = {
  /** Files and folders that attachments must not name, besides the token file. */
  privatePaths: texts.default([]),
  results: maybeText,
  onProgress: listener(silentImport.onProgress),
};

const ofReading = {
  ...ofEveryReading,
  /** The kind of the rows, if the headers do not show it. */
  as: z.enum(recordKindNames).nullable().default(null),
  sheet: maybeText,
  ignoreColumns: names,
  ignoreSheets: names,
  encoding: maybeText,
  delimiter: maybeText,
  /** The path of a mapping. */
  mapping: maybeText,
  dateOrder: z.enum(dateOrders).nullable().default(null),
  /** Levels of checks by code. */
  checks: checkLevelsSchema.default({}),
  /** The folder of the files that file cells name. */
  attachments: maybeText,
  mask: z.enum(maskModes).default('rows that are in'),
  /** What the file must hold. */
  expect: z
    .array(z.strictObject({ of: text.nullable().default(null), what: z.enum(['rows', 'amount']), value: text }))
    .default([]),
};

const ofSending = {
  /** Called after the checks; `false` ends the load, and nothing is sent. */
  confirm: listener(silentImport.confirm),
  onHealth: listener(silentImport.onHealth),
  onBegin: listener(silentImport.onBegin),
  onRow: listener(silentImport.onRow),
  onReport: listener(silentImport.onReport),
  /** Once it is aborted, no new request leaves, and the results have the state of each row. */
  signal: stop,
};

export const checkSchema = z.strictObject({
  ...ofReading,
  onProblemRow: listener<NonNullable<ReadingEvents['onProblemRow']>>(ignore),
});

export const importSchema = z.strictObject({
  ...ofReading,
  ...ofSending,
  again: z.boolean().default(false),
  allOrNothing: z.boolean().default(false),
  trustResults: z.boolean().default(false),
  limit: limitSchema.default(null),
  /** The share by which the file may differ from the last one of its sort: 0.2 for a fifth. */
  expectLikeLast: z.number().positive().nullable().default(null),
  /** The path of a plan that must still hold. */
  apply: maybeText,
});

export const resumeSchema = z.strictObject({ ...ofEveryReading, ...ofSending });

const ofExport = {
  format: z.enum(exportFormats).nullable().default(null),
  columns: texts.default([]),
  /** Whether SSNs and dates of birth are masked. */
  mask: z.boolean().default(true),
  signal: stop,
};

export const balancesSchema = z.strictObject({
  ...ofExport,
  lists: z.enum(listColumns).default('count'),
  query: z.array(z.tuple([text, z.string()])).default([]),
  groupBy: texts.default([]),
  /** Last month's file. */
  previous: maybeText,
  key: maybeText,
  onPage: listener<ExportEvents['onPage']>(ignore),
  onWritten: listener<ExportEvents['onWritten']>(ignore),
});

export const recordsSchema = z.strictObject({
  ...ofExport,
  lists: z.enum(listColumns).default('few'),
  ids: texts.min(1),
  /** For companies only: the columns of an update template. */
  asTemplate: z.boolean().default(false),
  onRead: listener<RecordsEvents['onRead']>(ignore),
});

export const templateSchema = z.strictObject({
  kinds: z
    .array(z.enum(recordKindNames))
    .min(1)
    .default([...recordKindNames]),
  columns: z.enum(templateExtents).default('common'),
  /** Adds a row of examples. */
  examples: z.boolean().default(false),
  /** The `contract` of a profile. Its deal statuses and assignees become lists. */
  contract,
});

export type DealsheetOptions = z.input<typeof serviceSchema>;
export type CheckChoices = z.input<typeof checkSchema>;
export type ImportChoices = z.input<typeof importSchema>;
export type ResumeChoices = z.input<typeof resumeSchema>;
export type BalancesChoices = z.input<typeof balancesSchema>;
export type RecordsChoices = z.input<typeof recordsSchema>;
export type TemplateChoices = z.input<typeof templateSchema>;
