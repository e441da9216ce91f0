/** The public API: a script can do what the commands do. */
export type { Counts, RowState } from './contract/row-state.ts';
export { DealsheetError, type ErrorCode, isDealsheetError } from './errors.ts';
export type { BalancesResult } from './export/export-balances.ts';
export type { RecordsResult } from './export/export-records.ts';
export type { RunRecord } from './ledger/ledger.ts';
export {
  type BalancesChoices,
  type CheckChoices,
  type Dealsheet,
  type DealsheetOptions,
  type ImportChoices,
  openDealsheet,
  type RecordsChoices,
  type ResumeChoices,
  type TemplateChoices,
  writeTemplate,
} from './library.ts';
export type { CheckResult } from './load/check-file.ts';
export type { RowEvent } from './load/load.ts';
export type { SendingResult } from './load/sending.ts';
export type { CheckedRow } from './mapping/body.ts';
export { type Finding, findingText } from './messages/finding.ts';
export type { Preview } from './plan/preview.ts';
export type { LoadPlan } from './plan/written-plan.ts';
export type { HealthResult } from './service/client.ts';
