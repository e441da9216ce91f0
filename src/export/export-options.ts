/** What an export is given, and what it gives back. */
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { ChangeCounts } from '../workbooks/export-summary.ts';
import type { ListColumns } from './columns.ts';
import type { ExportFormat } from './export-file.ts';
import type { Query } from './next-page.ts';

/** What both exports are given. */
interface SharedOptions {
  /** Where the file goes, or `null` for standard output. */
  readonly output: string | null;
  /** `null`: by the ending of the output. */
  readonly format: ExportFormat | null;
  /** `path`, `path=Label`, `path:look` or `path=Label:look`, in their order; `*` for all others; empty for those of the records. */
  readonly columns: readonly string[];
  readonly lists: ListColumns;
  readonly mask: boolean;
  readonly contract: ContractSettings;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly standardOutput: NodeJS.WritableStream;
}

export interface BalancesOptions extends SharedOptions {
  readonly query: Query;
  /** Labels or paths of the columns by whose values the summary counts; empty for status and funder. */
  readonly groupBy: readonly string[];
  /** Last month's file, or `null`. */
  readonly previous: string | null;
  /** The column by which the months are compared, or `null` to find it out. */
  readonly key: string | null;
  /** The address of the service, for the summary. */
  readonly service: string;
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

export interface RecordsOptions extends SharedOptions {
  readonly wanted: RecordsWanted;
  /** The identity of the service in the ledger. */
  readonly service: string;
  readonly ids: readonly string[];
  /** Companies alone: in the columns of an update template. */
  readonly asTemplate: boolean;
}

export type RecordsWanted = 'deals' | 'companies';

export interface RecordsEvents {
  onRead(read: number, of: number): void;
}

export interface RecordsResult {
  readonly path: string | null;
  readonly format: ExportFormat;
  readonly counts: {
    readonly asked: number;
    readonly found: number;
    readonly notFound: number;
    readonly failed: number;
  };
  readonly columns: readonly string[];
  /** The first ids that have no record, with the reason. */
  readonly problems: readonly string[];
}
