/** The library: what a script needs to do what the command line does. */
export {
  assumedContract,
  type ContractSettings,
  contractSettingsSchema,
} from './contract/contract-settings.ts';
export { type Field, fieldsOf } from './contract/fields.ts';
export { type RecordKind, type RecordKindName, recordKindNames } from './contract/record-kind.ts';
export { recordKind, recordKinds } from './contract/record-kinds.ts';
export { type Counts, type RowState, rowStates } from './contract/row-state.ts';
export { DealsheetError, type ErrorCode, exitCodeOf, isDealsheetError } from './errors.ts';
export type { Entry, EntryState, Ledger, Run, RunRecord } from './ledger/ledger.ts';
export { openLedger } from './ledger/open-ledger.ts';
export type { CheckedRow } from './mapping/checked-row.ts';
export type { FindingCount } from './mapping/finding-groups.ts';
export { type NamedMapping, readMapping } from './mapping/mapping-file/read-mapping.ts';
export type { DateOrder } from './mapping/values/date-order.ts';
export { type Finding, findingText } from './messages/finding.ts';
export { type CheckEvents, type CheckOptions, type CheckResult, checkFile } from './pipeline/check-file.ts';
export { importDefaults, readingDefaults, silentImport } from './pipeline/defaults.ts';
export type { BalancesOptions, BalancesResult, ExportEvents } from './pipeline/export/balances-options.ts';
export type { ListColumns } from './pipeline/export/columns.ts';
export { exportBalances } from './pipeline/export/export-balances.ts';
export type { ExportFormat } from './pipeline/export/export-file.ts';
export { exportRecords } from './pipeline/export/export-records.ts';
export type { RecordsEvents, RecordsOptions, RecordsResult } from './pipeline/export/records-options.ts';
export type { Expectation } from './pipeline/foresight/expectations.ts';
export type { Foresight } from './pipeline/foresight/foresight.ts';
export { type LoadPlan, readPlan } from './pipeline/foresight/written-plan.ts';
export { importFile, planImport } from './pipeline/import-file.ts';
export type { ImportOptions } from './pipeline/import-options.ts';
export type { RowEvent } from './pipeline/load/load.ts';
export type { Connect } from './pipeline/load/own-client.ts';
export type { SendingEvents, SendingResult } from './pipeline/load/sending.ts';
export type { SendingOptions } from './pipeline/options/sending-options.ts';
export { type ResumeOptions, resumeRun } from './pipeline/resume-run.ts';
export type { MaskMode, ReadingOptions } from './pipeline/survey/reading.ts';
export type { Survey, SurveyedSheet } from './pipeline/survey/survey.ts';
export { identityOf } from './service/address.ts';
export type {
  HealthResult,
  KeptRequest,
  KeptResult,
  OutgoingRecord,
  ReadEndpoint,
  ReadOptions,
  ReadResult,
  Room,
  ServiceClient,
  ServiceOptions,
} from './service/client.ts';
export { createServiceClient } from './service/create-client.ts';
export { type ServiceEvents, silentEvents } from './service/events.ts';
export type { PaceNow, Pause } from './service/limiter.ts';
export type { Outcome, StopReason } from './service/outcome.ts';
export { proxyOf, type ServiceProxy } from './service/proxy.ts';
export { type Credentials, fixedToken } from './service/tokens/credentials.ts';
export { type TokenCommand, tokenFromCommand } from './service/tokens/token-command.ts';
export { tokenFromFile } from './service/tokens/token-file.ts';
export type { SheetTotals } from './workbooks/results-summary.ts';
export { writeTemplate } from './workbooks/template.ts';
export type { TemplateOptions } from './workbooks/template-options.ts';
