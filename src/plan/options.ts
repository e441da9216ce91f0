/** The choices of a person for a load, and what a run writes of them into the ledger, so that a resume does as much. */
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
import { attachmentsFolderOf, maskModes, type ReadingOptions } from '../staging/reading.ts';
import { readSameCorrections } from '../staging/source/corrections.ts';
import type { SourceCopy } from '../staging/source/source-copy.ts';
import { type Limit, limitSchema } from './decision.ts';
import type { LoadPlan } from './written-plan.ts';

export interface SendingOptions extends ReadingOptions {
  /** By what the ledger knows the service: what `identityOf` makes of its address, or the data file of a sandbox. */
  readonly service: string;
  /** Its address, for a person to read. */
  readonly serviceUrl: string;
  readonly again: boolean;
  readonly idempotencyKeys: boolean;
  readonly limit: Limit;
  /** Rows in one request of a bulk kind. */
  readonly batch: number;
  /** No new request once it is aborted. */
  readonly signal: AbortSignal;
}

/** What a person expects a file to hold. */
export interface Expectation {
  /** A kind or a sheet, or `null` for the whole file. */
  readonly of: string | null;
  readonly what: 'rows' | 'amount';
  /** A whole number, or an amount as decimal digits. */
  readonly value: string;
}

export interface ImportOptions extends SendingOptions {
  /** Believe the statuses of a results sheet whose run the ledger does not know. */
  readonly trustResults: boolean;
  /** How the person named the service, and at what pace it is to be spoken to, so that a resume does as much; nothing secret. */
  readonly serviceName: Readonly<Record<string, string>>;
  /** Nothing is sent where a row is wrong. */
  readonly allOrNothing: boolean;
  /** The plan that must still hold, or nothing is sent; `null` for none. */
  readonly plan: LoadPlan | null;
  /** What the file must hold, or nothing is sent. */
  readonly expectations: readonly Expectation[];
  /** The share by which rows and amounts may differ from the last load of the same kind, or nothing is sent; `null` for any. */
  readonly likeLast: number | null;
}

const heldSchema = z.record(z.string(), z.object({ rows: z.int(), amount: z.string().nullable() }));
/** What a file held, by record kind: rows, and the exact sum of their amounts where the kind has some. */
export type Held = Readonly<z.output<typeof heldSchema>>;

const ignored = z.union([z.literal('all'), z.array(z.string())]);

const recordedSchema = z.object({
  kind: z.enum(recordKindNames).nullable(),
  sheet: z.string().nullable(),
  ignoredColumns: ignored,
  ignoredSheets: ignored,
  encoding: z.string().nullable(),
  delimiter: z.string().nullable(),
  /** The mapping by its place and digest alone: what it says is not for the ledger. */
  mapping: z.object({ path: z.string(), digest: z.string() }).nullable(),
  /** In the same way; none in runs that were begun before there were any. */
  corrections: z.object({ path: z.string(), digest: z.string() }).nullable().default(null),
  dateOrder: z.enum(dateOrders).nullable(),
  clues: z.array(z.object({ sheet: z.string(), path: z.string(), clues: z.array(z.enum(clueNames)) })).default([]),
  checks: checkLevelsSchema,
  attachmentsFolder: z.string(),
  mask: z.enum(maskModes),
  batch: z.int(),
  limit: limitSchema,
  again: z.boolean(),
  trustResults: z.boolean(),
  /** The contract by its digest; `null` for runs that were begun before it was written down. */
  contract: z.string().nullable().default(null),
  serviceName: z.record(z.string(), z.string()),
  held: heldSchema.default({}),
});

export type RecordedOptions = z.output<typeof recordedSchema>;

/** The choices of an import as JSON: nothing of the rows, nothing secret. */
export function recordedOptions(
  options: Omit<ImportOptions, 'allOrNothing' | 'plan' | 'expectations' | 'likeLast'>,
  copy: SourceCopy,
  held: Held = {},
): string {
  const recorded = recordedSchema.parse({
    ...options,
    kind: options.kind?.name ?? null,
    contract: contractDigest(options.contract),
    attachmentsFolder: resolve(attachmentsFolderOf(options, copy)),
    held,
  });
  return JSON.stringify(recorded);
}

export function readRecordedOptions(json: string): RecordedOptions {
  return recordedSchema.parse(JSON.parse(json));
}

/** The same of a run, or `null` when they were recorded in a way that cannot be read any more. */
export function recordedOptionsOf(run: RunRecord): RecordedOptions | null {
  try {
    return readRecordedOptions(run.options);
  } catch {
    return null;
  }
}

/** The reading of a resumed run: as recorded. */
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
