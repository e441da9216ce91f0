/** A plan as it stands in its file. Nothing of what a row says stands in it. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { DealsheetError } from '../errors.ts';

/** Goes up when what stands in a plan, or how it is digested, changes. */
export const planFormat = 4;

const count = z.int().min(0);

const plannedSheetSchema = z.strictObject({
  sheet: z.string(),
  kind: z.string(),
  rows: count,
  /** Every row is to be sent, or one of those that follow, or has errors. */
  toSend: count,
  /** Rows to send whose equals are in: they go out once more. */
  onceMore: count,
  alreadyLoaded: count,
  changedSinceLoaded: count,
  /** Rows that are as they were exported. */
  unchanged: count,
  inDoubt: count,
  /** Rows whose parents are not in, and do not go in with this load. */
  waiting: count,
  /** Rows that stay for another reason: a limit, the errors of other rows, or what a person has to decide first. */
  heldBack: count,
  withErrors: count,
  /** Rows that a check leaves out, such as totals. */
  leftOut: count,
  withNotes: count,
  clearedFields: count,
  /** The exact sum of the amounts of all rows as decimal digits, or `null` for a kind without amounts. */
  amount: z.string().nullable(),
  unreadableAmounts: count,
  /** Rows with an error, by the field that has it. */
  problems: z.record(z.string(), count),
  /** Keyed digests, in hexadecimal: of what is done with each row, and of what each row is made of. */
  steps: z.string(),
  contents: z.string(),
});

const planSchema = z.strictObject({
  /** The format of the file. */
  plan: z.literal(planFormat),
  /** When it was made, ISO 8601. */
  made: z.string(),
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

/** @throws DealsheetError `usage` when the file is no plan, or one of another version */
export function readPlan(path: string): LoadPlan {
  const json = jsonOf(path);
  const parsed = planSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const other = z.object({ plan: z.int() }).safeParse(json);
  if (other.success && other.data.plan !== planFormat) {
    throw new DealsheetError(
      'usage',
      `${path} is a plan of another version of dealsheet: whether it still holds cannot be told by it.`,
      newPlan,
    );
  }
  throw noPlan(path, parsed.error);
}

export const newPlan = 'Make a new plan with --plan, look at it, and apply that one. Nothing was sent.';

function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw noPlan(path, cause);
  }
}

function noPlan(path: string, cause: unknown): DealsheetError {
  return new DealsheetError(
    'usage',
    `${path} is no plan that can be applied.`,
    'Name a file that import --plan has written. Nothing was sent.',
    { cause },
  );
}
