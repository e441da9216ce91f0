/** The options of a load, and those of them that a run stores in the ledger for a resume. */
import { resolve } from 'node:path';
import * as z from 'zod';
import { checkLevelsSchema } from '../contract/check-codes.ts';
import { contractDigest } from '../contract/contract-settings.ts';
import { dateOrders } from '../contract/date-order.ts';
import { recordKindNames } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import { clueNames } from '../mapping/format-inference.ts';
import { readSameMapping } from '../mapping/mapping-file/read-mapping.ts';
import { attachmentsOf, maskModes, type ReadingOptions } from '../staging/reading.ts';
import { readSameCorrections } from '../staging/source/corrections.ts';
import type { SourceCopy } from '../staging/source/source-copy.ts';
import { type Limit, limitSchema } from './decision.ts';
import type { LoadPlan } from './written-plan.ts';

export interface SendingOptions extends ReadingOptions {
  /** The identity of the service in the ledger: `identityOf` its address, or the data file of a sandbox. */
  readonly service: string;
  /** The address, for people to read. */
  readonly serviceUrl: string;
  readonly again: boolean;
  readonly idempotencyKeys: boolean;
  readonly limit: Limit;
  /** Rows in one request of a bulk kind. */
  readonly batch: number;
  /** Once it is aborted, no new request starts. */
  readonly signal: AbortSignal;
}

export interface Expectation {
  /** A kind or a sheet; `null` for the whole file. */
  readonly of: string | null;
  readonly what: 'rows' | 'amount';
  /** A whole number, or an amount in decimal digits. */
  readonly value: string;
}

export interface ImportOptions extends SendingOptions {
  /** Whether to trust the statuses of a results sheet whose run the ledger does not know. */
  readonly trustResults: boolean;
  /** How the person named the service, and its pace, so that a resume uses the same. Holds no secrets. */
  readonly serviceName: Readonly<Record<string, string>>;
  /** Whether one invalid row keeps all rows from being sent. */
  readonly allOrNothing: boolean;
  /** Nothing is sent unless this plan still holds; `null` for none. */
  readonly plan: LoadPlan | null;
  /** Nothing is sent unless the file meets these. */
  readonly expectations: readonly Expectation[];
  /** The share by which rows and amounts may differ from the last load of such a file; `null` for any. */
  readonly likeLast: number | null;
}

const totalsSchema = z.record(z.string(), z.object({ rows: z.int(), amount: z.string().nullable() }));
/** The rows of a file by record kind, and their exact total in kinds with amounts. */
export type KindTotals = Readonly<z.output<typeof totalsSchema>>;

const ignored = z.union([z.literal('all'), z.array(z.string()).readonly()]);

const recordedSchema = z.object({
  kind: z.enum(recordKindNames).nullable(),
  sheet: z.string().nullable(),
  ignoredColumns: ignored,
  ignoredSheets: ignored,
  encoding: z.string().nullable(),
  delimiter: z.string().nullable(),
  /** Path and digest only: the contents of a mapping do not belong in the ledger. */
  mapping: z.object({ path: z.string(), digest: z.string() }).nullable(),
  /** Likewise. */
  corrections: z.object({ path: z.string(), digest: z.string() }).nullable(),
  dateOrder: z.enum(dateOrders).nullable(),
  clues: z.array(z.object({ sheet: z.string(), path: z.string(), clues: z.array(z.enum(clueNames)) })),
  checks: checkLevelsSchema,
  attachmentsFolder: z.string(),
  mask: z.enum(maskModes),
  batch: z.int(),
  limit: limitSchema,
  again: z.boolean(),
  trustResults: z.boolean(),
  /** The digest of the contract. */
  contract: z.string(),
  serviceName: z.record(z.string(), z.string()),
  held: totalsSchema,
});

export type RecordedOptions = z.output<typeof recordedSchema>;

/** The options of an import as JSON, without row values or secrets. */
export function recordedOptions(
  options: Omit<ImportOptions, 'allOrNothing' | 'plan' | 'expectations' | 'likeLast'>,
  copy: SourceCopy,
  totals: KindTotals = {},
): string {
  const recorded = recordedSchema.parse({
    ...options,
    kind: options.kind?.name ?? null,
    contract: contractDigest(options.contract),
    attachmentsFolder: resolve(attachmentsOf(options, copy).folder),
    held: totals,
  });
  return JSON.stringify(recorded);
}

export function readRecordedOptions(json: string): RecordedOptions {
  return recordedSchema.parse(JSON.parse(json));
}

/** `null` if this version cannot read the recorded options. */
export function recordedOptionsOf(run: RunRecord): RecordedOptions | null {
  try {
    return readRecordedOptions(run.options);
  } catch {
    return null;
  }
}

export function recordedReading(
  recorded: RecordedOptions,
): Omit<ReadingOptions, 'file' | 'contract' | 'resultsPath' | 'sourcesFolder' | 'standardInput' | 'privatePaths'> {
  const { kind, mapping, corrections, batch, limit, again, trustResults, contract, serviceName, held, ...same } =
    recorded;
  return {
    ...same,
    kind: kind === null ? null : recordKind(kind),
    mapping: mapping === null ? null : readSameMapping(mapping),
    corrections: corrections === null ? null : readSameCorrections(corrections),
    mappingsFolder: null,
  };
}
