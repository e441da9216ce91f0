/** The reader interface of CSV and XLSX. */
import type { Message } from '../messages/message.ts';
import type { LinkedRange, MergedRange, SheetRow } from './row.ts';

export interface BehindRows {
  readonly merges: readonly MergedRange[];
  readonly links: readonly LinkedRange[];
  readonly hiddenColumns: readonly Pick<MergedRange, 'firstColumn' | 'lastColumn'>[];
}

export type OnBehindRows = (behind: BehindRows) => void;

export interface SourceSheet {
  readonly name: string;
  readonly hidden: boolean;
  /** What separates the cells of a CSV file. */
  readonly delimiter?: string;
  /** Reads the rows that are not blank, from the start on each call. Calls `onBehind` after the last row. */
  rows(onBehind?: OnBehindRows): AsyncIterable<SheetRow>;
  /** The merged ranges in the first 50 rows, enough for a header of two rows. */
  mergedHeaderRanges(): Promise<readonly MergedRange[]>;
}

/** The sheet with each of its rows changed. */
export function withRows(sheet: SourceSheet, change: (row: SheetRow) => SheetRow): SourceSheet {
  return {
    ...sheet,
    async *rows(onBehind) {
      for await (const row of sheet.rows(onBehind)) yield change(row);
    },
  };
}

export interface Source {
  readonly format: 'csv' | 'xlsx';
  readonly sheets: readonly SourceSheet[];
  /** How the file was read: for example, as Windows-1252. */
  readonly notices: readonly Message[];
  /** Custom document properties of the workbook; empty for CSV. */
  readonly properties: Readonly<Record<string, string>>;
  /** Whether another program has saved the workbook: all but this one describe themselves in it. */
  readonly isSavedElsewhere: boolean;
  /** Reads everything not yet read to its end. @throws DealsheetError `unreadable-source` for any damage */
  verify(): Promise<void>;
  close(): Promise<void>;
}

export interface SourceOptions {
  /** The file name that the person gave. A CSV sheet takes its name from it. */
  readonly name: string;
  /** For CSV: the name of a character set (`windows-1252`), or `null` to detect it. */
  readonly encoding: string | null;
  /** For CSV: the character set without a byte order mark, if `encoding` is `null`. */
  readonly usualEncoding?: string | undefined;
  /** For CSV: `,` `;` TAB or `|`, or `null` to detect it. */
  readonly delimiter: string | null;
  /** The caller calls {@link Source.verify} before acting on the file. Otherwise opening verifies it, which is one more read. */
  readonly verifiesLater?: boolean;
}
