/**
 * One cell as its file holds it, whatever the file's format.
 * A cell says what was stored and how it was shown; what it means is for the mapping to decide.
 */

/** `null` is a blank cell; a plain string is text, exactly as stored (a CSV file has nothing else). */
export type Cell = null | string | NumberCell | DateCell | BooleanCell | ErrorCell | FormulaWithoutValue;

export interface NumberCell {
  readonly kind: 'number';
  readonly value: number;
  /** The digits as the file stores them (`1250.5`, `1.2E+05`), before any conversion to a double. */
  readonly stored: string;
  /** What Excel shows, when the cell's format decides it (`00-0000000` on 12345678 shows `01-2345678`); else the plain number. */
  readonly shown: string;
  /** Whether the cell's format shows the number as a percentage (0.6 as 60%). */
  readonly percent: boolean;
  /** What the cell's format adds to the digits; absent where it adds nothing but the sign of a currency. */
  readonly adds?: FormatAddition;
}

export type FormatAddition =
  /** Words beside the digits, such as the `DR` of `1,250.00 DR`. */
  | { readonly kind: 'words'; readonly words: string }
  /** The number is shown in another size, as 1250000 in `1.3M` and 125050 in `1250.50`; the words may be empty. */
  | { readonly kind: 'scale'; readonly words: string }
  /** The number is shown with the sign that it does not have, as 1250 in `(1,250.00)`. */
  | { readonly kind: 'sign'; readonly shown: string }
  /** The number is shown as a time of day. */
  | { readonly kind: 'time' }
  /** The number is shown as hours, minutes or seconds, as 2.5 in `60:00`. */
  | { readonly kind: 'duration' }
  /** Nothing is shown of the number, such as of a zero in `0;-0;;@`. */
  | { readonly kind: 'unseen' }
  /** The number is shown as it is, in a form that programs make of a text: 120000 as `1.20E+05`, 12.5 as `12 1/2`. */
  | { readonly kind: 'scientific' }
  | { readonly kind: 'fraction' };

export interface DateCell {
  readonly kind: 'date';
  /** The calendar day, `YYYY-MM-DD`, without any time zone. */
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

/** An error value such as `#N/A` or `#REF!`. */
export interface ErrorCell {
  readonly kind: 'error';
  readonly text: string;
}

/** A formula whose file holds no computed value: nobody has calculated it yet. */
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
