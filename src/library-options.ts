/** What a script may say: each option has the name and the default of its flag, and one that is unknown or wrong is refused. */
import * as z from 'zod';
import { checkLevelsSchema } from './contract/check-codes.ts';
import { contractSettingsSchema } from './contract/contract-settings.ts';
import { templateExtents } from './contract/fields.ts';
import { dateOrders } from './contract/formats.ts';
import { recordKindNames } from './contract/record-kind.ts';
import { listColumns } from './export/columns.ts';
import { exportFormats } from './export/export-file.ts';
import type { ExportEvents, RecordsEvents } from './export/export-options.ts';
import type { CheckEvents } from './load/check-file.ts';
import { defaultBatch, defaultConcurrency, defaultTimeoutSeconds } from './load/defaults.ts';
import type { SendingEvents } from './load/sending.ts';
import { limitSchema } from './plan/options.ts';
import type { ServiceEvents } from './service/client.ts';
import { maskModes } from './staging/reading.ts';

export const text = z.string().min(1);
const texts = z.array(text);
const names = z.union([z.literal('all'), texts]);
const wholeNumber = z.int().positive();
const stop = z.custom<AbortSignal>(
  (given) => given instanceof EventTarget && 'aborted' in given,
  'an AbortSignal is wanted',
);
const listener = <Listener>() => z.custom<Listener>((given) => typeof given === 'function', 'a function is wanted');

export const serviceSchema = z.strictObject({
  /** The base address, before `/v1`. */
  url: z.union([text, z.instanceof(URL).transform(({ href }) => href)]),
  /** The token itself, a file that holds it, or a program with its arguments that prints it (in `folder`, without a shell). */
  token: z.union([
    text,
    z.strictObject({ file: text }),
    z.strictObject({ command: texts.min(1), folder: text.default('.') }),
  ]),
  /** The file of the ledger. It is made, with its key beside it, where there is none. */
  ledger: text,
  /** What a profile says under `contract`. */
  contract: contractSettingsSchema.optional(),
  concurrency: wholeNumber.default(defaultConcurrency),
  /** Requests a second at most. */
  rate: z.number().positive().nullable().default(null),
  /** Seconds without an answer. */
  timeout: z.number().positive().default(defaultTimeoutSeconds),
  /** Transactions in one request. */
  batch: wholeNumber.default(defaultBatch),
  /** The service takes an Idempotency-Key header. */
  idempotencyKey: z.boolean().default(false),
  /** Whoever answers is taken for the service, where `NODE_TLS_REJECT_UNAUTHORIZED=0` says so. */
  insecureTls: z.boolean().default(false),
  onPace: listener<ServiceEvents['onPace']>().optional(),
  onRetry: listener<ServiceEvents['onRetry']>().optional(),
  onWait: listener<ServiceEvents['onWait']>().optional(),
  onLost: listener<ServiceEvents['onLost']>().optional(),
  onStop: listener<ServiceEvents['onStop']>().optional(),
});

const readingShape = {
  /** The kind of its rows, where the headers do not tell it. */
  as: z.enum(recordKindNames).optional(),
  sheet: text.optional(),
  ignoreColumns: names.default([]),
  ignoreSheets: names.default([]),
  encoding: text.optional(),
  delimiter: text.optional(),
  /** The path of a mapping. */
  mapping: text.optional(),
  dateOrder: z.enum(dateOrders).optional(),
  /** Levels of checks by their codes. */
  checks: checkLevelsSchema.default({}),
  /** The folder that file cells may name. */
  attachments: text.optional(),
  /** Files and folders that no attachment may name, beside the token file. */
  privatePaths: texts.default([]),
  results: text.optional(),
  mask: z.enum(maskModes).default('rows that are in'),
  /** What the file must hold. */
  expect: z
    .array(z.strictObject({ of: text.nullable().default(null), what: z.enum(['rows', 'amount']), value: text }))
    .default([]),
  onProgress: listener<SendingEvents['onProgress']>().optional(),
};

const sendingListeners = {
  /** Asked after the checks; `false` ends the load, and nothing was sent. */
  confirm: listener<SendingEvents['confirm']>().optional(),
  onHealth: listener<SendingEvents['onHealth']>().optional(),
  onBegin: listener<SendingEvents['onBegin']>().optional(),
  onRow: listener<SendingEvents['onRow']>().optional(),
  onReport: listener<SendingEvents['onReport']>().optional(),
  /** Once it is aborted no further request leaves, and the results say how each row stands. */
  signal: stop.optional(),
};

export const checkSchema = z.strictObject({
  ...readingShape,
  onProblemRow: listener<CheckEvents['onProblemRow']>().optional(),
});

export const importSchema = z.strictObject({
  ...readingShape,
  ...sendingListeners,
  again: z.boolean().default(false),
  allOrNothing: z.boolean().default(false),
  trustResults: z.boolean().default(false),
  limit: limitSchema.default(null),
  /** By which share the file may differ from the last one of its sort: 0.2 for a fifth. */
  expectLikeLast: z.number().positive().nullable().default(null),
  /** The path of a plan that must still hold. */
  apply: text.optional(),
});

export const resumeSchema = z.strictObject({
  ...sendingListeners,
  onProgress: readingShape.onProgress,
  privatePaths: readingShape.privatePaths,
  results: readingShape.results,
});

const exportShape = {
  format: z.enum(exportFormats).optional(),
  columns: texts.default([]),
  lists: z.enum(listColumns).optional(),
  /** Whether SSN and dates of birth are stars. */
  mask: z.boolean().default(true),
  signal: stop.optional(),
};

export const balancesSchema = z.strictObject({
  ...exportShape,
  query: z.array(z.tuple([text, z.string()])).default([]),
  groupBy: texts.default([]),
  /** Last month's file. */
  previous: text.optional(),
  key: text.optional(),
  onPage: listener<ExportEvents['onPage']>().optional(),
  onWritten: listener<ExportEvents['onWritten']>().optional(),
});

export const recordsSchema = z.strictObject({
  ...exportShape,
  ids: texts.min(1),
  /** Companies alone: in the columns of an update template. */
  asTemplate: z.boolean().default(false),
  onRead: listener<RecordsEvents['onRead']>().optional(),
});

export const templateSchema = z.strictObject({
  kinds: z
    .array(z.enum(recordKindNames))
    .min(1)
    .default([...recordKindNames]),
  columns: z.enum(templateExtents).default('common'),
  /** With a row of examples. */
  examples: z.boolean().default(false),
  /** What a profile says under `contract`: its deal statuses and assignees become lists. */
  contract: contractSettingsSchema.optional(),
});

export type DealsheetOptions = z.input<typeof serviceSchema>;
export type CheckChoices = z.input<typeof checkSchema>;
export type ImportChoices = z.input<typeof importSchema>;
export type ResumeChoices = z.input<typeof resumeSchema>;
export type BalancesChoices = z.input<typeof balancesSchema>;
export type RecordsChoices = z.input<typeof recordsSchema>;
export type TemplateChoices = z.input<typeof templateSchema>;
