/** The public API: a script loads files as the commands do. */
export type { Counts, RowState } from './contract/row-state.ts';
export { DealsheetError, type ErrorCode, isDealsheetError } from './errors.ts';
export type { RunRecord } from './ledger/ledger.ts';
export { type Dealsheet, openDealsheet } from './library.ts';
export type { CheckChoices, DealsheetOptions, ImportChoices, ResumeChoices } from './library-options.ts';
export type { CheckResult } from './load/check-file.ts';
export type { RowEvent } from './load/load.ts';
export type { SendingResult } from './load/sending.ts';
export type { CheckedRow } from './mapping/body.ts';
export { type Finding, findingText } from './messages/finding.ts';
export type { Preview } from './plan/preview.ts';
export type { LoadPlan } from './plan/written-plan.ts';
export type { HealthResult } from './service/client.ts';
