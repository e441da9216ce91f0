/**
 * The library: `openDealsheet` names a service and a ledger once, and what it gives does what the commands do. Every option
 * has the name and the default of its flag; one that is unknown or wrong is refused before anything is read.
 */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod';
import { assumedContract, type ContractSettings } from './contract/contract-settings.ts';
import { recordKind } from './contract/record-kinds.ts';
import { DealsheetError } from './errors.ts';
import { exportBalances } from './export/export-balances.ts';
import type { BalancesResult, RecordsResult } from './export/export-options.ts';
import { exportRecords } from './export/export-records.ts';
import type { RunRecord } from './ledger/ledger.ts';
import { openLedger } from './ledger/open-ledger.ts';
import {
  type BalancesChoices,
  balancesSchema,
  type CheckChoices,
  checkSchema,
  type DealsheetOptions,
  type ImportChoices,
  importSchema,
  type RecordsChoices,
  type ResumeChoices,
  recordsSchema,
  resumeSchema,
  serviceSchema,
  type TemplateChoices,
  templateSchema,
  text,
} from './library-options.ts';
import { type CheckResult, checkFile } from './load/check-file.ts';
import { retryBudgetFor, silentImport } from './load/defaults.ts';
import { importFile, planImport } from './load/import-file.ts';
import { resumeRun } from './load/resume-run.ts';
import type { SendingEvents, SendingResult } from './load/sending.ts';
import { readMapping } from './mapping/mapping-file/read-mapping.ts';
import type { Preview } from './plan/preview.ts';
import { type LoadPlan, readPlan } from './plan/written-plan.ts';
import { millisecondsOfSecond } from './seconds.ts';
import { identityOf, readAddress, refuseUncheckedTls } from './service/address.ts';
import { type HealthResult, ServiceClient } from './service/client.ts';
import { proxyOf } from './service/proxy.ts';
import {
  type Credentials,
  fixedToken,
  tokenCommandTimeoutMs,
  tokenFromCommand,
  tokenFromFile,
} from './service/tokens/credentials.ts';
import type { ReadingOptions } from './staging/reading.ts';
import { templateBytes } from './workbooks/template.ts';

/**
 * A service and its ledger, open until it is closed. One load at a time goes into a service. What cannot go on rejects with a
 * {@link DealsheetError}; what one of your functions throws ends a load in good order, and the load rejects with it.
 */
export interface Dealsheet {
  /** Sends what is not in. Gives `null` when `confirm` said no. */
  import(file: string, options?: ImportChoices): Promise<SendingResult | null>;
  /** What a load would do with each row; the plan can be written down, looked at, and applied. */
  plan(file: string, options?: ImportChoices): Promise<{ readonly plan: LoadPlan; readonly preview: Preview }>;
  /** What is wrong with the rows, and what is in by an earlier load. Nothing is sent. */
  check(file: string, options?: CheckChoices): Promise<CheckResult>;
  /** Goes on with a run that was stopped; without its id, with the newest that has not ended. */
  resume(run?: string | null, options?: ResumeChoices): Promise<SendingResult | null>;
  /** The newest first. */
  runs(): Promise<readonly RunRecord[]>;
  health(): Promise<HealthResult>;
  /** Brings the loan balances into a file: .xlsx, .csv, .json or .ndjson. */
  exportBalances(output: string, options?: BalancesChoices): Promise<BalancesResult>;
  /** Brings deals or companies into a file, by their ids. */
  exportRecords(what: 'deals' | 'companies', output: string, options: RecordsChoices): Promise<RecordsResult>;
  close(): Promise<void>;
}

/**
 * @throws DealsheetError `usage` for an option that is not right; it repeats no value, for that may be a secret
 * @throws DealsheetError `ledger-refused` when the ledger is damaged, from another version, or without its key
 */
