/** What an export of deals or companies is given, and what it gives back. */
import type { BalancesOptions } from './balances-options.ts';
import type { ExportFormat } from './export-file.ts';
import type { RecordsWanted } from './id-source.ts';

export interface RecordsOptions extends Omit<BalancesOptions, 'query' | 'groupBy' | 'previous' | 'key'> {
  readonly wanted: RecordsWanted;
  /** The identity of the service in the ledger. */
  readonly service: string;
  readonly ids: readonly string[];
  /** Companies alone: in the columns of an update template. */
  readonly asTemplate: boolean;
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
