/** What an export is given, and what it gives back. An option that a script leaves out would ask for nothing, or show what is to be stars. */
import { type ContractSettings, wantedContract } from '../contract/contract-settings.ts';
import { refuseWrongOptions, type WantedOption } from '../errors.ts';
import {
  choice,
  isObject,
  oneOf,
  textOrNull,
  texts,
  type Wanted,
  wantedFunctions,
  wantedSending,
  wantedStream,
} from '../plan/wanted-options.ts';
import type { ChangeCounts } from '../workbooks/export-summary.ts';
import { type ListColumns, listColumns } from './columns.ts';
import { type ExportFormat, exportFormats } from './export-file.ts';
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

const wantedOfBoth = {
  output: {
    wanted: 'a path as a text, or null for standard output',
    isRight: (given: unknown) => given !== '' && textOrNull.isRight(given),
  },
  format: oneOf([...exportFormats, null]),
  columns: texts,
  lists: oneOf(listColumns),
  mask: choice,
  contract: wantedContract,
  now: { wanted: 'a Date', isRight: (given: unknown) => given instanceof Date && !Number.isNaN(given.getTime()) },
  signal: wantedSending.signal,
  standardOutput: wantedStream,
};

export const wantedBalances: Wanted<BalancesOptions> = {
  ...wantedOfBoth,
  service: wantedSending.serviceUrl,
  query: {
    wanted: 'a list of names with their values, such as [["status", "open"]], or []',
    isRight: (given) => Array.isArray(given) && given.every((pair) => texts.isRight(pair) && pair.length === 2),
  },
  groupBy: texts,
  previous: textOrNull,
  key: textOrNull,
};

export const wantedRecords: Wanted<RecordsOptions> = {
  ...wantedOfBoth,
  service: wantedSending.service,
  wanted: oneOf(['deals', 'companies']),
  ids: texts,
  asTemplate: choice,
};

const wantedClient: WantedOption = {
  wanted: 'what createServiceClient gives',
  isRight: (given) => isObject(given) && 'keep' in given,
};

/** @throws DealsheetError `usage` */
export function refuseWrongExport<Options extends object, Events extends object>(
  given: { readonly options: Options; readonly client: unknown; readonly events: Events },
  wanted: Wanted<Options>,
  listeners: readonly (keyof Events & string)[],
): void {
  refuseWrongOptions(given.options, wanted);
  refuseWrongOptions({ client: given.client }, { client: wantedClient });
  refuseWrongOptions(given.events, wantedFunctions(listeners) as Wanted<Events>);
}
