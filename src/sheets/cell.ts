/** One cell as its file holds it: what was stored and how it was shown. What it means is for the mapping to decide. */

/** `null` is a blank cell; a plain string is text, exactly as stored (a CSV file has nothing else). */
export type Cell = null | string | NumberCell | DateCell | BooleanCell | ErrorCell | FormulaWithoutValue;

export interface NumberCell {
  readonly kind: 'number';
  readonly value: number;
  /** The digits as the file stores them (`1250.5`, `1.2E+05`), before any conversion to a double. */
  readonly stored: string;
  /** What Excel shows where that is more than the number (`01-2345678`, `1,250.00 DR`, `12:30`); else the plain number. */
  readonly shown: string;
  /** Whether the cell's format shows the number as a percentage (0.6 as 60%). */
  readonly percent: boolean;
  /** The format shows a time, a fraction, a power of ten, or nothing: what programs make of a text, such as `12E4`. */
  readonly inOtherForm?: true;
  /** The format shows another currency than dollars: its sign. */
  readonly currency?: string | undefined;
}

export interface DateCell {
  readonly kind: 'date';
  readonly day: string;
  /** `HH:MM:SS` when the cell has a time of day other than midnight. */
  readonly time: string | null;
  /** The cell shows a year, a month or a time, and not the day. */
  readonly hidesDay?: true;
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

/** Cells that are a link to somewhere outside of the workbook. */
export interface LinkedRange extends MergedRange {
  readonly address: string;
}

/** A range of merged cells, all numbers from 0, ends included; rows as indices (Excel's number minus 1). */
export interface MergedRange {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}