export function openDealsheet(options: DealsheetOptions): Dealsheet {
  const service = read(serviceSchema, options);
  const url = readAddress(service.url);
  refuseUncheckedTls(url, service.insecureTls);
  const credentials = credentialsOf(service.token);
  const contract = service.contract ?? assumedContract;
  const proxy = proxyOf(url, process.env);
  const { onPace, onRetry, onWait, onLost, onStop } = service;
  const events = given({ onPace, onRetry, onWait, onLost, onStop });
  const ledger = openLedger(service.ledger);
  const snapshotFolder = `${ledger.files}.sources`;
  const into = { service: identityOf(url), serviceUrl: url.href, contract, snapshotFolder };
  const secrets = typeof service.token === 'object' && 'file' in service.token ? [resolve(service.token.file)] : [];

  const connect = (rows: number): ServiceClient =>
    new ServiceClient({
      url,
      credentials,
      contract,
      timeoutMs: millisecondsOfSecond * service.timeout,
      concurrency: service.concurrency,
      rate: service.rate,
      idempotencyKeys: service.idempotencyKey,
      retryBudget: retryBudgetFor(rows),
      events,
      proxy,
    });

  async function asking<Result>(signal: AbortSignal | undefined, ask: (client: ServiceClient) => Promise<Result>) {
    const client = connect(0);
    const leave = () => void client.close();
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await ask(client);
    } finally {
      signal?.removeEventListener('abort', leave);
      await client.close();
    }
  }

  const reading = (file: string, chosen: z.output<typeof checkSchema> | z.output<typeof importSchema>) => ({
    ...readingOf(read(text, file, 'file'), chosen, contract, secrets),
    ...into,
  });
  const importing = (file: string, chosen: z.output<typeof importSchema>) => ({
    ...reading(file, chosen),
    again: chosen.again,
    allOrNothing: chosen.allOrNothing,
    trustResults: chosen.trustResults,
    expectations: chosen.expect,
    likeLast: chosen.expectLikeLast,
    plan: chosen.apply === undefined ? null : readPlan(chosen.apply),
    idempotencyKeys: service.idempotencyKey,
    limit: chosen.limit,
    batch: service.batch,
    serviceName: { url: url.href },
    signal: chosen.signal ?? neverAborted(),
  });
  const exporting = (output: string, chosen: z.output<typeof balancesSchema> | z.output<typeof recordsSchema>) => ({
    output: resolve(read(text, output, 'output')),
    format: chosen.format ?? null,
    columns: chosen.columns,
    mask: chosen.mask,
    contract,
    now: new Date(),
    signal: chosen.signal ?? neverAborted(),
    standardOutput: process.stdout,
  });

  return {
    async import(file, options = {}) {
      const chosen = read(importSchema, options);
      return importFile(importing(file, chosen), connect, ledger, listeners(chosen));
    },
    async plan(file, options = {}) {
      const chosen = read(importSchema, options);
      return planImport(importing(file, chosen), ledger, listeners(chosen));
    },
    async check(file, options = {}) {
      const chosen = read(checkSchema, options);
      const { onProgress = () => {}, onProblemRow } = chosen;
      const checking = { ...reading(file, chosen), expectations: chosen.expect, openLedger: async () => ledger };
      return checkFile(checking, { onProgress, onProblemRow });
    },
    async resume(id = null, options = {}) {
      const chosen = read(resumeSchema, options);
      const run = await runToResume(await ledger.runs(), id, into.service);
      const { privatePaths, results = null, signal = neverAborted() } = chosen;
      const resuming = { ...into, idempotencyKeys: service.idempotencyKey, resultsPath: results, signal };
      return resumeRun(
        run,
        { ...resuming, privatePaths: [...secrets, ...privatePaths] },
        connect,
        ledger,
        listeners(chosen),
      );
    },
    runs: () => ledger.runs(),
    health: () => asking(undefined, (client) => client.health()),
    async exportBalances(output, options = {}) {
      const chosen = read(balancesSchema, options);
      const { onPage = () => {}, onWritten = () => {}, query, groupBy, lists = 'count', previous, key = null } = chosen;
      const balances = { ...exporting(output, chosen), query, groupBy, lists, key, service: url.href };
      const before = previous === undefined ? null : resolve(previous);
      return asking(chosen.signal, (client) =>
        exportBalances({ ...balances, previous: before }, client, { onPage, onWritten }),
      );
    },
    async exportRecords(what, output, options) {
      const wanted = read(z.enum(['deals', 'companies']), what, 'what');
      const chosen = read(recordsSchema, options);
      const { onRead = () => {}, ids, asTemplate, lists = 'few' } = chosen;
      const records = { ...exporting(output, chosen), wanted, ids, asTemplate, lists, service: into.service };
      return asking(chosen.signal, (client) => exportRecords(records, client, { onRead }));
    },
    close: () => ledger.close(),
  };
}

