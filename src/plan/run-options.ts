/** What a run writes into the ledger about how its source was read, so that a resume reads it in the same way. */
import { resolve } from 'node:path';
import * as z from 'zod';
import { checkLevelsSchema } from '../contract/check-codes.ts';
import { contractDigest } from '../contract/contract-settings.ts';
import { recordKindNames } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import { readSameMapping } from '../mapping/mapping-file/read-mapping.ts';
import { dateOrders } from '../mapping/values/date-order.ts';
import { attachmentsFolderOf, maskModes, type ReadingOptions } from '../staging/reading.ts';
import type { Snapshot } from '../staging/source/snapshot.ts';
import type { SendingOptions } from './sending-options.ts';
import { limitSchema } from './turns.ts';

const ignored = z.union([z.literal('all'), z.array(z.string())]);

const recordedSchema = z.object({
  kind: z.enum(recordKindNames).nullable(),
  sheet: z.string().nullable(),
  ignoredColumns: ignored,
  ignoredSheets: ignored,
  encoding: z.string().nullable(),
  delimiter: z.string().nullable(),
  /** The mapping by its place and digest alone: what it says is not for the ledger. */
  mapping: z.object({ path: z.string(), digest: z.string() }).nullable().default(null),
  dateOrder: z.enum(dateOrders).nullable(),
  checks: checkLevelsSchema.default({}),
  attachmentsFolder: z.string(),
  mask: z.enum(maskModes),
  batch: z.int(),
  limit: limitSchema.default(null),
  again: z.boolean(),
  trustResults: z.boolean().default(true),
  /** The contract by its digest; `null` for runs that were begun before it was written down. */
  contract: z.string().nullable().default(null),
  serviceName: z.record(z.string(), z.string()),
});

export type RecordedOptions = z.output<typeof recordedSchema>;

export interface RecordedChoices extends SendingOptions {
  /** Believe the statuses of a results sheet whose run the ledger does not know. */
  readonly trustResults: boolean;
  /** How the person named the service, and at what pace it is to be spoken to, so that a resume does as much; nothing secret. */
  readonly serviceName: Readonly<Record<string, string>>;
}

/** The choices of an import as JSON: nothing of the rows, nothing secret. */
export function recordedOptions(options: RecordedChoices, snapshot: Snapshot): string {
  const recorded: RecordedOptions = {
    ignoredColumns: typeof options.ignoredColumns === 'string' ? options.ignoredColumns : [...options.ignoredColumns],
    encoding: options.encoding,
    delimiter: options.delimiter,
    mapping: options.mapping === null ? null : { path: options.mapping.path, digest: options.mapping.digest },
    dateOrder: options.dateOrder,
    contract: contractDigest(options.contract),
    kind: options.kind?.name ?? null,
    sheet: options.sheet,
    ignoredSheets: typeof options.ignoredSheets === 'string' ? options.ignoredSheets : [...options.ignoredSheets],
    checks: options.checks,
    attachmentsFolder: resolve(attachmentsFolderOf(options, snapshot)),
    mask: options.mask,
    batch: options.batch,
    limit: options.limit,
    again: options.again,
    trustResults: options.trustResults,
    serviceName: { ...options.serviceName },
  };
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
): Omit<ReadingOptions, 'file' | 'contract' | 'resultsPath' | 'snapshotFolder' | 'standardInput' | 'privatePaths'> {
  const {
    kind,
    sheet,
    ignoredColumns,
    ignoredSheets,
    encoding,
    delimiter,
    dateOrder,
    checks,
    attachmentsFolder,
    mask,
  } = recorded;
  return {
    kind: kind === null ? null : recordKind(kind),
    sheet,
    ignoredColumns,
    ignoredSheets,
    encoding,
    delimiter,
    mapping: recorded.mapping === null ? null : readSameMapping(recorded.mapping),
    mappingsFolder: null,
    dateOrder,
    checks,
    attachmentsFolder,
    mask,
  };
}
