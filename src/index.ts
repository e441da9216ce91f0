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
export type { ListColumns } from './export/columns.ts';
export { exportBalances } from './export/export-balances.ts';
export type { ExportFormat } from './export/export-file.ts';
export type {
  BalancesOptions,
  BalancesResult,
  ExportEvents,
  RecordsEvents,
  RecordsOptions,
  RecordsResult,
} from './export/export-options.ts';
export { exportRecords } from './export/export-records.ts';
export type { Ledger, Run, RunCounts, RunEntry, RunRecord } from './ledger/ledger.ts';
export { openLedger } from './ledger/open-ledger.ts';
export { type CheckEvents, type CheckOptions, type CheckResult, checkFile } from './load/check-file.ts';
export { importDefaults, readingDefaults, silentImport } from './load/defaults.ts';
export { importFile, planImport } from './load/import-file.ts';
export type { ImportOptions } from './load/import-options.ts';
export type { RowEvent } from './load/load.ts';
export type { Connect } from './load/own-client.ts';
export { type ResumeOptions, resumeRun } from './load/resume-run.ts';
export type { SendingEvents, SendingResult } from './load/sending.ts';
export type { CheckedRow } from './mapping/checked-row.ts';
export type { FindingCount } from './mapping/finding-groups.ts';
export { type NamedMapping, readMapping } from './mapping/mapping-file/read-mapping.ts';
export type { DateOrder } from './mapping/values/date-order.ts';
export { type Finding, findingText } from './messages/finding.ts';
export type { Expectation } from './plan/expectations.ts';
export type { Preview, PreviewedSheet } from './plan/preview.ts';
export type { SendingOptions } from './plan/sending-options.ts';
export { type LoadPlan, readPlan } from './plan/written-plan.ts';
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
export type { MaskMode, ReadingOptions } from './staging/reading.ts';
export type { SheetTotals } from './workbooks/results-summary.ts';
export { writeTemplate } from './workbooks/template.ts';
export type { TemplateOptions } from './workbooks/template-sheet.ts';