/**
 * Writes a template, by the ending of its path: a workbook, or the header line of one kind as CSV. What stands there gives way.
 *
 * @throws DealsheetError `usage` for a CSV of several kinds
 */
export async function writeTemplate(path: string, options: TemplateChoices = {}): Promise<void> {
  const { kinds, columns, examples, contract = assumedContract } = read(templateSchema, options);
  const { dealStatuses, assignees } = contract;
  const bytes = await templateBytes(kinds.map(recordKind), path, { columns, examples, dealStatuses, assignees });
  await writeFile(path, bytes);
}

/** @throws DealsheetError `usage` */
function read<Schema extends z.ZodType>(schema: Schema, given: unknown, name = 'options'): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || name}: ${message}`);
  throw new DealsheetError('usage', `An option is not right. ${faults.join('; ')}.`, 'Correct it. Nothing was sent.');
}

function credentialsOf(token: z.output<typeof serviceSchema>['token']): Credentials {
  if (typeof token === 'string') return fixedToken(token, 'the option token');
  if ('file' in token) return tokenFromFile(resolve(token.file));
  return tokenFromCommand({ command: token.command, folder: resolve(token.folder), timeoutMs: tokenCommandTimeoutMs });
}

type Reading = z.output<typeof checkSchema> | z.output<typeof importSchema>;

function readingOf(
  file: string,
  chosen: Reading,
  contract: ContractSettings,
  secrets: readonly string[],
): Omit<ReadingOptions, 'snapshotFolder'> {
  return {
    file,
    kind: chosen.as === undefined ? null : recordKind(chosen.as),
    sheet: chosen.sheet ?? null,
    ignoredColumns: chosen.ignoreColumns,
    ignoredSheets: chosen.ignoreSheets,
    encoding: chosen.encoding ?? null,
    delimiter: chosen.delimiter ?? null,
    mapping: chosen.mapping === undefined ? null : readMapping(chosen.mapping),
    corrections: null,
    mappingsFolder: null,
    dateOrder: chosen.dateOrder ?? null,
    contract,
    checks: chosen.checks,
    attachmentsFolder: chosen.attachments ?? null,
    privatePaths: [...secrets, ...chosen.privatePaths],
    resultsPath: chosen.results ?? null,
    mask: chosen.mask,
    standardInput: process.stdin,
  };
}

function listeners(chosen: z.output<typeof importSchema> | z.output<typeof resumeSchema>): SendingEvents {
  const { onProgress, confirm, onHealth, onBegin, onRow, onReport } = chosen;
  return { ...silentImport, ...given({ onProgress, confirm, onHealth, onBegin, onRow, onReport }) };
}

/** Without the members that are left out. */
function given<Members extends object>(members: Members): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const there = Object.entries(members).filter(([, member]) => member !== undefined);
  return Object.fromEntries(there) as { [Name in keyof Members]?: NonNullable<Members[Name]> };
}

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

async function runToResume(runs: readonly RunRecord[], id: string | null, service: string): Promise<RunRecord> {
  const run =
    id === null
      ? runs.find((one) => one.service === service && one.state !== 'ended')
      : runs.find((one) => one.id === id);
  if (run !== undefined) return run;
  throw new DealsheetError(
    'usage',
    id === null ? 'No run into this service waits to be resumed.' : `This ledger has no run ${id}.`,
    'runs() gives the runs. Nothing was sent.',
  );
}
