/** What an export of deals or companies is given, and what it gives back. */
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { ListColumns } from './columns.ts';
import type { ExportFormat } from './export-file.ts';
import type { RecordsWanted } from './id-source.ts';

export interface RecordsOptions {
  readonly wanted: RecordsWanted;
  /** The identity of the service in the ledger. */
  readonly service: string;
  readonly ids: readonly string[];
  /** Companies alone: in the columns of an update template. */
  readonly asTemplate: boolean;
  /** Where the file goes, or `null` for standard output. */
  readonly output: string | null;
  /** `null`: by the ending of the output. */
  readonly format: ExportFormat | null;
  readonly columns: readonly string[];
  readonly lists: ListColumns;
  readonly mask: boolean;
  readonly now: Date;
  readonly contract: ContractSettings;
  readonly signal: AbortSignal;
  readonly standardOutput: NodeJS.WritableStream;
}

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
