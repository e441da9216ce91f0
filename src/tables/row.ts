/** A row of a sheet, and its cells as the file stores and shows them. The mapping decides what they mean. */

/** `null` is a blank cell. A string is text exactly as stored; a CSV file has nothing else. */
export type Cell = null | string | NumberCell | DateCell | BooleanCell | ErrorCell | FormulaWithoutValue;

export interface NumberCell {
  readonly kind: 'number';
  readonly value: number;
  /** The digits as stored (`1250.5`, `1.2E+05`), before any conversion to a double. */
  readonly stored: string;
  /** What Excel shows if that is more than the number (`01-2345678`, `1,250.00 DR`, `12:30`), else the plain number. */
  readonly shown: string;
  /** Whether the format shows a percentage (0.6 as 60%). */
  readonly percent: boolean;
  /** The format shows a time, a fraction, a power of ten or nothing. Programs turn text such as `12E4` into these. */
  readonly inOtherForm?: true;
  /** The currency sign that the format shows, if it is not the dollar. */
  readonly currency?: string | undefined;
}

export interface DateCell {
  readonly kind: 'date';
  readonly day: string;
  /** `HH:MM:SS` unless the time is midnight. */
  readonly time: string | null;
  /** The format shows a year, month or time, but no day; or a day without its year. */
  readonly hides?: 'day' | 'year';
}

export interface BooleanCell {
  readonly kind: 'boolean';
  readonly value: boolean;
}

export interface ErrorCell {
  readonly kind: 'error';
  readonly text: string;
}

export interface FormulaWithoutValue {
  readonly kind: 'formula-without-value';
  readonly formula: string;
}

/** Cells that link to an address outside the workbook. */
export interface LinkedRange extends MergedRange {
  readonly address: string;
}

/** A range of merged cells. Indices from 0, ends included; a row index is Excel's row number minus 1. */
export interface MergedRange {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** A row with at least one cell that is not blank. */
export interface SheetRow {
  /** The row number as in Excel, from 1. In CSV the record number, including blank records. */
  readonly number: number;
  /** The cells from column A on, without trailing blanks. */
  readonly values: readonly Cell[];
  /** Hidden by hand or by a filter. Such rows are read like any other. */
  readonly hidden: boolean;
  /** For CSV: the number of cells in the record, including trailing blanks. */
  readonly width?: number;
}

export function cellAt({ values }: SheetRow, column: number): Cell {
  return values[column] ?? null;
}
