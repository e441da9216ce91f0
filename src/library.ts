/** The library: `openDealsheet` names a service and a ledger once, and its methods do what the commands do. */
import { resolve } from 'node:path';
import * as z from 'zod';
import { checkLevelsSchema } from './contract/check-codes.ts';
import { assumedContract, contractSettingsSchema } from './contract/contract-settings.ts';
import { dateOrders } from './contract/date-order.ts';
import { templateExtents } from './contract/fields.ts';
import { faultsIn } from './contract/profile-parts.ts';
import { recordKindNames } from './contract/record-kind.ts';
import { recordKind } from './contract/record-kinds.ts';
import { writeBlank } from './disk/output-guard.ts';
import { DealsheetError } from './errors.ts';
import { listColumns } from './export/columns.ts';
import { type BalancesResult, type ExportEvents, exportBalances } from './export/export-balances.ts';
import { exportFormats } from './export/export-file.ts';
import { exportRecords, type RecordsEvents, type RecordsResult } from './export/export-records.ts';
import type { RunRecord } from './ledger/ledger.ts';
import { openLedger } from './ledger/open-ledger.ts';
import { isTeamAddress } from './ledger/postgres/address.ts';
import { type CheckResult, checkFile } from './load/check-file.ts';
import type { ReadingEvents } from './load/decided-source.ts';
import { defaultBatch, defaultConcurrency, defaultTimeoutSeconds, plainImport, silentImport } from './load/defaults.ts';
import { importFile, planImport } from './load/import-file.ts';
import { resumeRun, runToGoOnWith } from './load/resume-run.ts';
import type { SendingResult } from './load/sending.ts';
import { readMapping } from './mapping/mapping-file/read-mapping.ts';
import { errorOf } from './messages/text.ts';
import { limitSchema } from './plan/decision.ts';
import type { Preview } from './plan/preview.ts';
import { type LoadPlan, readPlan } from './plan/written-plan.ts';
import { identityOf, proxyOf, readAddress, refuseUncheckedTls } from './service/address.ts';
import { asking, type HealthResult, ServiceClient, type ServiceEvents } from './service/client.ts';
import { type Credentials, fixedToken, tokenFromCommand, tokenFromFile } from './service/tokens.ts';
import { maskModes } from './staging/reading.ts';
import { templateBytes } from './workbooks/template.ts';

/** Each option has the name and the default of its flag, and one that is unknown or wrong is refused. */
const text = z.string().min(1);
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

