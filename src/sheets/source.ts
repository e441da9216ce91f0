/** A file of tables, opened for reading: the face that CSV and XLSX share. */
import type { LinkedRange, MergedRange } from './cell.ts';
import type { SheetRow } from './row.ts';

export interface BehindRows {
  readonly merges: readonly MergedRange[];
  readonly links: readonly LinkedRange[];
  readonly hiddenColumns: readonly Pick<MergedRange, 'firstColumn' | 'lastColumn'>[];
}

export type OnBehindRows = (behind: BehindRows) => void;

export interface SourceSheet {
  readonly name: string;
  readonly hidden: boolean;
  /** Reads the rows that hold anything, each time from the start. What stands around them is told once all were read. */
  rows(onBehind?: OnBehindRows): AsyncIterable<SheetRow>;
  /** The merged ranges among the first 50 rows: enough to understand a header of two rows. */
  mergedHeaderRanges(): Promise<readonly MergedRange[]>;
}

export interface Source {
  readonly format: 'csv' | 'xlsx';
  readonly sheets: readonly SourceSheet[];
  /** What a person should know about how the file was read (`read as Windows-1252`), as whole sentences. */
  readonly notices: readonly string[];
  /** Properties of the workbook that its writer has stamped on it (custom document properties); empty for CSV. */
  readonly properties: Readonly<Record<string, string>>;
  /** Reads what has not been read to its end yet. @throws DealsheetError `unreadable-source` for any damage */
  verify(): Promise<void>;
  close(): Promise<void>;
}

export interface SourceOptions {
  /** The name that the person gave the file: the sheet of a CSV file is called by it. */
  readonly name: string;
  /** A character set's name (`windows-1252`), or `null` to find it out. CSV alone. */
  readonly encoding: string | null;
  /** `,` `;` TAB or `|`, or `null` to find it out. CSV alone. */
  readonly delimiter: string | null;
  /** The caller calls {@link Source.verify} before acting on the file. Otherwise it is verified first: a reading more. */
  readonly verifiesLater?: boolean;
}
