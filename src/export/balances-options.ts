/** What an export of balances is given, and what it gives back. */
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { ChangeCounts } from '../workbooks/export-summary.ts';
import type { ListColumns } from './columns.ts';
import type { ExportFormat } from './export-file.ts';
import type { Query } from './next-page.ts';

export interface BalancesOptions {
  /** Where the file goes, or `null` for standard output. */
  readonly output: string | null;
  /** `null`: by the ending of the output. */
  readonly format: ExportFormat | null;
  readonly query: Query;
  /** See {@link ColumnChoice}; empty for those of the records. */
  readonly columns: readonly string[];
  readonly lists: ListColumns;
  /** Labels or paths of the columns by whose values the summary counts; empty for status and funder. */
  readonly groupBy: readonly string[];
  /** Last month's file, or `null`. */
  readonly previous: string | null;
  /** The column by which the months are compared, or `null` to find it out. */
  readonly key: string | null;
  readonly mask: boolean;
  readonly contract: ContractSettings;
  /** The address of the service, for the summary. */
  readonly service: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly standardOutput: NodeJS.WritableStream;
}

export interface ExportEvents {
  onPage(pages: number, records: number): void;
  /** Told every thousand records. */
  onWritten(records: number, of: number): void;
}

export interface BalancesResult {
  /** `null` for standard output. */
  readonly path: string | null;
  readonly format: ExportFormat;
  readonly records: number;
  readonly pages: number;
  /** Where the balances were found, and how their pages were asked for. */
  readonly found: string;
  readonly columns: readonly string[];
  /** Exact sums by label. */
  readonly totals: Readonly<Record<string, string>>;
  readonly changes: ChangeCounts | null;
  /** What a person should know, as whole sentences. */
  readonly notices: readonly string[];
}
