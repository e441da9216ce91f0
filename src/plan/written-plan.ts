/** A plan as it stands in its file. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { allStates } from '../contract/row-state.ts';
import { usageError } from '../errors.ts';

/** Goes up when what stands in a plan, or how it is digested, changes. */
export const planFormat = 6;

const count = z.int().min(0);

const plannedSheetSchema = z.strictObject({
  sheet: z.string(),
  kind: z.string(),
  rows: count,
  toSend: count,
  /** Rows to send whose equals are in: they go out once more. */
  onceMore: count,
  /** Rows that stay, by what their results will say. */
  staying: z.partialRecord(z.enum(allStates), count),
  /** The exact sum of the amounts of all rows as decimal digits, or `null` for a sheet without amounts. */
  amount: z.string().nullable(),
  /** A keyed digest, in hexadecimal: of what each row is made of, and what is done with it. */
  digest: z.string(),
});

const planSchema = z.strictObject({
  /** The format of the file. */
  plan: z.literal(planFormat),
  /** When it was made, ISO 8601. */
  made: z.string(),
  /** Who made it, as the ledger has people, sealed with the key of the ledger. */
  maker: z.strictObject({ person: z.string(), host: z.string(), seal: z.string() }),
  file: z.string(),
  /** SHA-256 of the source's bytes, in hexadecimal. */
  digest: z.string(),
  /** The identity of the service, and its address as a person reads it. */
  service: z.string(),
  address: z.string(),
  /** What tells the ledger from others: only with its key can the digests be made. */
  ledger: z.string(),
  /** The newest run of this source and service, or `null` for none. */
  newestRun: z.string().nullable(),
  /** How the source is read and sent, with the digests of the mapping and of the contract. */
  options: z.record(z.string(), z.unknown()),
  sheets: z.array(plannedSheetSchema),
});

export type SheetPlan = z.output<typeof plannedSheetSchema>;
export type LoadPlan = z.output<typeof planSchema>;

export const newPlan = 'Make a new plan with --plan, look at it, and apply that one. Nothing was sent.';

/** @throws DealsheetError `usage` when the file is no plan, or one of another version */
export function readPlan(path: string): LoadPlan {
  const noPlan = (cause: unknown) =>
    usageError(
      `${path} is not a plan that can be applied.`,
      'Name a file that import --plan has written. Nothing was sent.',
      cause,
    );
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw noPlan(cause);
  }
  const parsed = planSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const { success, data } = z.object({ plan: z.int() }).safeParse(json);
  if (!success || data.plan === planFormat) throw noPlan(parsed.error);
  throw usageError(`${path} is a plan of another version of dealsheet.`, newPlan);
}
