/**
 * What a load would do, written down before it: a person looks at it, another lets it happen, and nothing else may happen then.
 * Nothing of what a row says stands in it.
 */
import { DealsheetError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type RecordedChoices, readRecordedOptions, recordedOptions } from '../options/run-options.ts';
import type { Snapshot } from '../source/snapshot.ts';
import type { Survey, SurveyedSheet } from '../survey/survey.ts';
import { planChanges } from './plan-changes.ts';
import type { PlannedDecisions } from './planned-decisions.ts';
import { type LoadPlan, newPlan, planFormat, type SheetPlan } from './written-plan.ts';

export interface PlannedChoices extends RecordedChoices {
  readonly allOrNothing: boolean;
}

/**
 * @param decisions  those on all rows
 * @param now        ISO 8601
 */
export function planOf(
  options: PlannedChoices,
  snapshot: Snapshot,
  surveyed: Survey,
  decisions: PlannedDecisions,
  ledger: Ledger,
  now: string,
): LoadPlan {
  const { service } = options;
  return {
    plan: planFormat,
    made: now,
    file: snapshot.sourceName,
    digest: snapshot.digest,
    service,
    address: options.serviceUrl,
    ledger: ledger.fingerprint('the ledger of a plan').toString('hex'),
    newestRun: newestRunOf(ledger, { service, digest: snapshot.digest }),
    options: choicesOf(options, snapshot),
    sheets: surveyed.sheets.filter((sheet) => sheet.rows > 0).map((sheet) => plannedSheet(sheet, decisions)),
  };
}

/** Where the files lie and how the service is called may differ: what is in them, and which it is, stands in the plan itself. */
function choicesOf(options: PlannedChoices, snapshot: Snapshot): LoadPlan['options'] {
  const { allOrNothing, idempotencyKeys } = options;
  const recorded = readRecordedOptions(recordedOptions(options, snapshot, {}));
  const { attachmentsFolder, serviceName, mapping, hiddenOrders, ...choices } = recorded;
  return { ...choices, mapping: mapping?.digest ?? null, allOrNothing, idempotencyKeys };
}

function plannedSheet(sheet: SurveyedSheet, decisions: PlannedDecisions): SheetPlan {
  return {
    sheet: sheet.name,
    kind: sheet.kind.name,
    rows: sheet.rows,
    ...decisions.rowsOf(sheet.name),
    withErrors: sheet.invalidRows,
    leftOut: sheet.leftOutRows,
    withNotes: sheet.warnedRows,
    amount: sheet.amount,
    unreadableAmounts: sheet.unreadableAmounts,
    problems: Object.fromEntries(sheet.problems),
  };
}

function newestRunOf(ledger: Ledger, { service, digest }: Pick<LoadPlan, 'service' | 'digest'>): string | null {
  return ledger.newestRunOf(service, digest)?.id ?? null;
}

/** @throws DealsheetError `usage` with everything that is no longer as it was planned */
export function refuseOther(planned: LoadPlan, now: LoadPlan): void {
  const changes = planChanges(planned, now);
  if (changes.length > 0) throw outdated(planned, changes);
}

/** @throws DealsheetError `usage` when a run of the source has begun since the plan was made: a plan lets one load happen */
export function refuseLoadedSince(planned: LoadPlan, ledger: Ledger): void {
  refuseOther(planned, { ...planned, newestRun: newestRunOf(ledger, planned) });
}

function outdated(planned: LoadPlan, changes: readonly string[]): DealsheetError {
  const lines = changes.map((change) => `  ${change}`).join('\n');
  return new DealsheetError('usage', `The plan of ${planned.made} does not hold any more:\n${lines}`, newPlan);
}
