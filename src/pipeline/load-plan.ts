/**
 * What a load would do, written down before it: a person looks at it, another lets it happen, and nothing else may happen then.
 * Nothing of what a row says stands in it.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { DealsheetError } from '../errors.ts';
import type { Foresight } from './foresight.ts';
import type { ImportOptions } from './import-file.ts';
import { readRecordedOptions, recordedOptions } from './run-options.ts';
import type { Snapshot } from './snapshot.ts';
import type { Survey, SurveyedSheet } from './survey.ts';

const count = z.int().min(0);

const planSchema = z.strictObject({
  /** The format of the file. */
  plan: z.literal(1),
  /** When it was made, ISO 8601. */
  made: z.string(),
  file: z.string(),
  /** SHA-256 of the source's bytes, in hexadecimal. */
  digest: z.string(),
  /** The identity of the service, and its address as a person reads it. */
  service: z.string(),
  address: z.string(),
  /** How the source is read and sent, as a run records it. */
  options: z.record(z.string(), z.unknown()),
  sheets: z.array(
    z.strictObject({
      sheet: z.string(),
      kind: z.string(),
      rows: count,
      toSend: count,
      withErrors: count,
      withNotes: count,
      held: count,
      clearedFields: count,
      /** The exact sum of the amounts as decimal digits, or `null` for a kind without amounts. */
      amount: z.string().nullable(),
      unreadableAmounts: count,
      /** Rows with an error, by the field that has it. */
      problems: z.record(z.string(), count),
    }),
  ),
  /** Rows to send that are in already, with another file or run. */
  alreadyLoaded: count,
});

export type LoadPlan = z.output<typeof planSchema>;

/** @param now  ISO 8601 */
export function planOf(
  options: ImportOptions,
  snapshot: Snapshot,
  surveyed: Survey,
  foresight: Foresight,
  now: string,
): LoadPlan {
  const { allOrNothing } = options;
  return {
    plan: 1,
    made: now,
    file: snapshot.sourceName,
    digest: snapshot.digest,
    service: options.service,
    address: options.serviceUrl,
    options: { ...readRecordedOptions(recordedOptions(options, snapshot)), allOrNothing },
    sheets: surveyed.sheets.filter((sheet) => sheet.rows > 0).map(plannedSheet),
    alreadyLoaded: foresight.loaded,
  };
}

function plannedSheet(sheet: SurveyedSheet): LoadPlan['sheets'][number] {
  return {
    sheet: sheet.name,
    kind: sheet.kind.name,
    rows: sheet.rows,
    toSend: sheet.rows - sheet.invalidRows - sheet.heldRows,
    withErrors: sheet.invalidRows,
    withNotes: sheet.warnedRows,
    held: sheet.heldRows,
    clearedFields: sheet.clears,
    amount: sheet.amount,
    unreadableAmounts: sheet.unreadableAmounts,
    problems: Object.fromEntries([...sheet.problems].map(([label, { rows }]) => [label, rows])),
  };
}

/** @throws DealsheetError `usage` when the file is no plan */
export function readPlan(path: string): LoadPlan {
  try {
    return planSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new DealsheetError(
      'usage',
      `${path} is no plan that can be applied.`,
      'Name a file that import --plan has written. Nothing was sent.',
      { cause },
    );
  }
}

/** @throws DealsheetError `usage` with everything that is no longer as it was planned */
export function refuseOther(planned: LoadPlan, now: LoadPlan): void {
  const changes = [
    ...(planned.digest === now.digest ? [] : ['The file has been changed.']),
    ...(planned.service === now.service ? [] : [`The service is ${now.address}, and was ${planned.address}.`]),
    ...optionChanges(planned.options, now.options),
    ...(planned.digest === now.digest ? sheetChanges(planned, now) : []),
  ];
  if (changes.length === 0) return;
  throw new DealsheetError(
    'usage',
    `The plan of ${planned.made} does not hold any more:\n${changes.map((change) => `  ${change}`).join('\n')}`,
    'Make a new plan with --plan, look at it, and apply that one. Nothing was sent.',
  );
}

function optionChanges(planned: LoadPlan['options'], now: LoadPlan['options']): readonly string[] {
  return Object.keys(now)
    .filter((name) => JSON.stringify(planned[name]) !== JSON.stringify(now[name]))
    .map((name) => (name === 'mapping' ? 'The mapping has been changed.' : `It was planned with another ${name}.`));
}

function sheetChanges(planned: LoadPlan, now: LoadPlan): readonly string[] {
  const before = new Map(planned.sheets.map((sheet) => [sheet.sheet, JSON.stringify(sheet)]));
  const changed = now.sheets.filter((sheet) => before.get(sheet.sheet) !== JSON.stringify(sheet));
  return [
    ...changed.map(
      ({ sheet }) => `Other rows of ${sheet} would be sent: ids or attachments that they name have changed.`,
    ),
    ...(planned.alreadyLoaded === now.alreadyLoaded
      ? []
      : [`${now.alreadyLoaded} rows are in already, and ${planned.alreadyLoaded} were.`]),
  ];
}
