/** A plan as it stands in its file, and what is no longer as it was planned. Nothing of what a row says stands in it. */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { DealsheetError } from '../errors.ts';

/** Goes up when what stands in a plan, or how it is digested, changes. */
export const planFormat = 5;

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
    `${path} is not a plan that can be applied.`,
    'Name a file that import --plan has written. Nothing was sent.',
    { cause },
  );
}

/** What is said of rows by what was decided of them. */
const plannedWords = {
  toSend: 'to be sent',
  onceMore: 'already loaded and would be sent again',
  alreadyLoaded: 'already loaded',
  changedSinceLoaded: 'in, and changed since',
  unchanged: 'unchanged since the export',
  inDoubt: 'in doubt',
  waiting: 'waiting for rows that are not in',
  heldBack: 'not sent this time',
} as const;

/** Sentences; none when everything is as it was planned. */
export function planChanges(planned: LoadPlan, now: LoadPlan): readonly string[] {
  const causes = [
    ...(planned.digest === now.digest ? [] : ['The file has been changed.']),
    ...(planned.service === now.service ? [] : [`The service is ${now.address}, and was ${planned.address}.`]),
    ...(planned.ledger === now.ledger ? [] : ['It was planned with another ledger, which knows of other loads.']),
    ...optionChanges(planned.options, now.options),
  ];
  // Each of these changes what is decided on many rows: then their counts tell nothing further.
  return causes.length > 0 ? causes : [...runChange(planned, now), ...sheetChanges(planned, now)];
}

const namesOfOptions: Readonly<Record<string, string>> = {
  mapping: 'The mapping has been changed.',
  corrections: 'What was corrected in the file is no longer the same.',
  contract: 'The contract has been changed: what a profile says of the service under "contract".',
  idempotencyKeys: 'Whether the service takes an Idempotency-Key has been changed in the profile.',
};

function optionChanges(planned: LoadPlan['options'], now: LoadPlan['options']): readonly string[] {
  return Object.keys(now)
    .filter((name) => !isDeepStrictEqual(planned[name], now[name]))
    .map((name) => namesOfOptions[name] ?? `It was planned with another ${name}.`);
}

function runChange(planned: LoadPlan, now: LoadPlan): readonly string[] {
  if (planned.newestRun === now.newestRun) return [];
  return [
    planned.newestRun === null
      ? `The file has been loaded since then, with the run ${now.newestRun}.`
      : `The newest run of the file is ${now.newestRun ?? 'forgotten'}, and was ${planned.newestRun}.`,
  ];
}

function sheetChanges(planned: LoadPlan, now: LoadPlan): readonly string[] {
  const before = new Map(planned.sheets.map((sheet) => [sheet.sheet, sheet]));
  return now.sheets.flatMap((sheet) => {
    const was = before.get(sheet.sheet);
    return was === undefined ? [`${sheet.sheet} is new.`] : changesOf(was, sheet);
  });
}

const countsInWords = { ...plannedWords, withErrors: 'wrong', leftOut: 'left out' };
type Counted = keyof typeof countsInWords;

function changesOf(was: SheetPlan, is: SheetPlan): readonly string[] {
  const counted = (Object.keys(countsInWords) as Counted[])
    .filter((name) => was[name] !== is[name])
    .map((name) => `${is.sheet}: ${countChange(was[name], is[name], countsInWords[name])}`);
  if (counted.length > 0) return counted;
  if (was.steps !== is.steps)
    return [`${is.sheet}: as many rows are in, in doubt or to be sent, but not the same ones.`];
  if (was.contents !== is.contents) return [contentChange(is)];
  return isDeepStrictEqual(was, is) ? [] : [`${is.sheet}: the checks find something else.`];
}

function countChange(was: number, is: number, words: string): string {
  return `${is === 1 ? '1 row is' : `${is} rows are`} ${words}, and ${was} ${was === 1 ? 'was' : 'were'}.`;
}

function contentChange({ sheet, kind }: SheetPlan): string {
  return kind === 'attachments'
    ? `${sheet}: files that rows name have been changed, or the ids of their deals.`
    : `${sheet}: ids of earlier loads that rows name have changed, or how often equal rows are in.`;
}
