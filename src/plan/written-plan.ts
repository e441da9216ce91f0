/** The format of a plan file. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { allStates } from '../contract/row-state.ts';
import { errorOf } from '../messages/text.ts';

/** Increases when the contents of a plan, or their digests, change. */
export const planFormat = 10;

const count = z.int().min(0);

const plannedSheetSchema = z.strictObject({
  sheet: z.string(),
  kind: z.string(),
  rows: count,
  toSend: count,
  /** The rows to send that are committed and go out again (`--again`). */
  onceMore: count,
  /** Rows that are not sent, by the state in their results. */
  staying: z.partialRecord(z.enum(allStates), count),
  /** The exact total of all rows in decimal digits; `null` for a sheet without amounts. */
  amount: z.string().nullable(),
  /** Keyed digest of the content and the decision of each row, in hexadecimal. */
  digest: z.string(),
});

const planSchema = z.strictObject({
  plan: z.literal(planFormat),
  /** ISO 8601. */
  made: z.string(),
  /** Sealed with the key of the ledger, so that a change of its maker shows. */
  maker: z.strictObject({ person: z.string(), host: z.string(), seal: z.string() }),
  file: z.string(),
  /** SHA-256 of the source's bytes, in hexadecimal. */
  digest: z.string(),
  /** The identity of the service. The address is for people to read. */
  service: z.string(),
  address: z.string(),
  /** Identifies the ledger: only its key can make this digest. */
  ledger: z.string(),
  /** The newest run of this source in this service, or `null`. */
  newestRun: z.string().nullable(),
  /** How the source is read and sent, with the digests of the mapping and the contract. */
  options: z.record(z.string(), z.unknown()),
  sheets: z.array(plannedSheetSchema),
});

export type SheetPlan = z.output<typeof plannedSheetSchema>;
export type LoadPlan = z.output<typeof planSchema>;

/** @throws DealsheetError `usage` when the file is not a plan, or has another format */
export function readPlan(path: string): LoadPlan {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw errorOf('no-plan', { path }, cause);
  }
  const parsed = planSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const { success, data } = z.object({ plan: z.int() }).safeParse(json);
  if (!success || data.plan === planFormat) throw errorOf('no-plan', { path }, parsed.error);
  throw errorOf('plan-of-other-version', { path });
}