const serviceSchema = z.strictObject({
  /** The base address, before `/v1`. */
  url: z.union([text, z.instanceof(URL).transform(({ href }) => href)]),
  /** The token itself, a file that holds it, or a program with its arguments that prints it (run in `folder`, without a shell). */
  token: z.union([
    text,
    z.strictObject({ file: text }),
    z.strictObject({ command: texts.min(1), folder: text.default('.') }),
  ]),
  /** The path of the ledger. If it is missing, it is created, with its key beside it. */
  ledger: text.refine((path) => !isTeamAddress(path), 'expected the path of a file, not the address of a team ledger'),
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
  delimiter: text.max(1).nullable().default(null),
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

const checkSchema = z.strictObject({
  ...ofReading,
  onProblemRow: listener<NonNullable<ReadingEvents['onProblemRow']>>(ignore),
});

const importSchema = z.strictObject({
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

const resumeSchema = z.strictObject({ ...ofEveryReading, ...ofSending });

const ofExport = {
  format: z.enum(exportFormats).nullable().default(null),
  columns: texts.default([]),
  /** Whether SSNs and dates of birth are masked. */
  mask: z.boolean().default(true),
  signal: stop,
};

const balancesSchema = z.strictObject({
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

const recordsSchema = z.strictObject({
  ...ofExport,
  lists: z.enum(listColumns).default('few'),
  ids: texts.min(1),
  /** For companies only: the columns of an update template. */
  asTemplate: z.boolean().default(false),
  onRead: listener<RecordsEvents['onRead']>(ignore),
});

const templateSchema = z.strictObject({
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

/**
 * A service and its ledger, until it is closed. One load at a time goes into a service. Methods reject with a
 * {@link DealsheetError}. If one of your listeners throws, a load finishes what is in flight and rejects with that error.
 */
export interface Dealsheet {
  /** Sends the rows that are not in. Resolves with `null` when `confirm` returned `false`. */
  import(file: string, options?: ImportChoices): Promise<SendingResult | null>;
  /** What a load would do with each row. The plan can be saved, reviewed and applied. */
  plan(file: string, options?: ImportChoices): Promise<{ readonly plan: LoadPlan; readonly preview: Preview }>;
  /** The findings in the rows, and what earlier loads brought in. Nothing is sent. */
  check(file: string, options?: CheckChoices): Promise<CheckResult>;
  /** Resumes a run that was stopped; without an id, the newest that has not ended. */
  resume(run?: string | null, options?: ResumeChoices): Promise<SendingResult | null>;
  /** The newest first. */
  runs(): Promise<readonly RunRecord[]>;
  health(): Promise<HealthResult>;
  /** Writes the loan balances to a file: .xlsx, .csv, .json or .ndjson. */
  exportBalances(output: string, options?: BalancesChoices): Promise<BalancesResult>;
  /** Writes deals or companies to a file, by their ids. */
  exportRecords(what: 'deals' | 'companies', output: string, options: RecordsChoices): Promise<RecordsResult>;
  close(): Promise<void>;
}

/**
 * @throws DealsheetError `usage` for an invalid option; it repeats no value, which may be a secret
 * @throws DealsheetError `ledger-refused` when the ledger is damaged, from another version, or without its key
 */
export function openDealsheet(options: DealsheetOptions): Dealsheet {
  const service = read(serviceSchema, options);
  const url = readAddress(service.url);
  refuseUncheckedTls(url, service.insecureTls);
  const credentials = credentialsOf(service.token);
  const { contract, idempotencyKey: idempotencyKeys, concurrency, rate } = service;
  const proxy = proxyOf(url, process.env);
  const ledger = openLedger(service.ledger);
  const sourcesFolder = `${ledger.files}.sources`;
  const into = { service: identityOf(url), serviceUrl: url.href, contract, sourcesFolder };
  const secrets = typeof service.token === 'object' && 'file' in service.token ? [resolve(service.token.file)] : [];

  const connect = (): ServiceClient =>
    new ServiceClient({
      url,
      credentials,
      contract,
      concurrency,
      rate,
      idempotencyKeys,
      proxy,
      events: service,
      timeoutMs: 1000 * service.timeout,
    });

  const reading = (file: string, { as: kind, results, ...chosen }: Reading) => ({
    ...plainImport,
    ...chosen,
    ...into,
    file: read(text, file, 'file'),
    kind: kind && recordKind(kind),
    ignoredColumns: chosen.ignoreColumns,
    ignoredSheets: chosen.ignoreSheets,
    mapping: chosen.mapping === null ? null : readMapping(chosen.mapping),
    mappingsFolder: null,
    attachmentsFolder: chosen.attachments,
    privatePaths: [...secrets, ...chosen.privatePaths],
    resultsPath: results,
    expectations: chosen.expect,
  });
  const importing = (file: string, chosen: Importing) => ({
    ...chosen,
    ...reading(file, chosen),
    likeLast: chosen.expectLikeLast,
    plan: chosen.apply === null ? null : readPlan(chosen.apply),
    idempotencyKeys,
    batch: service.batch,
    serviceName: { url: url.href },
  });
  const exporting = (output: string) => ({
    output: resolve(read(text, output, 'output')),
    contract,
    now: new Date(),
  });

  return {
    async import(file, options = {}) {
      const chosen = read(importSchema, options);
      return importFile(importing(file, chosen), connect, ledger, chosen);
    },
    async plan(file, options = {}) {
      const chosen = read(importSchema, options);
      return planImport(importing(file, chosen), ledger, chosen);
    },
    async check(file, options = {}) {
      const chosen = read(checkSchema, options);
      return checkFile({ ...reading(file, chosen), openLedger: async () => ledger }, chosen);
    },
    async resume(id = null, options = {}) {
      const chosen = read(resumeSchema, options);
      const run = id === null ? await runToGoOnWith(ledger, into.service) : await ledger.run(id);
      if (run === null) throw errorOf('no-run-to-resume');
      const privatePaths = [...secrets, ...chosen.privatePaths];
      const { results: resultsPath, signal } = chosen;
      const resuming = { ...into, idempotencyKeys, resultsPath, batch: null, signal, privatePaths };
      return resumeRun(run, resuming, connect, ledger, chosen);
    },
    runs: () => ledger.runs(),
    health: () => asking(connect(), (client) => client.health()),
    async exportBalances(output, options = {}) {
      const chosen = read(balancesSchema, options);
      const previous = chosen.previous && resolve(chosen.previous);
      const balances = { ...chosen, ...exporting(output), previous, service: url.href };
      return asking(connect(), (client) => exportBalances(balances, client, chosen), chosen.signal);
    },
    async exportRecords(what, output, options) {
      const wanted = read(z.enum(['deals', 'companies']), what, 'what');
      const chosen = read(recordsSchema, options);
      const records = { ...chosen, ...exporting(output), wanted, kept: [], service: into.service };
      return asking(connect(), (client) => exportRecords(records, client, chosen), chosen.signal);
    },
    close: () => ledger.close(),
  };
}

type Importing = z.output<typeof importSchema>;
type Reading = Omit<z.output<typeof checkSchema>, 'onProblemRow'>;

/**
 * Writes a template, by the extension of its path: a workbook, or the header line of one kind as CSV.
 *
 * @throws DealsheetError `usage` for a CSV of several kinds, or where another file is
 */
export async function writeTemplate(path: string, options: TemplateChoices = {}): Promise<void> {
  const { kinds, columns, examples, contract } = read(templateSchema, options);
  const { dealStatuses, assignees } = contract;
  const how = { columns, examples, dealStatuses, assignees };
  await writeBlank(path, await templateBytes(kinds.map(recordKind), path, how));
}

/** @throws DealsheetError `usage` for an invalid option */
function read<Schema extends z.ZodType>(schema: Schema, given: unknown, name = 'options'): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = faultsIn(parsed.error.issues).map(({ path, message }) => `${path.join('.') || name}: ${message}`);
  throw errorOf('option-invalid', { faults: faults.join('; ') });
}

function credentialsOf(token: z.output<typeof serviceSchema>['token']): Credentials {
  if (typeof token === 'string') return fixedToken(token, 'the option token');
  if ('file' in token) return tokenFromFile(resolve(token.file));
  return tokenFromCommand({ command: token.command, folder: resolve(token.folder) });
}
